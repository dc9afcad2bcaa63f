package import Causality
package import NoteText
package import NotesModel

/// A space of a hub, as the role of this connection sees it.
package struct HubSpace: Hashable, Sendable {
    /// The id of the store that the space is.
    package let store: ReplicaID
    /// The role.
    package let role: String
    /// Whether the role may append.
    package let mayWrite: Bool
    /// Whether the space keeps the bytes of files.
    package let hasFiles: Bool

    package init(store: ReplicaID, role: String, mayWrite: Bool, hasFiles: Bool) {
        self.store = store
        self.role = role
        self.mayWrite = mayWrite
        self.hasFiles = hasFiles
    }
}

/// A position in the log of a space, with the dot of the row there.
package struct HubPlace: Hashable, Sendable {
    /// The position; 0 is before the first row.
    package let position: UInt64
    /// The dot of the row; nil if it is unknown or there is no row.
    package let dot: Dot?

    package init(_ position: UInt64, _ dot: Dot?) {
        self.position = position
        self.dot = dot
    }

    /// The position before the first row.
    package static let start = HubPlace(0, nil)
}

/// A row of the log.
package struct HubRow: Hashable, Sendable {
    /// The position and the dot, from the columns of the row.
    package let place: HubPlace
    /// The bytes, which should be the canonical bytes of a revision. Members can store any.
    package let body: [UInt8]

    package init(_ place: HubPlace, body: [UInt8]) {
        self.place = place
        self.body = body
    }
}

/// The outcome of one body of an append.
package enum HubOutcome: String, Hashable, Sendable {
    /// It has a position now.
    case committed
    /// The log has it already.
    case known
    /// The log has other bytes under its dot.
    case taken
    /// It does not begin as a revision does.
    case unreadable
}

/// A question to the database. Each is one statement.
package enum HubQuery: Hashable, Sendable {
    /// Connects, and looks the space up.
    case open
    /// The newest place, and then the dots of all rows.
    case known
    /// The least position of a row with one of these dots.
    case first(DotSet)
    /// Appends bodies, and records the files that they name, in one transaction.
    case append([[UInt8]], files: [FileContent])
    /// The row at `after` without its body, and rows after it in the order of positions: at most `rowsMax`,
    /// and none after those that have `bytesMax` bytes together.
    case read(after: UInt64, rowsMax: Int, bytesMax: Int)
    /// Reads or writes the bytes of files. A list is that of missing files.
    case file(FileRequest)
}

/// The answer to a `HubQuery`.
package enum HubAnswer: Hashable, Sendable {
    case opened(HubSpace)
    /// `newest` was read before the dots, so `dots` has those of all rows up to it.
    case known(newest: HubPlace, dots: DotSet)
    /// Nil if no row has one of the dots.
    case first(UInt64?)
    /// The outcomes in the order of the bodies, and the newest position after the append.
    case appended([HubOutcome], newest: UInt64)
    /// The server's disk has no room, so nothing was appended; the sentence says so.
    case full(String)
    /// `anchor` is the dot of the row at `after`; nil if there is no such row.
    case rows(anchor: Dot?, [HubRow])
    case file(HubFileAnswer)
    /// The space cannot be opened, for this reason.
    case refused(String)
}
