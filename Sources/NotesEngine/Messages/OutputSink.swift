package import Dependents
package import NotesModel

/// The output of the engine to the connections. Called on the engine's thread, so it must not
/// block.
package protocol OutputSink: Sendable {
    /// Delivers the output of one turn: one value for each connection.
    func deliver(_ outputs: [ConnectionOutput])
    /// Delivers the same changes to many connections, after everything delivered before. The sink
    /// reports `Input.broadcastWritten` when it has passed them to all connections, in one part or
    /// in several, and before that `Input.lagging` for each connection that does not accept all of
    /// its lines.
    func broadcast(_ changes: RenderedChanges, to recipients: [Broadcast.Recipient])
    /// Reports that the outcome of the last writes is unknown: all connections are closed without
    /// responses, and the daemon exits with this message.
    func engineFailed(_ message: String)
}

/// The output for one connection, written in the order of the properties.
package struct ConnectionOutput: Sendable {
    /// The connection.
    package let dependent: DependentID
    /// Responses to its requests with the numbers of these, in their order.
    package internal(set) var responses: [(requestNumber: UInt64, response: Response)]
    /// Lines of its watches; usually a notification is one line. The connection reports
    /// `Input.drained` when it has written them, and gets no more until then.
    package internal(set) var notifications: [WatchNotification]
    /// Presence lines, which follow the lines of the watches and count among them for `drained`.
    package internal(set) var presences: [PresenceLine]
    /// Whether a due line could not be built, since the store failed to read its contents. The
    /// connection is closed after these lines, so that the client resumes from its cursor and
    /// nothing is skipped.
    package internal(set) var isCutShort: Bool

    package init(
        dependent: DependentID, responses: [(requestNumber: UInt64, response: Response)] = [],
        notifications: [WatchNotification] = [], presences: [PresenceLine] = [], isCutShort: Bool = false
    ) {
        self.dependent = dependent
        self.responses = responses
        self.notifications = notifications
        self.presences = presences
        self.isCutShort = isCutShort
    }
}

/// One or more lines of a watch.
package struct WatchNotification: Sendable {
    /// The watch.
    package let watch: WatchID
    /// The number of the first line within the watch.
    package let number: UInt64
    /// The cursor after the lines.
    package let cursor: Cursor
    /// What the lines report.
    package let event: Event

    package init(watch: WatchID, number: UInt64, cursor: Cursor, event: Event) {
        self.watch = watch
        self.number = number
        self.cursor = cursor
        self.event = event
    }

    /// What the lines of a watch report.
    package enum Event: Sendable {
        /// A changed note.
        case changed(ChangeNotification)
        /// Shared changes: one line for each, numbered from the notification's number.
        case changes(RenderedChanges)
        /// The catch-up is complete.
        case synced
        /// Pending changes were dropped, and a new catch-up follows.
        case reset(ResetReason)
        /// A new cursor of an idle watch.
        case bookmark
        /// Revisions for a peer.
        case revisions(NumberedRevisionPage)
    }
}

/// Changes that many dependents receive in the same form, in the order of their commits. Shared and
/// immutable.
package final class RenderedChanges: Sendable {
    /// The changes, each with the cursor after it.
    package let changes: [(cursor: Cursor, notification: ChangeNotification)]
    /// The cursor after all changes.
    package let cursor: Cursor
    /// The size at which the output of a connection counts the changes, in bytes. A broadcast counts
    /// them once for each receiver until they are written.
    package let weight: Int

    package init(_ changes: [(cursor: Cursor, notification: ChangeNotification)], cursor: Cursor) {
        self.changes = changes
        self.cursor = cursor
        weight = changes.reduce(0) { $0 + $1.notification.weight }
    }
}

/// One changed note.
package struct ChangeNotification: Sendable {
    /// What happened to the note under the watch's filter.
    package let kind: ChangeKind
    /// The note at that commit. All dependents that receive it share it, so that it is encoded
    /// once.
    package let state: NoteState
    /// How much of the note the line contains.
    package let include: WatchDetail
    /// With `include: edits`, the state that the dependent received before; nil if there is none to
    /// build on.
    package let base: NoteState?
    /// The number of commits that the line covers.
    package let coalesced: Int
    /// The origin of the newest of these commits; nil if it is not known.
    package let origin: Origin?
}

/// A note after one commit. Shared and immutable; two instances with the same note and sequence are
/// equal.
package final class NoteState: Sendable {
    /// The commit.
    package let sequence: UInt64
    /// The metadata of the note.
    package let head: Head
    /// The text, UTF-8; nil if no receiver needs it.
    package let text: [UInt8]?
    /// The open conflicts with their sides, if the text is present; otherwise empty.
    package let conflicts: [ConflictDetail]

    package init(sequence: UInt64, head: Head, text: [UInt8]?, conflicts: [ConflictDetail] = []) {
        self.sequence = sequence
        self.head = head
        self.text = text
        self.conflicts = conflicts
    }
}
