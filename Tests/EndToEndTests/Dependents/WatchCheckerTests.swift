import NotesModel
import NotesWire
import TestKit
import Testing

/// Tests of the watch checker: it finds no fault in correct lines, and every planted fault.
@Suite struct WatchCheckerTests {
    @Test func correctLines_haveNoFault() {
        for story in [WatchStory.followed, .reset, .cameAgain, .unechoed] { #expect(story.faults() == []) }
    }

    /// A planted fault and the rule that finds it.
    struct Planted: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let rule: WatchFault.Rule
        var story = WatchStory.followed
        let plant: @Sendable (inout WatchStory) -> Void

        init(
            _ name: String, _ rule: WatchFault.Rule, in story: WatchStory = .followed,
            plant: @escaping @Sendable (inout WatchStory) -> Void
        ) {
            testDescription = name
            self.rule = rule
            self.story = story
            self.plant = plant
        }
    }

    private static let sequences = [
        Planted("a line is dropped", .gap) { $0.lines.remove(at: 4) },
        Planted("a line is sent twice", .gap) { $0.lines.insert($0.lines[3], at: 4) },
        Planted("a wrong seq", .gap) { $0.lines[4].seq += 1 },
        Planted("a seq that starts again", .gap, in: .reset) { $0.lines[6].seq = 1 },
        Planted("a change is not sent", .newest) { story in
            story.lines.remove(at: 4)
            story = story.numbered()
        },
        Planted("the last change is not sent", .newest) { $0.lines.removeLast(2) },
        Planted("a change is sent again", .unique) { story in
            story.lines.insert(story.lines[3], at: 4)
            story = story.numbered()
        },
        Planted("a change is sent again after another", .order) { story in
            story.lines.insert(WatchStory.change(.snapshot, 1), at: 5)
            story = story.numbered()
        },
        Planted("two lines are swapped", .order) { story in
            story.lines.swapAt(3, 4)
            story = story.numbered()
        },
        Planted("two lines of a snapshot are swapped", .order) { story in
            story.lines.swapAt(0, 1)
            story = story.numbered()
        },
    ]

    private static let states = [
        Planted("a line of another note's commit", .state) { $0.lines[4].cursor = 5 },
        Planted("a commit that was never acknowledged", .state) { $0.lines[8].cursor = 10 },
        Planted("a cursor of another run", .state) { $0.lines[4].replica = Digest("another") },
        Planted("the text of an older state", .state) { $0.lines[4].change?.body = .text(bytes("text 3\n")) },
        Planted("the version of an older state", .state) { story in
            if let version = story.lines[0].change?.version { story.lines[3].change?.version = version }
        },
        Planted("a tombstone that is shown alive", .state) { $0.lines[5].change?.isDeleted = false },
        Planted("edits from another version", .body) {
            $0.lines[7] = WatchStory.change(.edited, 8, changes: 2, base: 1).with(seq: 8)
        },
        Planted("edits from a skipped version", .body) {
            $0.lines[7] = WatchStory.change(.edited, 8, changes: 2, base: 5).with(seq: 8)
        },
        Planted("edits that lead to another text", .body) { story in
            if case .edits(let base, _)? = story.lines[7].change?.body { story.lines[7].change?.body = .edits(base: base, []) }
        },
        Planted("edits that fit no text", .body) { story in
            guard case .edits(let base, _)? = story.lines[7].change?.body else { return }
            story.lines[7].change?.body = .edits(base: base, [PositionedEdit(start: 900, end: 901, text: [])])
        },
        Planted("no text", .body) { $0.lines[4].change?.body = .meta },
        Planted("a text that was not requested", .body) { $0.terms.include = .meta },
        Planted("edits that were not requested", .body) { $0.terms.include = .text },
    ]

    private static let counts = [
        Planted("more changes than there were", .coalesced) { $0.lines[7].change?.changes = 3 },
        Planted("fewer changes than there were", .coalesced) { $0.lines[7].change?.changes = 1 },
        Planted("several changes in a snapshot", .coalesced) { $0.lines[1].change?.changes = 2 },
        Planted("more changes than since the reset", .coalesced, in: .reset) { $0.lines[6].change?.changes = 3 },
        Planted("more changes than since the cursor", .coalesced, in: .cameAgain) { $0.resumed?.lines[1].change?.changes = 3 },
        Planted("own changes sent earlier are counted", .coalesced, in: .unechoed) { $0.lines[2].change?.changes = 2 },
        Planted("another's change", .origin) { $0.lines[4].change?.origin = 8 },
        Planted("nobody's change", .origin) { $0.lines[4].change?.origin = nil },
        Planted("edited instead of created", .word) { $0.lines[4].change?.word = .edited },
        Planted("edited instead of restored", .word) { $0.lines[6].change?.word = .edited },
        Planted("created instead of edited", .word) { $0.lines[3].change?.word = .created },
        Planted("a snapshot of a note already sent", .word) { $0.lines[3].change?.word = .snapshot },
        Planted("a note outside the filter", .filter) { $0.terms.ids = [noteID(1)] },
        Planted("an own write", .own, in: .unechoed) { story in
            story.lines.insert(WatchStory.change(.created, 4).withoutText, at: 3)
            story = story.numbered()
        },
    ]

    private static let cursors = [
        Planted("a bookmark goes back", .order) { $0.lines[9].cursor = 8 },
        Planted("a bookmark goes ahead", .order) { $0.lines[2].cursor = 4 },
        Planted("a bookmark passes a change", .overtaken) { story in
            story.lines.removeLast(3)
            story.lines.append(WatchStory.line(9, .bookmark).with(seq: 8))
        },
        Planted("synced passes a change", .overtaken, in: .reset) { story in
            story.lines.remove(at: 7)
            story = story.numbered()
        },
        Planted("a cursor passes a change, and the client resumes from it", .overtaken, in: .cameAgain) { story in
            story.resumed?.since = 9
            story.resumed?.lines = [WatchStory.line(9, .synced).with(seq: 1)]
        },
        Planted("a resumed watch receives what it already has", .unique, in: .cameAgain) { story in
            story.resumed?.lines.insert(WatchStory.change(.created, 4), at: 0)
            story = story.numbered()
        },
        Planted("a resumed watch misses a change", .newest, in: .cameAgain) { story in
            story.resumed?.lines.remove(at: 0)
            story = story.numbered()
        },
        Planted("synced twice", .mark) { $0.lines[9].event = .synced },
        Planted("never synced", .mark) { story in
            story.lines.remove(at: 2)
            story = story.numbered()
        },
        Planted("a bookmark during a catch-up", .mark) { $0.lines[2].event = .bookmark },
        Planted("nothing ends the catch-up after a reset", .mark, in: .reset) { story in
            story.lines.remove(at: 8)
            story = story.numbered()
        },
    ]

    private static let planted = sequences + states + counts + cursors

    @Test(arguments: planted) func plantedFault_isFound(planted: Planted) {
        var story = planted.story
        planted.plant(&story)
        let found = story.faults()
        #expect(found.contains { $0.rule == planted.rule }, "\(planted.testDescription): \(found)")
    }

    @Test func everyRule_failsForSomePlantedFault() {
        let rules = Set(Self.planted.map(\.rule))
        #expect(WatchFault.Rule.allCases.filter { !rules.contains($0) } == [])
    }
}

extension WatchLine {
    fileprivate func with(seq: UInt64) -> WatchLine {
        var line = self
        line.seq = seq
        return line
    }
}
