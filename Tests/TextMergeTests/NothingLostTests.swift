import Causality
import TestKit
import Testing

@testable import TextMerge

/// Guarantee G2: every insertion is in the merged text, once, unless a write whose writer had seen
/// it removed it; what was removed in this way does not come back. Every insertion here differs
/// from all others, so each can be traced.
@Suite struct NothingLostTests {
    private struct Session {
        var events: [Event] = []
        var inserted: Set<[UInt8]> = []
        var removed: Set<[UInt8]> = []
    }

    private struct Shape {
        var writers: Int
        var stores: Int
    }

    @Test(arguments: seeds(25))
    func statedEdits_loseDoubleAndReviveNothing(seed: UInt64) {
        for shape in [Shape(writers: 2, stores: 1), Shape(writers: 5, stores: 1), Shape(writers: 6, stores: 3)] {
            check(session(seed, shape, saves: false), seed)
        }
    }

    @Test(arguments: seeds(25))
    func savedLines_loseDoubleAndReviveNothing(seed: UInt64) {
        for shape in [Shape(writers: 2, stores: 1), Shape(writers: 5, stores: 1), Shape(writers: 6, stores: 3)] {
            check(session(seed, shape, saves: true), seed)
        }
    }

    private func check(_ session: Session, _ seed: UInt64) {
        var view = View()
        view.append(contentsOf: session.events)
        let lines = Lines(view.text)
        var counts: [[UInt8]: Int] = [:]
        for line in 0..<lines.count { counts[Array(lines[line]), default: 0] += 1 }
        for line in session.inserted.subtracting(session.removed) {
            #expect(counts[line] == 1, "lost or doubled: \(string(line)) seed \(seed)")
        }
        for line in session.removed {
            #expect(counts[line] == nil, "brought back: \(string(line)) seed \(seed)")
        }
        #expect(counts.count == session.inserted.subtracting(session.removed).count, "seed \(seed)")
    }

    /// Numbered whole lines are added and removed, stated as ranges or saved as texts.
    private func session(_ seed: UInt64, _ shape: Shape, saves: Bool) -> Session {
        var generator = SeededGenerator(seed: seed)
        var session = Session()
        var stores = [Set<Dot>](repeating: [], count: shape.stores)
        var people = (0..<shape.writers).map { (store: $0 % shape.stores, version: Version.nothing, text: [UInt8]()) }
        for number in 0..<30 {
            let person = generator.below(people.count)
            let base = people[person].text
            let lines = Lines(base)
            let line = generator.below(lines.count + 1)
            let removes = lines.count > 0 && generator.chance(0.3)
            let end = removes ? min(lines.count, line + 1 + generator.below(2)) : line
            for gone in line..<max(line, end) { session.removed.insert(Array(lines[gone])) }
            let new = removes && generator.chance(0.5) ? [] : bytes("\(number)\n")
            if !new.isEmpty { session.inserted.insert(new) }
            let edit = Edit(start: lines.bounds[line], end: lines.bounds[max(line, end)], replacement: new)
            let text = [edit].applied(to: base)
            let dot = Dot(ReplicaID(bits: UInt64(person + 1)), UInt64(number + 1))
            session.events.append(
                Event(
                    dot: dot, parents: people[person].version, edits: saves ? LineDiff.edits(from: base, to: text) : [edit],
                    origin: saves ? .found : .stated))
            stores[people[person].store].insert(dot)
            (people[person].version, people[person].text) = (Version(dot), text)
            if generator.chance(0.6) {
                let held = stores[people[person].store]
                var view = View()
                view.append(contentsOf: session.events.filter { held.contains($0.dot) })
                (people[person].version, people[person].text) = (view.version, view.text)
            }
            if shape.stores > 1, generator.chance(0.2) {
                let store = generator.below(shape.stores)
                stores[store].formUnion(stores[(store + 1) % shape.stores])
            }
        }
        return session
    }
}
