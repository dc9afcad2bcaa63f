package import Dependents
package import NotesModel

/// The way from the engine to the connections. Called on the engine's thread, so it must not wait.
package protocol OutputSink: Sendable {
    /// What one turn of the engine has for the connections: one parcel a connection.
    func deliver(_ parcels: [Parcel])
    /// The same changes for many connections, behind what was delivered before. When their lines have left, each says `Input.drained`;
    /// until then it gets no more.
    func broadcast(_ delivered: RenderedBroadcast)
    /// Nothing can be promised any more: connections close without answers and the daemon ends with this message.
    func engineFailed(_ message: String)
}

/// Changes and all who are told them at once.
package struct RenderedBroadcast: Sendable {
    package let changes: RenderedChanges
    /// Of the newest.
    package let cursor: Cursor
    package let recipients: [Broadcast.Recipient]

    package init(changes: RenderedChanges, cursor: Cursor, recipients: [Broadcast.Recipient]) {
        self.changes = changes
        self.cursor = cursor
        self.recipients = recipients
    }
}

/// What one connection is to be written, in this order.
package struct Parcel: Sendable {
    package let dependent: DependentID
    package let answers: [NumberedResponse]
    /// Lines of its watches, most notices one. When they have left, the connection says `Input.drained`; until then it gets no more.
    package let notifications: [WatchNotification]
    /// Who is where, behind the lines of its watches; they count among those.
    package let presences: [PresenceLine]
    /// Whether a line that is due could not be made, since the store failed to read what it shows: the connection is closed after
    /// these, so that the client comes back with its cursor and nothing is skipped.
    package let isCutShort: Bool

    package init(
        dependent: DependentID, answers: [NumberedResponse], notifications: [WatchNotification], presences: [PresenceLine] = [], isCutShort: Bool
    ) {
        self.dependent = dependent
        self.answers = answers
        self.notifications = notifications
        self.presences = presences
        self.isCutShort = isCutShort
    }
}

package struct NumberedResponse: Sendable {
    package let requestNumber: UInt64
    package let answer: Response
}

/// A line of a watch, or several: its number in the watch, how far it brings the watch, and what it says.
package struct WatchNotification: Sendable {
    package let watch: WatchID
    package let number: UInt64
    package let cursor: Cursor
    package let event: Event

    package init(watch: WatchID, number: UInt64, cursor: Cursor, event: Event) {
        self.watch = watch
        self.number = number
        self.cursor = cursor
        self.event = event
    }

    package enum Event: Sendable {
        case changed(ChangeNotification)
        /// A line for each of them, numbered from the notice's number on.
        case changes(RenderedChanges)
        case synced
        case reset(ResetReason)
        case bookmark
    }
}

/// Changes that many dependents are told alike, in the order of their commits. Shared, never changed.
package final class RenderedChanges: Sendable {
    package let changes: [(cursor: Cursor, notification: ChangeNotification)]
    /// What they are counted as when parcels are filled, in bytes.
    let weight: Int

    package init(_ changes: [(cursor: Cursor, notification: ChangeNotification)]) {
        self.changes = changes
        weight = changes.reduce(0) { $0 + $1.notification.weight }
    }
}

package struct ChangeNotification: Sendable {
    package let kind: ChangeKind
    /// What the note shows at that commit; shared by all who are told of it, so that it is encoded once.
    package let state: NoteState
    package let include: WatchDetail
    /// With `include: edits`, the state that the dependent was brought to before; nil where there is nothing to build on.
    package let base: NoteState?
    /// How many changes the line stands for.
    package let coalesced: Int
    package let origin: Origin?
}

/// A note as it was shown after one commit. Shared, never changed; two of one note and sequence are the same.
package final class NoteState: Sendable {
    package let sequence: UInt64
    package let head: Head
    /// Nil where nobody who is told of it asked for the text.
    package let text: [UInt8]?
    /// What is open, with the sides, where the text is there too; otherwise empty.
    package let conflicts: [ConflictDetail]

    package init(sequence: UInt64, head: Head, text: [UInt8]?, conflicts: [ConflictDetail] = []) {
        self.sequence = sequence
        self.head = head
        self.text = text
        self.conflicts = conflicts
    }
}
