import Causality
import ClientTestKit
import EditSession
import NoteTasks
import NoteText
import NotesModel
import NotesWire
import TestKit
import Testing

@testable import Browse

/// Random bytes of a terminal, random sizes and random responses, through the key machine, the browser,
/// the screen and the difference of screens, to a naive terminal.
struct BrowserFuzzTests {
    /// A daemon with a few notes that responds to each request, in any order, and to writes at random.
    private struct CarelessDaemon {
        private static let texts = [
            "# One\n- oat milk [[n2]] #tea\n", "", "漢字 e\u{301} 👩‍👩‍👧 ❤\u{FE0F}\n\tx\u{1B}[2J\u{202E}y\r\n",
            String(repeating: "a long line of words ", count: 30) + "\n\n\n[[n1]] [[nothing]]",
        ]
        private var counter: UInt64 = 10
        private var asked: [BrowserRequest] = []

        mutating func take(_ requests: [BrowserRequest]) {
            asked += requests
            if asked.count > 20 { asked.removeFirst(asked.count - 20) }
        }

        private func head(_ number: UInt64) -> Head {
            let names = ["n1", "日記/十一月", "e\u{301}moji 👩‍👩‍👧", "x\u{1B}"]
            return BrowserSession.head(
                number, name: number % 3 == 0 ? nil : names[Int(number) % 4], title: "A title \u{202E}漢", counter: number)
        }

        private func note(_ id: NoteID) -> NoteObject {
            let number = (1...8).first { Canned.id($0) == id } ?? 1
            return NoteObject(
                head(number), body: .text(Array(Self.texts[Int(number) % Self.texts.count].utf8)), conflicts: [])
        }

        /// The response to one of the requests; nil if there is none.
        mutating func answer(_ random: inout SeededGenerator) throws -> BrowserEvent? {
            guard !asked.isEmpty else { return nil }
            let heads = (0..<random.below(9)).map { head(UInt64($0 + 1)) }
            switch asked.remove(at: random.below(asked.count)) {
            case .list(let place, _, let generation):
                let next = random.chance(0.5) ? ListPlace.newest(before: 7) : nil
                return .listed(heads, next: next, isFirst: place == .newest(before: nil), generation: generation)
            case .search(_, _, let after, let generation):
                return random.chance(0.2)
                    ? .failed("the index is being built", isTemporary: random.chance(0.5), generation: generation)
                    : .found(heads, next: nil, isFirst: after == nil, generation: generation)
            case .count: return .counted(random.below(200_000))
            case .watch(let note?): return .shown(self.note(note))
            case .history(let note): return .history(BrowserSession.history(of: note))
            case .difference(_, let revision):
                let lines = UnifiedDiff.lines(from: Array("a\n".utf8), to: Array("b\u{1B}\n漢".utf8), names: ("a", "b"))
                return .difference(lines, of: revision.dot)
            case .links(let note):
                let items = heads.map { (Link(kind: .wiki, range: 0..<1, target: "x\u{1B}"), Optional($0)) }
                return .links(NoteLinks(note: note, outgoing: items, incoming: [], hasMore: false))
            case .resolveLink(let target, let from): return .linkResolved(target, from: from, heads.first)
            case .tags: return .tags(heads.map { TagCount(tag: ByteString("t\($0.id)"), notes: 1) })
            case .conflicts(let note): return .conflicts(BrowserSession.inConflict(note))
            case .write(let note, let number, let write):
                guard random.chance(0.8) else {
                    return .session(note, .refused(number, WireError(.invalidParams, "no")))
                }
                counter += 1
                if case .undo = write, random.chance(0.5) { return .session(note, .read(number, self.note(note))) }
                return .session(note, .written(number, Canned.saved(counter)))
            case .read(let note, let number, _): return .session(note, .read(number, self.note(note)))
            case .create: return .created(head(8))
            case .delete(let head):
                var gone = head
                gone.isDeleted = true
                return try BrowserSession.change(gone, .deleted)
            case .edit(let note): return try BrowserSession.change(self.note(note).head)
            case .keepDraft, .undo, .rename, .resolve, .resolveInEditor, .openFile: return .ended("done \u{1B}[2J 漢")
            case .watch, .presence, .removeDraft, .resumeDraft, .findDrafts, .suspend, .quit: return .clock
            }
        }
    }

    /// Bytes as people and terminals send them, most of them keys that do something.
    private func bytes(_ random: inout SeededGenerator) -> [UInt8] {
        let parts = [
            "\r", "\t", "\u{1B}[Z", "\u{1B}[A", "\u{1B}[B", "\u{1B}[C", "\u{1B}[D", "\u{1B}[5~", "\u{1B}[6~", "\u{1B}[H",
            "\u{1B}[F", "\u{1B}[3~", "\u{1B}[1;5C", "\u{1B}[1;5D", "\u{7F}", "\u{1B}", "\u{1B}[200~a\u{1B}[2J\r\n漢\u{1B}[201~",
            "\u{1B}[<0;40;3M", "\u{1B}[<0;3;2M", "\u{1B}[<64;40;3M", "\u{1B}[<65;3;2M", "oat", "漢", "é", "e\u{301}",
            "👩‍👩‍👧", "\u{202E}", "?", "/", "h", "l", "c", "t", "n", "r", "d", "u", "e", "f", "1", "2", "b", " ", "\"",
        ]
        switch random.below(12) {
        case 0: return [UInt8(random.below(256))]
        // A key with Ctrl.
        case 1, 2: return [UInt8(1 + random.below(26))]
        default: return Array(random.pick(parts).utf8)
        }
    }

    @Test(arguments: seeds(16))
    func anyBytes_leaveTheScreenThatTheTerminalShows(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var session = BrowserSession()
        var (daemon, keys) = (CarelessDaemon(), KeyMachine())
        var (size, drawn) = ((columns: 80, rows: 12), Grid?.none)
        var terminal = ScreenEmulator(columns: size.columns, rows: size.rows)
        session.send(.resized(columns: size.columns, rows: size.rows))
        for step in 0..<60 {
            session.now += .milliseconds(random.below(60))
            var events: [BrowserEvent] = [.clock]
            switch random.below(20) {
            case 0:
                size =
                    random.chance(0.3)
                    ? (1 + random.below(12), 1 + random.below(6)) : (20 + random.below(80), 4 + random.below(12))
                (drawn, terminal) = (nil, ScreenEmulator(columns: size.columns, rows: size.rows))
                events = [.resized(columns: size.columns, rows: size.rows)]
            case 1: events = [.disconnected]
            case 2, 3: events = [.connected(own: DependentID(1), isReset: random.chance(0.3))]
            case 4...11: if let event = try daemon.answer(&random) { events = [event] }
            default:
                events = keys.receive(bytes(&random), at: session.now).map(BrowserEvent.key)
                if let key = keys.pass(to: session.now + .milliseconds(random.below(50))) { events.append(.key(key)) }
            }
            for event in events + [.clock] {
                session.send(event)
                daemon.take(session.requests)
            }
            func place() -> Comment { "seed \(seed), step \(step): \(events)" }
            let grid = session.grid
            #expect((grid.columns, grid.rows) == size, place())
            terminal.write(GridDifference.bytes(from: drawn, to: grid))
            let mistakes = terminal.mistakes(showing: grid)
            #expect(mistakes.isEmpty, "\(place()): \(mistakes.prefix(3))")
            drawn = grid
            guard let edited = session.browser.session, let pane = session.browser.pane else { continue }
            #expect(pane.note.head.isDeleted || pane.note.text == edited.text, place())
            #expect((0...edited.text.count).contains(edited.caret), place())
        }
    }
}
