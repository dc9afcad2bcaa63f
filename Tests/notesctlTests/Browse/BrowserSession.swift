import Causality
import ClientTestKit
import NotesModel
import NotesWire

@testable import notesctl

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
            case .list(_, let generation), .search(_, _, let generation): return generation
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
}
