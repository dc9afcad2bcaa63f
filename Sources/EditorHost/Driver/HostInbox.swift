import EditSession
import NotesModel
import NotesWire
import Synchronization

/// The events for an `EditorHost`, from its editor, tasks and signals.
///
/// While an editor does not read, nobody takes events. Then only the newest one about a note, or about a person,
/// waits besides the first few: the session reads what it missed.
package final class HostInbox: Sendable {
    let events: AsyncStream<Entry>
    private let continuation: AsyncStream<Entry>.Continuation
    private let subjects = Mutex<[Subject: Waiting]>([:])
    /// Called when a line of the editor was handled, so that its source can go on.
    private let lineHandled: @Sendable () -> Void

    /// Most events about one subject that wait, besides the newest.
    static let eventsMax = 8

    struct Entry: Sendable {
        let event: HostEvent
        fileprivate let subject: Subject?
    }

    /// A subject of events of which a newer one makes an older one superfluous.
    fileprivate enum Subject: Hashable {
        case note(EditorHost.Key)
        case person(DependentID, NoteID)
        case list

        init?(_ event: HostEvent) {
            switch event {
            case .noted(let key, _, .watched): self = .note(key)
            case .presence(let presence): self = .person(presence.dependent, presence.note)
            case .listed: self = .list
            default: return nil
            }
        }
    }

    private struct Waiting {
        var count = 0
        /// The newest event beyond `eventsMax`.
        var newest: HostEvent?
    }

    package init(lineHandled: @escaping @Sendable () -> Void) {
        (events, continuation) = AsyncStream.makeStream()
        self.lineHandled = lineHandled
    }

    /// Takes a line of the editor, without its line feed.
    package func put(line: [UInt8]) { put(.line(.line(line))) }

    /// Takes the end of the editor's input.
    package func putEnd() { put(.ended) }

    func put(_ event: HostEvent) {
        let subject = Subject(event)
        let isTaken = subject.map { subject in
            subjects.withLock { subjects in
                if subjects[subject, default: Waiting()].count >= Self.eventsMax {
                    subjects[subject]?.newest = subject == .list ? .listed(nil) : event
                    return false
                }
                subjects[subject, default: Waiting()].count += 1
                return true
            }
        }
        if isTaken ?? true { continuation.yield(Entry(event: event, subject: subject)) }
    }

    /// Makes room for another event: the host has handled this one.
    func handled(_ entry: Entry) {
        if case .line = entry.event { lineHandled() }
        guard let subject = entry.subject else { return }
        let next = subjects.withLock { subjects -> HostEvent? in
            subjects[subject]?.count -= 1
            guard subjects[subject]?.count == 0 else { return nil }
            return subjects.removeValue(forKey: subject)?.newest
        }
        if let next { put(next) }
    }
}
