import Causality
import NotesClient
import NotesModel
import NotesWire
import TestKit
import Testing
import TextMerge

extension EndToEnd {
    /// Two people who wrote one story at the same time, each keystroke on what its writer was shown.
    @Suite struct ConcurrentTraceTests {
        @Test func replayed_theStoryEndsAsItsWritersLeftIt_withoutAConflict() async throws {
            let trace = try ConcurrentTrace(await Fixture.unzipped("trace-concurrent-friendsforever.json.gz"))
            var events: [Event] = []
            try await DaemonProcess.run { daemon in
                let client = try await daemon.client("judge")
                let head = try await client.create(text: []).note.head
                let first = try #require(head.version.single)
                let keystrokes = Self.events(of: trace, after: first)
                try await within("the trace's end", seconds: 600) {
                    try await Self.replay(keystrokes.dropFirst(), on: head.id, RawConnection.registered(daemon.socket))
                }
                let shown = try await client.note(.id(head.id))
                #expect(shown.text == trace.end)
                #expect(shown.head.version == Version(keystrokes.suffix(1).map(\.dot)))
                #expect(shown.conflicts == [])
                await client.close()
                events = keystrokes
            }
            for seed in seeds(2) {
                var generator = SeededGenerator(seed: seed)
                let pages = Self.pages(of: events, &generator)
                #expect(Self.shown(inPages: pages) == trace.end, "seed \(seed)")
            }
        }

        /// The note's creation, then a revision for each keystroke. One daemon takes them all, so its dots can be foretold.
        private static func events(of trace: ConcurrentTrace, after first: Dot) -> [Event] {
            let made = Event(dot: first, parents: .nothing, edits: [], origin: .found)
            func dot(_ index: Int) -> Dot { Dot(first.replica, first.counter + 1 + UInt64(index)) }
            return [made]
                + trace.keystrokes.enumerated().map { index, keystroke in
                    let parents = keystroke.parents.isEmpty ? Version(first) : Version(keystroke.parents.map(dot))
                    return Event(dot: dot(index), parents: parents, edits: [keystroke.edit], origin: .stated)
                }
        }

        /// Many on their way at once.
        private static func replay(_ events: ArraySlice<Event>, on note: NoteID, _ connection: RawConnection) async throws {
            var rest = events
            while !rest.isEmpty {
                let batch = rest.prefix(200)
                rest = rest.dropFirst(batch.count)
                let lines = batch.flatMap { event in
                    let edits = event.edits.map { StatedEdit(start: $0.start, end: $0.end, text: $0.replacement) }
                    let params = EditParams(id: note, base: event.parents, edits: edits)
                    return Call.editNote(params).line(id: .integer(Int64(event.dot.counter)))
                }
                try await connection.send(lines)
                for event in batch {
                    guard case .result(_, let result) = try await connection.answer() else {
                        throw RawConnection.Ended(what: "the edit \(event.dot) was refused")
                    }
                    #expect(try OutcomeResult(reading: result).dot == event.dot)
                }
            }
        }

        // MARK: Somebody else who is given the same revisions

        /// In some order in which none comes before its parents, cut into pages of any length.
        private static func pages(of events: [Event], _ generator: inout SeededGenerator) -> [[Event]] {
            var waiting = [Int](repeating: 0, count: events.count)
            var children: [Dot: [Int]] = [:]
            for (index, event) in events.enumerated() {
                waiting[index] = event.parents.dots.count
                for parent in event.parents.dots { children[parent, default: []].append(index) }
            }
            var ready = events.indices.filter { waiting[$0] == 0 }
            var pages: [[Event]] = [[]]
            while !ready.isEmpty {
                let event = events[ready.remove(at: generator.below(ready.count))]
                if generator.chance(0.002) { pages.append([]) }
                pages[pages.count - 1].append(event)
                for child in children[event.dot] ?? [] {
                    waiting[child] -= 1
                    if waiting[child] == 0 { ready.append(child) }
                }
            }
            return pages
        }

        /// What the note shows one who took the revisions page by page, whichever others were still to come.
        private static func shown(inPages pages: [[Event]]) -> [UInt8] {
            var view = View(naming: ConflictNaming { Array($0.suffix(16)) })
            for page in pages { view.append(contentsOf: page, holdsFloor: true) }
            #expect(view.conflicts == [])
            return view.text
        }
    }
}
