import NotesServer

/// One setting of the configuration file: its key, what it may be, and what it is for. The file is read, checked and documented
/// from the list of these (`Setting.all`), so the three cannot disagree.
struct Setting: Sendable {
    /// From the file's root: `["limits", "depth_max"]`.
    let path: [String]
    /// For a person, in lines of a comment.
    let summary: [String]
    let value: Value
    /// Whether the daemon takes it over from a changed file while it runs; the others hold until it is started again.
    let isReloadable: Bool

    enum Value: Sendable {
        /// An absolute path. `shown` stands for the default, which the environment decides.
        case path(any WritableKeyPath<Settings, String?> & Sendable, shown: String)
        case word(any WritableKeyPath<Settings, String> & Sendable, oneOf: [String])
        case integer(any WritableKeyPath<Settings, Int> & Sendable, unit: String, in: ClosedRange<Int>)
        /// `shown` says what holds while nothing is set; `example` stands in the sample file.
        case optionalInteger(
            any WritableKeyPath<Settings, Int?> & Sendable, unit: String, in: ClosedRange<Int>, shown: String, example: Int)
        /// Words each of which is one of `what`.
        case words(
            any WritableKeyPath<Settings, [String]> & Sendable, of: String, isRight: @Sendable (String) -> Bool, example: [String]
        )
    }

    /// As it is written in messages.
    var key: String { path.joined(separator: ".") }

    init(_ key: String, _ summary: String..., value: Value, isReloadable: Bool = false) {
        path = key.split(separator: ".").map(String.init)
        self.summary = summary
        self.value = value
        self.isReloadable = isReloadable
    }
}

extension Setting {
    /// In the order of the sample file: those without a table first, then each table's together.
    static let all: [Setting] = [
        Setting(
            "socket", "The Unix socket that clients connect to: an absolute path of at most 107 bytes.",
            value: .path(\.socket, shown: "$XDG_RUNTIME_DIR/notesd/notesd.sock")),
        Setting(
            "data", "The directory of the store: an absolute path. Only one daemon can have it at a time.",
            value: .path(\.data, shown: "$XDG_DATA_HOME/notesd, or $HOME/.local/share/notesd")),
        Setting(
            "threads", "Threads that serve connections. 0 lets the daemon choose: one for two processors, at most four.",
            value: .integer(\.threads, unit: "threads", in: 0...64)),
        Setting(
            "log.level", "What is written to standard error. The text of a note never is.",
            value: .word(\.logLevel, oneOf: ["trace", "debug", "info", "notice", "warning", "error", "critical"]),
            isReloadable: true),
        Setting(
            "limits.note_bytes_max", "The longest text of a note that a client may send.",
            value: .integer(\.limits.noteBytesMax, unit: "bytes", in: 1_024...67_108_864)),
        Setting(
            "limits.line_bytes_max", "The longest request. A whole text is sent in one, as a JSON string, which takes more room.",
            value: .integer(\.limits.lineBytesMax, unit: "bytes", in: 65_536...268_435_455)),
        Setting(
            "limits.depth_max", "How deep the JSON of a request may be nested.",
            value: .integer(\.limits.depthMax, unit: "levels", in: 16...256), isReloadable: true),
        Setting(
            "limits.in_flight_max",
            "Requests of one connection that may wait for their answers; past it the daemon stops reading there.",
            value: .integer(\.limits.inFlightMax, unit: "requests", in: 1...65_536), isReloadable: true),
        Setting(
            "limits.request_bytes_max",
            "Requests of all connections together that may wait for their answers; past it one more is refused as overloaded.",
            value: .integer(\.limits.requestBytesMax, unit: "bytes", in: 65_536...1_099_511_627_776)),
        Setting(
            "limits.buffered_bytes_max",
            "What may wait for the clients of all connections together: requests that have not come whole, and answers that were not",
            "read. Past half of it, whoever adds much more to it is refused as overloaded; past all of it, everybody is. It is never",
            "less than two of the longest requests.",
            value: .integer(\.limits.bufferedBytesMax, unit: "bytes", in: 65_536...1_099_511_627_776)),
        Setting(
            "limits.response_bytes_max",
            "Answers of one connection that may wait to be read; past it the daemon stops reading there.",
            value: .integer(\.limits.responseBytesMax, unit: "bytes", in: 65_536...1_073_741_824), isReloadable: true),
        Setting(
            "limits.outbox_bytes_max",
            "What may wait to be told to one connection; past it its watches start over from where they were.",
            value: .integer(\.limits.outboxBytesMax, unit: "bytes", in: 65_536...1_073_741_824)),
        Setting(
            "limits.watches_max",
            "Watches of one connection. Never more than one for each 1,280 bytes of outbox_bytes_max.",
            value: .integer(\.limits.watchesMax, unit: "watches", in: 1...65_536)),
        Setting(
            "limits.hello_seconds_max", "How long a connection may take to say hello.",
            value: .integer(\.limits.helloSecondsMax, unit: "seconds", in: 1...3_600), isReloadable: true),
        Setting(
            "limits.connections_max",
            "Connections at once; one more is closed at once. Never more than the system's limit on open files leaves room for.",
            value: .integer(\.limits.connectionsMax, unit: "connections", in: 1...1_000_000), isReloadable: true),
        Setting(
            "limits.user_connections_max",
            "Connections of one user at once, but of the one that the daemon runs as, and of root. One more is closed at once.",
            value: .optionalInteger(
                \.limits.userConnectionsMax, unit: "connections", in: 1...1_000_000, shown: "half of connections_max",
                example: 1_000),
            isReloadable: true),
        Setting(
            "limits.user_in_flight_max",
            "Requests of one user, on all connections, that may wait for their answers; one more is refused as overloaded. Not for",
            "those two either.",
            value: .integer(\.limits.userInFlightMax, unit: "requests", in: 1...1_000_000), isReloadable: true),
        Setting(
            "cache.bytes_max", "Memory for notes in use; the others are read from the store when they are asked for.",
            value: .integer(\.limits.cacheBytesMax, unit: "bytes", in: 1_048_576...1_099_511_627_776)),
        Setting(
            "history.keep_days",
            "How long the texts of old versions are kept. Whatever a note has shown in so many days can be read; the texts of older",
            "versions are removed for good once nothing builds on them: no later version, no open conflict, no other store that this",
            "one has heard of. Who wrote when, and what of the note's name, stays. 0 keeps only what is still needed.",
            value: .optionalInteger(\.historyKeepDays, unit: "days", in: 0...36_500, shown: "all are kept", example: 365),
            isReloadable: true),
        Setting(
            "access.read",
            "Who else may read notes: users by name or number, groups by @name or @number, or * for everybody who can reach the socket.",
            "The user that the daemon runs as, and root, may do everything without being named.",
            value: .words(\.access.read, of: Self.peers, isRight: PeerName.isOne, example: ["@notes-readers"]), isReloadable: true
        ),
        Setting(
            "access.write", "Who else may read and write them.",
            value: .words(\.access.write, of: Self.peers, isRight: PeerName.isOne, example: ["ada", "@editors"]),
            isReloadable: true),
        Setting(
            "access.admin", "Who else may also make backups and see how the daemon is configured.",
            value: .words(\.access.admin, of: Self.peers, isRight: PeerName.isOne, example: ["@adm"]), isReloadable: true),
    ]

    private static let peers = "a user (name or number), a group (@name or @number), or *"
}
