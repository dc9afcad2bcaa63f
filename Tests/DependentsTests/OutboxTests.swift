import NotesModel
import TestKit
import Testing

@testable import Dependents

@Suite struct OutboxTests {
    /// A reference implementation: a list in order.
    private struct PlainOutbox {
        var entries: [(note: NoteID, to: UInt64, changes: Int)] = []

        mutating func changed(_ change: Change, movesMax: Int) {
            if let index = entries.lastIndex(where: { $0.note == change.note }), entries[index].changes <= movesMax {
                let entry = entries.remove(at: index)
                entries.append((change.note, change.sequence, entry.changes + 1))
            } else {
                entries.append((change.note, change.sequence, 1))
            }
        }
    }

    @Test(arguments: seeds(60)) func outbox_matchesPlainList(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var world = World(notes: generator.pick([1, 3, 7, 40]))
        let movesMax = generator.pick([0, 1, 5, 1_000])
        var outbox = Outbox()
        var plain = PlainOutbox()
        for _ in 0..<300 {
            if generator.chance(0.6) {
                let change = world.commit(generator.below(world.ids.count))
                let after = FilteredState(isDeleted: false, matches: false)
                if outbox.move(to: change, isOwn: false, after: after, movesMax: movesMax) != .moved {
                    outbox.append(OutboxEntry(change, isOwn: false, FilterTransition(change, under: .all), isPending: false))
                }
                plain.changed(change, movesMax: movesMax)
            } else {
                #expect(outbox.first?.to == plain.entries.first?.to, "seed \(seed)")
                let popped = outbox.popFirst()
                let expected = plain.entries.isEmpty ? nil : plain.entries.removeFirst()
                #expect(popped?.note == expected?.note, "seed \(seed)")
                #expect(popped?.to == expected?.to, "seed \(seed)")
                #expect(popped.map { Int($0.changes) } == expected?.changes, "seed \(seed)")
            }
            #expect(outbox.count == plain.entries.count, "seed \(seed)")
            #expect(outbox.isEmpty == plain.entries.isEmpty, "seed \(seed)")
        }
    }

    /// Some changes are not taken in, like those that a watch does not cover.
    @Test(arguments: seeds(60)) func outbox_matchesPlainList_withBatches(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var world = World(notes: generator.pick([2, 5, 12]))
        let movesMax = generator.pick([0, 1, 1_000])
        var outbox = Outbox()
        var plain = PlainOutbox()
        let after = FilteredState(isDeleted: false, matches: true)
        for _ in 0..<150 {
            let note = generator.below(world.ids.count)
            let isWaiting = plain.entries.contains { $0.note == world.ids[note] }
            switch generator.below(4) {
            case 0 where !isWaiting:
                let change = world.commit(note)
                #expect(outbox.move(to: change, isOwn: false, after: after, movesMax: movesMax) == .absent, "seed \(seed)")
            case 1 where !isWaiting:
                let change = world.commit(note)
                outbox.append(
                    OutboxEntry(change, isOwn: false, FilterTransition(change, under: .all), isPending: false))
                plain.changed(change, movesMax: movesMax)
            case 2:
                let before = world.newest
                var changes: [Change] = []
                for _ in 0...generator.below(3) { changes.append(world.commit(generator.below(world.ids.count))) }
                take(changes, after: before, movesMax: movesMax, &outbox)
                for change in changes { plain.changed(change, movesMax: movesMax) }
            default:
                if generator.chance(0.5), let changeBatch = outbox.takeChangeBatch() {
                    let taken = plain.entries.prefix(changeBatch.entries.count)
                    #expect(changeBatch.entries.map(\.to) == taken.map { $0.to }, "seed \(seed)")
                    plain.entries.removeFirst(taken.count)
                } else {
                    let popped = outbox.popFirst()
                    #expect(popped?.to == plain.entries.first?.to, "seed \(seed)")
                    if !plain.entries.isEmpty { plain.entries.removeFirst() }
                }
            }
            #expect(outbox.waiting.map(\.to) == plain.entries.map { $0.to }, "seed \(seed)")
            #expect(outbox.waiting.map { Int($0.changes) } == plain.entries.map { $0.changes }, "seed \(seed)")
            #expect(outbox.count == plain.entries.count, "seed \(seed)")
        }
    }

    /// Takes in a batch of changes as a watch that covers all of them does.
    private func take(_ changes: [Change], after before: UInt64, movesMax: Int, _ outbox: inout Outbox) {
        let transitions = changes.map { FilterTransition($0, under: .all) }
        if outbox.isDisjoint(from: changes.map(\.previous).filter { $0 <= before }.max() ?? 0) {
            outbox.post(ChangeBatch(of: changes, transitions, .all, DependentLimits(movesMax: movesMax)))
            return
        }
        for (change, transition) in zip(changes, transitions) {
            if outbox.move(to: change, isOwn: false, after: transition.after, movesMax: movesMax) != .moved {
                outbox.append(OutboxEntry(change, isOwn: false, transition, isPending: false))
            }
        }
    }

    @Test func entrySize_isWithinItsAccounting() {
        #expect(DependentLimits.entryBytes >= 4 * MemoryLayout<OutboxEntry>.stride)
        #expect(DependentLimits.entryBytes >= 2 * MemoryLayout<CatchUp.Item>.stride)
    }

    @Test func recentCommits_dropOldest_andReportIt() {
        var recent = RecentCommits(newest: 0)
        var world = World(notes: 1)
        let template = world.commit(0, by: 7)
        let count = UInt64(RecentCommits.commitsMax) + 10
        for sequence in 1...count {
            recent.record(
                Change(
                    sequence: sequence, previous: sequence - 1, before: nil, after: template.after, origin: template.origin))
        }
        #expect(recent.origin(of: 10) == nil)
        #expect(recent.origin(of: 11) == template.origin)
        #expect(recent.origin(of: count + 1) == nil)
        let near = recent.span(endingAt: count, after: count - 5)
        #expect(near.changes == 5)
        #expect(near.isAlone(DependentID(7)))
        #expect(!near.isAlone(DependentID(8)))
        let far = recent.span(endingAt: count, after: 0)
        #expect(!far.isWhole)
        #expect(!far.isAlone(DependentID(7)))
        #expect(far.changes >= RecentCommits.commitsMax)
    }
}
