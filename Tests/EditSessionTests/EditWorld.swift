import Causality
import EditSession
import NoteText
import NotesModel
import NotesWire
import TestKit
import TextMerge

/// Some people who edit one note, each with a session, and a connection to one daemon. The test decides
/// when a request reaches the daemon and when a line reaches a session.
struct EditWorld {
    struct Person {
        var session: EditSession
        /// The text that an editor shows which only applies what the session returns.
        var mirror: [UInt8]
        var requests: [EditAction] = []
        var lines: [EditEvent] = []
        var isConnected = true
        /// The version of the newest line of the watch.
        var watched: Version
        var notices: [EditNotice] = []
        var durable: Version?
        var drafts = 0
        var hasDraft = false
    }

    var daemon: OneNoteDaemon
    var people: [Person]
    var now = Duration.zero

    init(_ text: String, people count: Int) {
        daemon = OneNoteDaemon(text)
        let note = daemon.object()
        people = (0..<count).map { number in
            let session = EditSession(note, operations: ByteString("p\(number)"))
            return Person(session: session, mirror: session.text, watched: note.head.version)
        }
    }

    var texts: [String] { people.map { String(decoding: $0.session.text, as: UTF8.self) } }

    mutating func send(_ event: EditEvent, to person: Int) {
        if case .changed(let edits, _, _) = event { people[person].mirror = edits.applied(to: people[person].mirror) }
        for action in people[person].session.receive(event, at: now) {
            switch action {
            case .write, .read: people[person].requests.append(action)
            case .apply(let edits): people[person].mirror = edits.applied(to: people[person].mirror)
            case .tell(let notice): people[person].notices.append(notice)
            case .durable(let version): people[person].durable = version
            case .keepDraft: (people[person].drafts, people[person].hasDraft) = (people[person].drafts + 1, true)
            case .removeDraft: people[person].hasDraft = false
            case .presence: break
            }
        }
    }

    /// A person replaces a range of their text.
    mutating func type(_ range: Range<Int>, _ text: String, by person: Int, continues: Bool = false) {
        let edit = Edit(start: range.lowerBound, end: range.upperBound, replacement: Array(text.utf8))
        send(.changed([edit], caret: range.lowerBound + text.utf8.count, continues: continues), to: person)
    }

    /// A person turns their whole text into another one.
    mutating func become(_ text: String, by person: Int) {
        let old = people[person].session.text
        send(.changed(StatedDiff.edits(from: old, to: Array(text.utf8)), caret: 0, continues: false), to: person)
    }

    // MARK: The connection

    /// The daemon handles a person's oldest request, and its lines travel to all.
    mutating func serve(_ person: Int) {
        guard people[person].isConnected, !people[person].requests.isEmpty else { return }
        switch people[person].requests.removeFirst() {
        case .write(let number, let write):
            let (before, text) = (daemon.note.version, daemon.note.text)
            do throws(WireError) {
                let result = try daemon.write(write)
                people[person].lines.append(.written(number, result))
            } catch {
                people[person].lines.append(.refused(number, error))
            }
            if daemon.note.version != before { announce(over: text, from: before, besides: person) }
        case .read(let number, let read):
            do throws(WireError) {
                people[person].lines.append(.read(number, try daemon.read(read)))
            } catch {
                people[person].lines.append(.refused(number, error))
            }
        default: break
        }
    }

    /// A program without a session saves the whole text, based on a version.
    mutating func save(_ text: String, on base: Version) {
        let (version, old) = (daemon.note.version, daemon.note.text)
        let save = SaveNote(id: OneNoteDaemon.id, base: base, text: Array(text.utf8))
        guard (try? daemon.write(.save(save))) != nil, daemon.note.version != version else { return }
        announce(over: old, from: version, besides: nil)
    }

    mutating func announce(over text: [UInt8], from before: Version, besides writer: Int?) {
        let edits = OneNoteDaemon.positioned(TextDiff.edits(from: text, to: daemon.note.text))
        for person in people.indices where person != writer && people[person].isConnected {
            people[person].lines.append(.watched(daemon.object(.edits(base: before, edits))))
        }
    }

    /// A person's session receives the oldest line that the daemon sent.
    mutating func receive(_ person: Int) {
        guard people[person].isConnected, !people[person].lines.isEmpty else { return }
        send(people[person].lines.removeFirst(), to: person)
    }

    mutating func disconnect(_ person: Int) {
        guard people[person].isConnected else { return }
        people[person].isConnected = false
        (people[person].requests, people[person].lines) = ([], [])
        send(.disconnected, to: person)
    }

    mutating func connect(_ person: Int) {
        guard !people[person].isConnected else { return }
        people[person].isConnected = true
        send(.connected, to: person)
    }

    mutating func wait(_ time: Duration) {
        now += time
        for person in people.indices { if let at = people[person].session.deadline, at <= now { send(.clock, to: person) } }
    }

    /// Delivers everything until nothing is on the way. Returns false if that never happens.
    mutating func settle() -> Bool {
        for person in people.indices { connect(person) }
        for _ in 0..<2_000 {
            for person in people.indices {
                serve(person)
                receive(person)
            }
            wait(.milliseconds(200))
            let isQuiet = people.allSatisfy { $0.requests.isEmpty && $0.lines.isEmpty && $0.session.isSaved }
            if isQuiet, people.allSatisfy({ $0.session.version == daemon.note.version }) { return true }
        }
        return false
    }
}
