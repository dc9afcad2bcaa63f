import NotesEngine
import NotesServer

/// One setting of the configuration file: its key, the values that it accepts, and its description.
///
/// The parser of the file, the checks and the sample file all use the list `Setting.all`, so they
/// cannot disagree.
struct Setting: Sendable {
    /// The table and name, from the root of the file: `["limits", "depth_max"]`.
    let path: [String]
    /// Description for administrators: the lines of the comment in the sample file.
    let summary: [String]
    /// Type of the value, its range, and where `Settings` stores it.
    let value: Value
    /// Whether a reload applies a new value. Other settings take effect at the next start.
    let isReloadable: Bool

    /// Type of a setting. Every case names the property of `Settings` that stores the value.
    enum Value: Sendable {
        /// An absolute path. `shown` describes the default, which depends on the environment.
        case path(any WritableKeyPath<Settings, String?> & Sendable, shown: String)
        /// One word of a fixed list.
        case word(any WritableKeyPath<Settings, String> & Sendable, oneOf: [String])
        /// An integer in a range. `unit` is a plural noun, such as "bytes".
        case integer(any WritableKeyPath<Settings, Int> & Sendable, unit: String, in: ClosedRange<Int>)
        /// An integer that may be unset. `shown` describes the behaviour while it is unset;
        /// `example` is the value in the sample file.
        case optionalInteger(
            any WritableKeyPath<Settings, Int?> & Sendable, unit: String, in: ClosedRange<Int>, shown: String, example: Int)
        /// An array of words, each of which satisfies `isRight`. `of` describes one word.
        case words(
            any WritableKeyPath<Settings, [String]> & Sendable, of: String, isRight: @Sendable (String) -> Bool, example: [String]
        )
    }

    /// The key as messages and options write it: `limits.depth_max`.
    var key: String { path.joined(separator: ".") }

    init(_ key: String, _ summary: String..., value: Value, isReloadable: Bool = false) {
        path = key.split(separator: ".").map(String.init)
        self.summary = summary
        self.value = value
        self.isReloadable = isReloadable
    }
}

