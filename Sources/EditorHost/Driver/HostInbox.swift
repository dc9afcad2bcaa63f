import Console
import Dispatch
import EditSession
import Glibc
import NotesModel
import NotesWire
import Synchronization

/// The events for an `EditorHost`, from standard input, tasks and signals.
///
/// While an editor does not read, nobody takes events. Then only the newest one about a note, or about a person,
/// waits besides the first few: the session reads what it missed.
final class HostInbox: Sendable {
    let events: AsyncStream<Entry>
    private let continuation: AsyncStream<Entry>.Continuation
    private let subjects = Mutex<[Subject: Waiting]>([:])
    /// Lines that were read and not handled. While it is at its end, nobody reads the input.
    private let room = DispatchSemaphore(value: 0)

    /// Most lines of the editor that wait.
    static let linesMax = 256
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

        init?(_ event: HostEvent) {
            switch event {
            case .noted(let key, _, .watched): self = .note(key)
            case .presence(let presence): self = .person(presence.dependent, presence.note)
            default: return nil
            }
        }
    }

    private struct Waiting {
        var count = 0
        /// The newest event beyond `eventsMax`.
        var newest: HostEvent?
    }

    init() {
        (events, continuation) = AsyncStream.makeStream()
        // Dispatch traps on a semaphore that ends below the value that it began with.
        for _ in 0..<Self.linesMax { room.signal() }
    }

    func put(_ event: HostEvent) {
        let subject = Subject(event)
        let isTaken = subject.map { subject in
            subjects.withLock { subjects in
                if subjects[subject, default: Waiting()].count >= Self.eventsMax {
                    subjects[subject]?.newest = event
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
        if case .line = entry.event { room.signal() }
        guard let subject = entry.subject else { return }
        let next = subjects.withLock { subjects -> HostEvent? in
            subjects[subject]?.count -= 1
            guard subjects[subject]?.count == 0 else { return nil }
            return subjects.removeValue(forKey: subject)?.newest
        }
        if let next { put(next) }
    }

    /// Reads standard input on a thread of its own until it ends.
    func readInput() {
        DispatchQueue(label: "attach.input").async { [self] in
            var framer = LineFramer(lineBytesMax: AttachProtocol.lineBytesMax)
            var chunk = [UInt8](repeating: 0, count: 64 * 1_024)
            while true {
                let count = Glibc.read(STDIN_FILENO, &chunk, chunk.count)
                if count < 0 && errno == EINTR { continue }
                guard count > 0 else { return put(.ended) }
                framer.receive(Array(chunk[..<count]))
                while let event = framer.next() {
                    room.wait()
                    put(.line(event))
                }
            }
        }
    }

    /// Takes the signals that end the program as the end of the input.
    func takeSignals() -> [any DispatchSourceSignal] {
        // What was typed is saved although the editor reads no more.
        signal(SIGPIPE, SIG_IGN)
        return [SIGTERM, SIGINT, SIGHUP].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { [self] in put(.ended) }
            source.resume()
            return source
        }
    }
}
