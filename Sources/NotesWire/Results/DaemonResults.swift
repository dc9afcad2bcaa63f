import Causality
package import NoteText
package import NotesMethods
package import NotesModel
package import StrictJSON

/// Result of `dependents.list`.
package struct DependentsResult: WireResult {
    /// All registered connections.
    package var dependents: [DependentObject]

    package init(dependents: [DependentObject]) {
        self.dependents = dependents
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { result in
            result.name("dependents")
            result.array(of: dependents) { $1.write(to: &$0) }
        }
    }

    package init(reading value: JSONValue) throws(ParamFault) {
        dependents = try value.required("dependents", Param.array(DependentObject.init(reading:)))
    }
}

/// A registered connection, for people.
package struct DependentObject: Hashable, Sendable {
    /// The number of the connection in this run of the daemon.
    package var dependent: DependentID
    /// The client program.
    package var client: ClientInfo
    /// The label from the client's hello.
    package var label: ByteString?
    /// The user that the kernel reports for the connection.
    package var user: UserInfo
    /// Number of open watches.
    package var watches: Int
    /// How far the connection's watches are behind.
    package var state: DependentState
    /// Pending watch data, in bytes.
    package var outboxBytes: Int
    /// The user's presence; nil if no note is open.
    package var presence: Presence?

    /// A note that the user has open.
    package struct Presence: Hashable, Sendable {
        /// The open note.
        package var note: NoteID
        /// The user's version and selection.
        package var place: PositionObject

        package init(note: NoteID, place: PositionObject) {
            self.note = note
            self.place = place
        }
    }

    /// Whether all watches are up to date, some are behind, or some dropped lines and will be
    /// reset.
    package enum DependentState: String, CaseIterable, Hashable, Sendable {
        case synced, lagging, reset
    }

    package init(
        dependent: DependentID, client: ClientInfo, label: ByteString?, user: UserInfo, watches: Int, state: DependentState,
        outboxBytes: Int, presence: Presence? = nil
    ) {
        self.dependent = dependent
        self.client = client
        self.label = label
        self.user = user
        self.watches = watches
        self.state = state
        self.outboxBytes = outboxBytes
        self.presence = presence
    }

    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { object in
            object.member("dependent", dependent.number)
            object.name("client")
            client.write(to: &object)
            object.member("label", label)
            object.name("user")
            user.write(to: &object)
            object.member("watches", watches)
            object.member("state", state.rawValue)
            object.member("outboxBytes", outboxBytes)
            object.name("presence")
            guard let presence else { return object.null() }
            object.object { place in
                place.member("note", presence.note)
                PositionObject?(presence.place).writeMembers(to: &place)
            }
        }
    }

    fileprivate init(reading value: JSONValue) throws(ParamFault) {
        dependent = DependentID(try value.required("dependent", Param.number))
        client = try value.required("client", ClientInfo.init(reading:))
        label = try value.required("label", Param.nullable(Param.string))
        user = try value.required("user", UserInfo.init(reading:))
        watches = try value.required("watches", Param.count)
        state = try value.required("state", Param.word(DependentState.self))
        outboxBytes = try value.required("outboxBytes", Param.count)
        // Daemons without the capability `presence` send null.
        presence = try value.optional("presence", Param.nullable(Self.presence)) ?? nil
    }
}

extension DependentObject {
    private static func presence(_ value: JSONValue) throws(ParamFault) -> Presence {
        let note = try value.required("note", Param.noteID)
        guard let place = try PositionObject.read(value) else {
            throw ParamFault(path: "version", reason: "is null; a presence requires a version")
        }
        return Presence(note: note, place: place)
    }
}

/// Result of `daemon.status`.
package struct StatusResult: WireResult, ReceivedObject {
    /// Version of the daemon.
    package var version: ByteString
    /// Ids of the store and of this run of the daemon.
    package var identity: StoreIdentity
    /// Start of this run of the daemon.
    package var startedAt: Timestamp
    /// Counts and sizes of the store.
    package var store: StoreStatistics
    /// Number of registered connections.
    package var dependents: Int
    /// The files whose bytes are there; nil for a daemon without files.
    package var files: FileTotals?
    /// Whether the store accepts writes.
    package var state: StoreState
    package var received = ReceivedJSON<ArraySlice<UInt8>?>(nil)

    /// `ok` accepts writes; `full` has no disk space; `readOnly` cannot be written.
    package enum StoreState: String, CaseIterable, Hashable, Sendable {
        case ok, full
        case readOnly = "read_only"
    }

    package init(
        version: ByteString, identity: StoreIdentity, startedAt: Timestamp, store: StoreStatistics, dependents: Int,
        files: FileTotals? = nil, state: StoreState
    ) {
        self.version = version
        self.identity = identity
        self.startedAt = startedAt
        self.store = store
        self.dependents = dependents
        self.files = files
        self.state = state
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { status in
            status.member("version", version)
            status.member("store", identity.store)
            status.member("replica", identity.replica)
            status.member("startedAt", startedAt)
            status.member("notes", store.notes)
            status.member("tombstones", store.tombstones)
            status.member("revisions", store.revisions)
            status.member("conflicted", store.conflicted)
            status.member("dependents", dependents)
            status.member("commits", store.commits)
            status.member("lastCommitAt", store.lastCommit.map { ByteString(TimestampText.text($0)) })
            status.member("storeBytes", store.storeBytes)
            status.member("walBytes", store.walBytes)
            if let files {
                status.name("files")
                files.write(to: &status)
            }
            status.member("state", state.rawValue)
            if !store.isScrubbed { status.member("scrubbed", false) }
        }
    }

    package init(reading value: JSONValue) throws(ParamFault) {
        version = try value.required("version", Param.string)
        identity = StoreIdentity(
            store: try value.required("store", Param.replica), replica: try value.required("replica", Param.replica))
        startedAt = try value.required("startedAt", Param.timestamp)
        store = StoreStatistics(
            notes: try value.required("notes", Param.count), tombstones: try value.required("tombstones", Param.count),
            revisions: try value.required("revisions", Param.count), commits: try value.required("commits", Param.number),
            lastCommit: try value.required("lastCommitAt", Param.nullable(Param.timestamp)),
            storeBytes: try value.required("storeBytes", Param.count), walBytes: try value.required("walBytes", Param.count),
            conflicted: try value.required("conflicted", Param.count),
            isScrubbed: try value.optional("scrubbed", Param.bool) ?? true)
        dependents = try value.required("dependents", Param.count)
        files = try value.optional("files", FileTotals.init(reading:))
        state = try value.required("state", Param.word(StoreState.self))
        received = ReceivedJSON(value.source)
    }
}