extension Setting {
    /// All settings, in the order of the sample file: first those without a table, then those of
    /// each table together.
    static let all: [Setting] = [
        Setting(
            "socket",
            "The Unix socket that clients connect to: an absolute path of at most 107 bytes.",
            "The daemon ignores it if the service manager passes a socket.",
            value: .path(\.socket, shown: "$XDG_RUNTIME_DIR/notesd/notesd.sock")),
        Setting(
            "data", "The directory of the store: an absolute path. Only one daemon can use it at a time.",
            value: .path(\.data, shown: "$XDG_DATA_HOME/notesd, or $HOME/.local/share/notesd")),
        Setting(
            "threads",
            "Number of threads that serve connections. 0 selects half the number of processors,",
            "but at least 1 and at most 4.",
            value: .integer(\.threads, unit: "threads", in: 0...64)),
        Setting(
            "log.level",
            "The lowest level of messages that the daemon logs, to the systemd journal or to",
            "standard error. The daemon never logs the texts of notes.",
            value: .word(\.logLevel, oneOf: ["trace", "debug", "info", "notice", "warning", "error", "critical"]),
            isReloadable: true),
        Setting(
            "limits.note_bytes_max",
            "Maximum length of a text that a client writes. A client can still shorten a text that",
            "is longer, and merging can produce a text of up to twice this length.",
            value: .integer(\.limits.noteBytesMax, unit: "bytes", in: 1_024...67_108_864)),
        Setting(
            "limits.line_bytes_max",
            "Maximum length of a request, without its line feed. Must be greater than",
            "note_bytes_max, because a request can contain a whole text as a JSON string, in which",
            "escapes take additional room.",
            value: .integer(\.limits.lineBytesMax, unit: "bytes", in: 65_536...268_435_455)),
        Setting(
            "limits.depth_max", "Maximum nesting depth of arrays and objects in the JSON of a request.",
            value: .integer(\.limits.depthMax, unit: "levels", in: 16...256), isReloadable: true),
        Setting(
            "limits.in_flight_max",
            "Maximum number of unanswered requests on one connection. At the limit, the daemon",
            "stops reading from the connection until it has written a response.",
            value: .integer(\.limits.inFlightMax, unit: "requests", in: 1...65_536), isReloadable: true),
        Setting(
            "limits.request_bytes_max",
            "Maximum total length of the requests in progress, over all connections. At the limit,",
            "the daemon refuses further requests with error 4003 (overloaded).",
            value: .integer(\.limits.requestBytesMax, unit: "bytes", in: 65_536...1_099_511_627_776)),
        Setting(
            "limits.buffered_bytes_max",
            "Maximum memory for incomplete requests and unread responses, over all connections.",
            "Above half of the limit, the daemon refuses an incomplete request longer than 16 KiB",
            "with error 4003 (overloaded), and takes no requests from a connection with more than",
            "16 KiB of unread responses. Above the limit, it refuses further requests of all",
            "connections with error 4003. The effective limit is at least twice line_bytes_max.",
            value: .integer(\.limits.bufferedBytesMax, unit: "bytes", in: 65_536...1_099_511_627_776)),
        Setting(
            "limits.response_bytes_max",
            "Maximum size of the unread responses of one connection. At the limit, the daemon stops",
            "reading from the connection until the client has read some of them.",
            value: .integer(\.limits.responseBytesMax, unit: "bytes", in: 65_536...1_073_741_824), isReloadable: true),
        Setting(
            "limits.outbox_bytes_max",
            "Maximum size of the changes that wait to be sent to one connection. The watches of the",
            "connection share the limit evenly. If a watch exceeds its share, the daemon drops the",
            "pending changes of the watch and sends watch.reset. The watch then catches up from the",
            "last change that it delivered.",
            value: .integer(\.limits.outboxBytesMax, unit: "bytes", in: 65_536...1_073_741_824)),
        Setting(
            "limits.watches_max",
            "Maximum number of watches on one connection. A watch counts as one more for each 1000",
            "ids that its filter names. The effective limit is at most one watch for each 1280",
            "bytes of outbox_bytes_max.",
            value: .integer(\.limits.watchesMax, unit: "watches", in: 1...65_536)),
        Setting(
            "limits.hello_seconds_max",
            "Time in which a client must send a valid hello after it connects. If the client does",
            "not, the daemon closes the connection.",
            value: .integer(\.limits.helloSecondsMax, unit: "seconds", in: 1...3_600), isReloadable: true),
        Setting(
            "limits.connections_max",
            "Maximum number of open connections, divided evenly among the threads. The daemon",
            "closes further connections at once. The effective limit is at most the system's limit",
            "on open files (RLIMIT_NOFILE) minus 64.",
            value: .integer(\.limits.connectionsMax, unit: "connections", in: 1...1_000_000), isReloadable: true),
        Setting(
            "limits.user_connections_max",
            "Maximum number of open connections of one user. The daemon closes further connections",
            "at once. Does not apply to root or to the user that the daemon runs as.",
            value: .optionalInteger(
                \.limits.userConnectionsMax, unit: "connections", in: 1...1_000_000, shown: "half of connections_max",
                example: 1_000),
            isReloadable: true),
        Setting(
            "limits.user_in_flight_max",
            "Maximum number of unanswered requests of one user, over all connections. The daemon",
            "refuses further requests with error 4003 (overloaded). Does not apply to root or to",
            "the user that the daemon runs as.",
            value: .integer(\.limits.userInFlightMax, unit: "requests", in: 1...1_000_000), isReloadable: true),
        Setting(
            "cache.bytes_max",
            "Memory for cached notes. The daemon reads other notes from the store when it needs",
            "them.",
            value: .integer(\.limits.cacheBytesMax, unit: "bytes", in: 1_048_576...1_099_511_627_776)),
        Setting(
            "history.keep_days",
            "How long the daemon keeps old texts. Every text that a note had within this time can",
            "still be read. The daemon permanently removes an older text once no later version, no",
            "open conflict, and no other store known to this one depends on it. It keeps the author",
            "and time of each version, and each name that a note had. 0 keeps only the texts that",
            "are still needed.",
            value: .optionalInteger(\.historyKeepDays, unit: "days", in: 0...36_500, shown: "keep all texts", example: 365),
            isReloadable: true),
        Setting(
            "history.purges",
            "Whether a purge of a note on another machine erases its past here, too, if it comes",
            "from an administrator. With \"refuse\", this machine keeps the past of the note, and what",
            "the other one writes to the note waits here until the purge is accepted.",
            value: .word(\.historyPurges, oneOf: ["accept", "refuse"])),
        Setting(
            "files.bytes_max", "Maximum size of a file.",
            value: .integer(\.files.bytesMax, unit: "bytes", in: 0...1_099_511_627_776)),
        Setting(
            "files.fetch_bytes_max",
            "Maximum size of a file that comes from another machine. The daemon leaves larger files",
            "to the other machines. After you raise it, they come by themselves within ten minutes;",
            "if you lower it, what is here stays.",
            value: .optionalInteger(
                \.files.fetchBytesMax, unit: "bytes", in: 0...1_099_511_627_776, shown: "as bytes_max", example: 5_242_880),
            isReloadable: true),
        Setting(
            "files.total_bytes_max", "Maximum size of all files together, without unfinished uploads.",
            value: .optionalInteger(
                \.filesTotalBytesMax, unit: "bytes", in: 0...1_152_921_504_606_846_976, shown: "no limit",
                example: 10_737_418_240)),
        Setting(
            "files.free_bytes_min",
            "Free space that uploads of files leave on the disk, so that texts can be saved when",
            "files find no room any more.",
            value: .integer(\.files.freeBytesMin, unit: "bytes", in: 0...1_099_511_627_776)),
        Setting(
            "access.read",
            "Users and groups that may read notes. Write a user as a name or number, and a group as",
            "@name or @number; * matches every user who can connect to the socket. Root and the",
            "user that the daemon runs as always have full access.",
            value: .words(\.access.read, of: Self.principals, isRight: Principal.isOne, example: ["@notes-readers"]),
            isReloadable: true
        ),
        Setting(
            "access.write", "Users and groups that may read and write notes.",
            value: .words(\.access.write, of: Self.principals, isRight: Principal.isOne, example: ["ada", "@editors"]),
            isReloadable: true),
        Setting(
            "access.sync",
            "Users and groups that may read and write notes, and exchange them with other machines",
            "(notesctl peer). Revisions that such a user brings may be in any author's name.",
            value: .words(\.access.sync, of: Self.principals, isRight: Principal.isOne, example: ["@family"]), isReloadable: true),
        Setting(
            "access.admin",
            "Users and groups that may do all of this, make backups, purge notes, and read the",
            "daemon's configuration.",
            value: .words(\.access.admin, of: Self.principals, isRight: Principal.isOne, example: ["@adm"]), isReloadable: true),
    ]

    private static let principals = "a user (name or number), a group (@name or @number), or *"
}
