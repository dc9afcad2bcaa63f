import Causality
import EditSession
import NoteText
import NotesModel
import NotesWire
import SessionTestKit
import TestKit
import Testing
import TextMerge

/// Some people who edit one note, each with a session, and a connection to one daemon. The test decides
/// when a request reaches the daemon and when a line reaches a session.
struct EditWorld {
    struct Person {
        var session: EditSession
        /// The text that an editor shows which only applies what the session returns.
        var mirror: [UInt8]
        var editor = RemoteEditor()
        var requests: [EditAction] = []
        var lines: [EditEvent] = []
        var isConnected = true
        /// The version of the newest line of the watch.
        var watched: Version
        var notices: [EditNotice] = []
        var durable: Version?
        var drafts = 0
        var hasDraft = false

        var words: Set<String> {
            Set(String(decoding: mirror, as: UTF8.self).split { " \n".contains($0) }.map(String.init))
        }
    }

    var daemon: OneNoteDaemon
    var people: [Person]
    var now = Duration.zero

    /// - Parameter areRemote: whether the editors are behind a pipe of their own.
    init(_ text: String, people count: Int, areRemote: Bool = false) {
        daemon = OneNoteDaemon(text)
        let note = daemon.object()
        people = (0..<count).map { number in
            let session = EditSession(note, operations: ByteString("p\(number)"), isRemote: areRemote)
            return Person(session: session, mirror: session.text, watched: note.head.version)
        }
    }

    var texts: [String] { people.map { String(decoding: $0.session.text, as: UTF8.self) } }

    /// A person does something in their editor.
    mutating func send(_ event: EditEvent, to person: Int) {
        if case .changed(let edits, let caret, _, _) = event {
            people[person].editor.caret = caret
            people[person].mirror = edits.applied(to: people[person].mirror)
            people[person].editor.changes += 1
        }
        guard people[person].session.isRemote else { return give(event, to: person) }
        people[person].editor.sent.append((event, people[person].mirror.count))
    }

    /// A person's session receives an event.
    mutating func give(_ event: EditEvent, to person: Int) {
        for action in people[person].session.receive(event, at: now) {
            switch action {
            case .write, .read: people[person].requests.append(action)
            case .apply(let edits): people[person].mirror = edits.applied(to: people[person].mirror)
            case .tell(let notice): people[person].notices.append(notice)
            case .durable(let version): people[person].durable = version
            case .keepDraft: (people[person].drafts, people[person].hasDraft) = (people[person].drafts + 1, true)
            case .removeDraft: people[person].hasDraft = false
            case .offer(let offer): people[person].editor.offers.append(offer)
            case .saved(let changes, _, let version):
                #expect(changes >= people[person].editor.saved && daemon.note.knows(version))
                people[person].editor.saved = changes
            case .fault(let fault): people[person].editor.faults.append("\(fault)")
            case .presence: break
            }
        }
    }

    /// The caret in the text that a person's editor shows.
    func caret(of person: Int) -> Int {
        people[person].session.isRemote ? people[person].editor.caret : people[person].session.caret
    }

    /// A person replaces a range of their text.
    mutating func type(_ range: Range<Int>, _ text: String, by person: Int, continues: Bool = false) {
        let edit = Edit(start: range.lowerBound, end: range.upperBound, replacement: Array(text.utf8))
        send(.changed([edit], caret: range.lowerBound + text.utf8.count, continues: continues), to: person)
    }

    /// A person turns their whole text into another one.
    mutating func become(_ text: String, by person: Int) {
        let old = people[person].mirror
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
        give(people[person].lines.removeFirst(), to: person)
    }

    mutating func disconnect(_ person: Int) {
        guard people[person].isConnected else { return }
        people[person].isConnected = false
        (people[person].requests, people[person].lines) = ([], [])
        give(.disconnected, to: person)
    }

    mutating func connect(_ person: Int) {
        guard !people[person].isConnected else { return }
        people[person].isConnected = true
        give(.connected, to: person)
    }

    mutating func wait(_ time: Duration) {
        now += time
        for person in people.indices { if let at = people[person].session.deadline, at <= now { give(.clock, to: person) } }
    }

    /// Delivers everything until nothing is on the way. Returns false if that never happens.
    mutating func settle() -> Bool {
        for person in people.indices {
            connect(person)
            if people[person].editor.isBusy { becomeReady(person) }
        }
        for _ in 0..<2_000 {
            for person in people.indices {
                serve(person)
                receive(person)
                hear(person)
                look(person)
            }
            wait(.milliseconds(200))
            let isQuiet = people.allSatisfy {
                $0.requests.isEmpty && $0.lines.isEmpty && $0.session.isSaved && $0.editor.sent.isEmpty
                    && $0.editor.offers.isEmpty && $0.session.offer == nil
            }
            if isQuiet, people.allSatisfy({ $0.session.version == daemon.note.version }) { return true }
        }
        return false
    }
}
