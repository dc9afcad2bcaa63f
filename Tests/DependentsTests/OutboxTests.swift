import NotesModel
import TestKit
import Testing

@testable import Dependents

@Suite struct OutboxTests {
    /// The same in the plainest way: a list, in order.
    private struct Plain {
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

    @Test(arguments: seeds(60)) func holdsWhatAPlainListHolds(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var world = World(notes: generator.pick([1, 3, 7, 40]))
        let movesMax = generator.pick([0, 1, 5, 1_000])
        var outbox = Outbox()
        var plain = Plain()
        for _ in 0..<300 {
            if generator.chance(0.6) {
                let change = world.commit(generator.below(world.ids.count))
                let note = CommittedNote(change)
                let after = NoteState(isDeleted: false, matches: false)
                if outbox.move(to: note, isOwn: false, after: after, movesMax: movesMax) != .moved {
                    outbox.append(Entry(note, isOwn: false, Passage(change, under: .all), isUntold: false))
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

    @Test func anEntryIsAsSmallAsItIsCounted() {
        #expect(Limits.entryBytes >= 4 * MemoryLayout<Entry>.stride)
        #expect(Limits.entryBytes >= 2 * MemoryLayout<CatchUp.Item>.stride)
    }

    @Test func recentCommitsForgetTheOldestAndSaySo() {
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
