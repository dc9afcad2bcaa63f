package import NotesModel
package import NotesWire

/// An event that a watch delivers to its consumer.
///
/// On one connection, `started` comes first, then lines whose `seq` is 1, 2, 3 and so on. After a
/// loss, `interrupted` and another `started` separate the lines of the two connections. `seq` then
/// begins at 1 again, and no change is missed.
package enum WatchEvent: Sendable {
    /// The watch started or resumed.
    case started(WatchStart)
    /// A note changed.
    case changed(NoteChanged)
    /// The snapshot, or every change since the cursor, has been delivered.
    case synced(WatchMark)
    /// An idle watch has a newer cursor.
    case bookmark(WatchMark)
    /// The consumer was too slow. The changes since the last cursor follow, one for each note, then
    /// `synced`.
    case reset(WatchReset)
    /// A user moved in a note, or left it. All watches of a client get the event, whichever of them
    /// covers the note; it has no `seq`.
    ///
    /// After `interrupted` or `reset`, forget all presence. Users who are still there are reported
    /// again after the next `synced`.
    case presence(PresenceChanged)
    /// The connection was lost and the client is reconnecting.
    case interrupted(ClientError)
}

/// The position from which a watch continues.
package struct WatchStart: Hashable, Sendable {
    /// The position.
    package var cursor: Cursor
    /// Whether the daemon could not resume from the requested cursor, so that a full snapshot
    /// follows. Notes that are missing from the snapshot do not match the filter any more.
    package var isReset: Bool
    /// Whether the watch was already started on a connection that was lost.
    package var isResumed: Bool

    package init(cursor: Cursor, isReset: Bool, isResumed: Bool) {
        self.cursor = cursor
        self.isReset = isReset
        self.isResumed = isResumed
    }
}

extension WatchEvent {
    /// The number of the line that carried the event; nil if no numbered line did.
    package var seq: UInt64? {
        switch self {
        case .changed(let change): change.seq
        case .synced(let mark), .bookmark(let mark): mark.seq
        case .reset(let reset): reset.seq
        case .started, .presence, .interrupted: nil
        }
    }

    /// The position to resume from after the event has been handled; nil if the event does not
    /// change it.
    package var cursor: Cursor? {
        switch self {
        case .changed(let change): change.cursor
        case .synced(let mark), .bookmark(let mark): mark.cursor
        case .started(let start): start.cursor
        case .reset, .presence, .interrupted: nil
        }
    }
}
