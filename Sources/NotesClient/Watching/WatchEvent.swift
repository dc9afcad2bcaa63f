package import NotesModel
package import NotesWire

/// What a watch tells its consumer.
///
/// Over a life of one connection it is `started`, then lines whose `seq` rises by exactly 1 from 1. When the connection is lost
/// and made again, `interrupted` and a new `started` stand between the lines: `seq` begins anew, and nothing is missed.
package enum WatchEvent: Sendable {
    case started(WatchStart)
    case changed(NoteChanged)
    /// All that was there, or was missed, has been told.
    case synced(WatchMark)
    /// Nothing happened for a while; the cursor is newer than the last.
    case bookmark(WatchMark)
    /// The consumer was too slow. What changed since the last cursor follows, each note once, then `synced`.
    case reset(WatchReset)
    /// Where somebody is in a note. A client's watches are all told alike, whichever covers the note; it has no `seq`. Who was there
    /// before an `interrupted` or a `reset` is told again behind the next `synced`, if he is still.
    case presence(PresenceChanged)
    /// The connection is lost and is being made again.
    case interrupted(ClientError)
}

/// Where a watch goes on from.
package struct WatchStart: Hashable, Sendable {
    package var cursor: Cursor
    /// Whether the cursor that was asked for could not be gone on from, so that everything comes as a snapshot. Notes that are
    /// not in it are gone.
    package var isReset: Bool
    /// Whether this watch had started before, on a connection that was lost.
    package var isResumed: Bool

    package init(cursor: Cursor, isReset: Bool, isResumed: Bool) {
        self.cursor = cursor
        self.isReset = isReset
        self.isResumed = isResumed
    }
}

extension WatchEvent {
    /// Of the line that it came as; nil where it is no line.
    package var seq: UInt64? {
        switch self {
        case .changed(let change): change.seq
        case .synced(let mark), .bookmark(let mark): mark.seq
        case .reset(let reset): reset.seq
        case .started, .presence, .interrupted: nil
        }
    }

    /// What to go on from once the event is dealt with; nil where it does not move.
    package var cursor: Cursor? {
        switch self {
        case .changed(let change): change.cursor
        case .synced(let mark), .bookmark(let mark): mark.cursor
        case .started(let start): start.cursor
        case .reset, .presence, .interrupted: nil
        }
    }
}
