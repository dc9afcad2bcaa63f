package import Causality

/// The number of a watch within its connection, from 1. It is never reused there.
package struct WatchID: Hashable, Comparable, Sendable {
    /// The number, as in the protocol.
    package let number: UInt64

    package init(_ number: UInt64) {
        self.number = number
    }

    package static func < (left: WatchID, right: WatchID) -> Bool {
        left.number < right.number
    }
}

/// The start of a watch.
package struct WatchNotes: Hashable, Sendable {
    /// The notes to watch.
    package var filter: Filter
    /// How much of a note each line contains.
    package var include: WatchDetail
    /// The cursor to resume from; nil starts at the newest commit, with a snapshot or without one.
    package var since: Cursor?
    /// Whether to start with a snapshot of the matching notes. Ignored if `since` is set.
    package var snapshot: Bool
    /// Whether to report the writes of the same connection.
    package var echo: Bool

    package init(
        filter: Filter = Filter(), include: WatchDetail = .meta, since: Cursor? = nil, snapshot: Bool = true,
        echo: Bool = true
    ) {
        self.filter = filter
        self.include = include
        self.since = since
        self.snapshot = snapshot
        self.echo = echo
    }
}

/// How much of a note a line contains. The raw value is the word on the wire.
package enum WatchDetail: String, Hashable, Sendable, CaseIterable {
    /// The metadata without the text.
    case meta
    /// The metadata and the text.
    case text
    /// The metadata, and the edits from the text that the client has; the text if there is none to
    /// build on.
    case edits
}

/// The publication of the note that a dependent's user has open.
package struct SetPresence: Hashable, Sendable {
    /// The position; nil removes the presence.
    package var place: Position?
    /// Whether the client expects no response. Of several such publications that wait, only the
    /// last valid one takes effect.
    package var isQuiet: Bool

    package init(_ place: Position?, isQuiet: Bool = false) {
        self.place = place
        self.isQuiet = isQuiet
    }

    /// A note that a user has open, and the selection in it, not yet checked against the note.
    package struct Position: Hashable, Sendable {
        /// The open note.
        package var note: NoteID
        /// The version that the user sees; nil if the client does not say.
        package var version: Version?
        /// The selection in the text of `version`, so set only if `version` is.
        package var selection: Selection?
        /// The unit of the selection's offsets, which is that of the session.
        package var encoding: PositionEncoding

        package init(
            note: NoteID, version: Version? = nil, selection: Selection? = nil, encoding: PositionEncoding = .utf8
        ) {
            self.note = note
            self.version = version
            self.selection = selection
            self.encoding = encoding
        }
    }
}

/// A range of a text, in the session's encoding. The range is empty at a text cursor.
package struct Selection: Hashable, Sendable {
    /// Offset of the first unit.
    package var start: Int
    /// Offset after the last unit.
    package var end: Int

    package init(start: Int, end: Int) {
        self.start = start
        self.end = end
    }
}
