import Causality
import ClientTestKit
import NoteText
import NotesModel
import NotesWire
import TextMerge

@testable import Browse
@testable import NoteTasks

/// A `Browser` with a store of notes in memory, whose time the test decides.
struct BrowserSession {
    var browser = Browser()
    var now = Duration.zero
    /// The requests of the newest event.
    private(set) var requests: [BrowserRequest] = []

    static let time = Timestamp(milliseconds: 1_763_000_000_000)

    static func utc(_ time: Timestamp) -> CalendarTime {
        let text = Array(TimestampText.text(time).utf8)
        func number(_ range: Range<Int>) -> Int { text[range].reduce(0) { $0 * 10 + Int($1) - 0x30 } }
        return CalendarTime(
            year: number(0..<4), month: number(5..<7), dayOfMonth: number(8..<10), hour: number(11..<13),
            minute: number(14..<16), second: number(17..<19))
    }

    mutating func send(_ event: BrowserEvent) { requests = browser.receive(event, at: now) }

    mutating func press(_ keys: Key...) { for key in keys { send(.key(key)) } }

    mutating func type(_ text: String) { for character in text { send(.key(.character(character))) } }

    /// Lets the time pass until nothing is due.
    mutating func rest() {
        var all: [BrowserRequest] = []
        while let deadline = browser.deadline {
            now = max(now, deadline)
            send(.clock)
            all += requests
        }
        requests = all
    }

    /// The generation of the newest list or search.
    var generation: Int? {
        for request in requests.reversed() {
            switch request {
            case .list(_, _, let generation), .search(_, _, _, let generation): return generation
            default: continue
            }
        }
        return nil
    }

    var grid: Grid {
        BrowserScreen.grid(browser, now: Self.time, local: Self.utc, hasColours: true)
    }

    static func head(
        _ number: UInt64, name: String? = nil, title: String = "", secondsAgo: Int64 = 0, isDeleted: Bool = false,
        counter: UInt64 = 1
    ) -> Head {
        Head(
            id: Canned.id(number), name: name.flatMap { try? NoteName(ByteString($0)) }, version: Canned.version(counter),
            vector: VersionVector(), title: ByteString(title), tags: [], created: time,
            modified: Timestamp(milliseconds: time.milliseconds - secondsAgo * 1_000), author: Author(user: "ada", label: "vim"),
            bytes: 5, isDeleted: isDeleted)
    }

    /// A watch line about a note.
    static func change(_ head: Head, _ word: ChangeWord = .edited) throws -> BrowserEvent {
        let line = EncodedChange(change: word, note: EncodedNote(NoteObject(head, conflicts: [])), changes: 1, origin: nil)
            .line(watch: 1, seq: 1, cursor: Canned.cursor(1))
        guard case .notification(.changed(let change)) = try ServerLine(parsing: line.dropLast()) else {
            throw ScriptedPeer.Silence(doing: "a change")
        }
        return .changed(change)
    }

    /// A history of three revisions.
    static func history(of note: NoteID) -> NoteHistory {
        let revisions = (1...3).reversed().map { number in
            RevisionSummary(
                dot: Dot(Canned.replica, number), parents: number == 1 ? Version([]) : Canned.version(number - 1),
                author: Author(user: "ada", label: "vim"), time: time, bytes: Int(number) * 10, isDeleted: false,
                name: try? NoteName("work/inbox"), isStated: false, isCompacted: false, withdraws: [], isWithdrawn: false,
                resolves: [], times: nil)
        }
        return NoteHistory(note: note, revisions: revisions)
    }

    /// A conflict between `side 1` and `side 2`.
    static func conflict(_ number: UInt64, _ range: Range<Int>) -> ConflictObject {
        let sides = (1...2).map { side in
            ConflictSide(
                dot: Dot(Canned.replica, 10 * number + side), author: Author(user: side == 1 ? "ada" : "bob", label: nil),
                modified: time, content: .text(Array("side \(side)\n".utf8)))
        }
        return ConflictObject(
            id: ConflictID(high: number << 32, low: 0), kind: .text, range: range,
            detail: ConflictObject.Detail(base: .text(Array("old\n".utf8)), sides: sides))
    }

    /// A note with two conflicts.
    static func inConflict(_ id: NoteID) -> NoteObject {
        var note = Canned.note(1, text: "side 1\nside 2\nsame\nside 1\nside 2\n", name: "work/inbox")
        note.head = Head(
            id: id, name: note.head.name, version: note.head.version, vector: note.head.vector, title: note.head.title, tags: [],
            created: time, modified: time, author: note.head.author, bytes: note.head.bytes, isDeleted: false)
        note.conflicts = [conflict(1, 0..<14), conflict(2, 19..<33)]
        return note
    }
}
