import Causality
import NotesModel
import NotesWire
import Synchronization

/// The events that tasks hand to the thread of `browse`.
///
/// While an editor runs, nobody takes events. From `eventsMax` on, the inbox combines changes, and if
/// that is not enough, it drops them and has the list read again.
final class BrowserInbox: Sendable {
    private struct State {
        var events: [BrowserEvent] = []
        var end: (any Error)?
        /// The connection's number in the newest `connected`.
        var own: DependentID?
    }

    private let state = Mutex(State())

    /// Events from which on the inbox combines changes.
    static let eventsMax = 4_096

    func put(_ event: BrowserEvent) {
        state.withLock { state in
            if case .connected(let own, _, _) = event { state.own = own }
            state.events.append(event)
            if state.events.count >= Self.eventsMax { state.events = Self.combined(state.events, own: state.own) }
        }
        BrowseTerminal.wake()
    }

    /// Ends the program with an error.
    func end(_ error: any Error) {
        state.withLock { $0.end = error }
        BrowseTerminal.wake()
    }

    /// Takes all events.
    ///
    /// - Throws: the error that ends the program.
    func take() throws -> [BrowserEvent] {
        let state = state.withLock { state in
            defer { state.events = [] }
            return state
        }
        if let end = state.end { throw end }
        return state.events
    }

    // MARK: Limits

    /// The subject of an event that a newer event about the same subject makes superfluous.
    private enum Subject: Hashable {
        case change(NoteID)
        case text(NoteID)
        case edits(NoteID)
        case dependent(DependentID)

        init?(_ event: BrowserEvent) {
            switch event {
            case .changed(let change): self = .change(change.note.id)
            case .shown(let note): self = note.text == nil ? .edits(note.head.id) : .text(note.head.id)
            case .presence(let presence): self = .dependent(presence.dependent)
            default: return nil
            }
        }
    }

    /// Whether a change says more than the note's newest state: it changes the number of notes.
    private static func counts(_ event: BrowserEvent) -> Bool {
        guard case .changed(let change) = event else { return false }
        return switch change.change {
        case .created, .deleted, .restored, .left: true
        case .snapshot, .edited, .conflicted, .resolved: false
        }
    }

    /// The events without those that newer ones make superfluous. If more than half of `eventsMax` are
    /// left, changes and presence go, and the list is read again.
    ///
    /// - Complexity: O(events).
    private static func combined(_ events: [BrowserEvent], own: DependentID?) -> [BrowserEvent] {
        var seen: Set<Subject> = []
        var kept: [BrowserEvent] = []
        for event in events.reversed() {
            if let subject = Subject(event), !seen.insert(subject).inserted, !counts(event) { continue }
            kept.append(event)
        }
        kept.reverse()
        guard kept.count > eventsMax / 2 else { return kept }
        kept.removeAll { if case .changed = $0 { true } else if case .presence = $0 { true } else { false } }
        return kept + [.connected(own: own, isReset: true)]
    }
}
