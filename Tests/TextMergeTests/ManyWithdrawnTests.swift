import Causality
import TestKit
import Testing

@testable import TextMerge

/// One undo of many whole-text saves of the same lines.
@Suite struct ManyWithdrawnTests {
    /// The oracle compares every withdrawn revision with every later one.
    @Test(arguments: seeds(60))
    func undoOfManySaves_hasTheConflictsOfEveryPair(seed: UInt64) {
        var saves = Saves(seed: seed, lines: 5)
        var view = View(limits: saves.random.chance(0.5) ? .tiny : WalkLimits(), naming: .cheap)
        for _ in 0..<10 { saves.save() }
        let undo = saves.withdraw(saves.written.filter { _ in saves.random.chance(0.5) })
        if saves.random.chance(0.5) { saves.saveOnTheUndo() }
        let more = saves.written.filter { _ in saves.random.chance(0.3) }
        let again = saves.withdraw(more)
        saves.saveOnTheUndo()
        let redo = saves.withdraw([saves.random.chance(0.5) ? undo : again])
        let history = CheckedHistory(saves.events)
        var dots: Set<Dot> = []
        for event in saves.events {
            view.append(contentsOf: [event], holdsFloor: true)
            dots.insert(event.dot)
            guard event.isWithdrawal || saves.random.chance(0.3) else { continue }
            history.check(&view, holds: dots, "seed \(seed) with \(event.dot)")
        }
        for dot in [undo, again, redo] + saves.written.filter({ _ in saves.random.chance(0.3) }) {
            history.check(&view, at: Version(dot), "seed \(seed)")
        }
        view.walk?.checkInvariants()
    }

    /// Work, not time: twice the saves have four times the pairs, and twice the entries.
    @Test func undoOfManySaves_keepsOneEntryForEach() throws {
        let (small, large) = (try index(saves: 200), try index(saves: 400))
        func pairs(_ index: ConflictIndex) -> Int { index.fans.reduce(0) { $0 + $1.others.count { _ in true } } }
        #expect(pairs(large) > 3 * pairs(small))
        #expect(large.fans.count < 5 * small.fans.count / 2 && large.fans.count <= large.roles.count)
        for index in [small, large] {
            let words = index.fans.reduce(0) { $0 + Set($1.others.map { $0 / 64 }).count }
            #expect(words <= index.fans.count * (index.roles.count / 64 + 1))
            #expect(index.groups.count == 1)
        }
    }

    /// The conflicts after an undo of every other one of some saves.
    private func index(saves count: Int) throws -> ConflictIndex {
        var saves = Saves(seed: 1, lines: 8, writers: 1)
        for _ in 0..<count { saves.save() }
        _ = saves.withdraw(saves.written.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element))
        var view = View(naming: .cheap)
        view.append(contentsOf: saves.events, holdsFloor: true)
        return try #require(view.walk).conflictIndex
    }

    @Test(arguments: seeds(100))
    func sparseSet_isASet(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let range = random.pick([70, 500, 5_000])
        func some(_ random: inout SeededGenerator) -> Set<Int> {
            Set((0..<random.below(60)).map { _ in random.below(range) })
        }
        var (set, model) = (SparseSet(), Set<Int>())
        for _ in 0..<40 {
            let other = some(&random)
            let sparse = SparseSet(other)
            #expect(Array(sparse) == other.sorted() && sparse.first == other.min(), "seed \(seed)")
            #expect(Set(set.intersection(sparse)) == model.intersection(other), "seed \(seed)")
            #expect(Set(set.subtracting(sparse)) == model.subtracting(other), "seed \(seed)")
            let number = random.below(range)
            #expect(set.contains(number) == model.contains(number), "seed \(seed)")
            switch random.below(4) {
            case 0:
                set.formUnion(sparse)
                model.formUnion(other)
            case 1:
                set.subtract(sparse)
                model.subtract(other)
            case 2:
                set.insert(number)
                model.insert(number)
            default:
                set.remove(number)
                model.remove(number)
            }
            #expect(Array(set) == model.sorted() && set.isEmpty == model.isEmpty, "seed \(seed)")
            #expect(set == SparseSet(model), "seed \(seed)")
        }
    }
}

/// Writers who save whole texts in which they changed a line, mostly having seen all others.
private struct Saves {
    var random: SeededGenerator
    private(set) var events: [Event] = []
    /// The saves after the first.
    private(set) var written: [Dot] = []
    private let writers: Int
    private var lines: [Int]
    private var newest: Version

    init(seed: UInt64, lines count: Int, writers: Int = 2) {
        random = SeededGenerator(seed: seed)
        self.writers = writers
        lines = Array(repeating: 0, count: count)
        let first = Dot(ReplicaID(bits: 1), 1)
        newest = Version(first)
        events.append(Event(dot: first, parents: .nothing, edits: LineDiff.edits(from: [], to: text), origin: .found))
    }

    private var text: [UInt8] { lines.flatMap { bytes("line \($0)\n") } }

    private func dot(_ writer: Int) -> Dot { Dot(ReplicaID(bits: UInt64(writer + 2)), UInt64(events.count + 1)) }

    /// Saves the text with another line, and sometimes a concurrent one beside it.
    mutating func save() {
        let (old, before) = (text, lines)
        var made: [Dot] = []
        for writer in 0..<(writers > 1 && random.chance(0.2) ? 2 : 1) {
            lines = before
            let line = random.below(lines.count)
            lines[line] = events.count
            if random.chance(0.1) { lines.insert(events.count, at: line) }
            made.append(add(LineDiff.edits(from: old, to: text), by: writer))
        }
        // The lines of a merge are not known here, so the next writer continues without the other one.
        newest = Version(made[made.count - 1])
        written += made
    }

    /// Saves another first line on what the undo shows.
    mutating func saveOnTheUndo() {
        let shown = NaiveWalk(events).text
        let first = shown.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? shown.count
        written.append(add(LineDiff.edits(from: shown, to: bytes("saved \(events.count)\n") + shown[first...]), by: 0))
        newest = Version(written[written.count - 1])
    }

    private mutating func add(_ edits: [Edit], by writer: Int) -> Dot {
        let event = Event(dot: dot(writer), parents: newest, edits: edits, origin: .found)
        events.append(event)
        return event.dot
    }

    /// Withdraws revisions on top of everything.
    mutating func withdraw(_ dots: [Dot]) -> Dot {
        let heads = writers == 1 ? newest : Version(NaiveWalk(events).maximal(Set(events.map(\.dot))).sorted())
        let event = Event(dot: dot(0), parents: heads, edits: [], origin: .stated, withdraws: dots.sorted())
        events.append(event)
        newest = Version(event.dot)
        return event.dot
    }
}
