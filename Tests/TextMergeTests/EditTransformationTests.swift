import TestKit
import Testing

@testable import TextMerge

/// The laws of transformed edits, compared with applying both lists at once.
@Suite struct EditTransformationTests {
    @Test(arguments: seeds(600))
    func transformation_convergesInBothOrders(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let a = randomText(&generator)
        let (one, other) = (randomEdits(&generator, of: a), randomEdits(&generator, of: a))
        let (b, c) = (one.applied(to: a), other.applied(to: a))
        for (order, opposite) in [(InsertionOrder.before, InsertionOrder.after), (.after, .before)] {
            let oneMoved = one.transformed(over: other, inserting: order)
            let otherMoved = other.transformed(over: one, inserting: opposite)
            #expect(oneMoved.fault(forLength: c.count) == nil && otherMoved.fault(forLength: b.count) == nil, "seed \(seed)")
            #expect(otherMoved.applied(to: b) == oneMoved.applied(to: c), "seed \(seed)")
            #expect(oneMoved == oneMoved.normalized(), "seed \(seed)")
            #expect(oneMoved.applied(to: c) == together(a, one, other, order), "seed \(seed)")
        }
    }

    @Test(arguments: seeds(200))
    func transformation_overNoEdits_isIdentity(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let edits = randomEdits(&generator, of: randomText(&generator))
        for order in [InsertionOrder.before, .after] {
            #expect(edits.transformed(over: [], inserting: order) == edits.normalized(), "seed \(seed)")
            #expect([].transformed(over: edits, inserting: order).isEmpty, "seed \(seed)")
        }
    }

    @Test func transformation_keepsInsertionsOfBoth() {
        let (removal, inside) = ([Edit(1, 3, "")], [Edit(2, 2, "X")])
        #expect(removal.transformed(over: inside, inserting: .before) == [Edit(1, 2, ""), Edit(3, 4, "")])
        #expect(inside.transformed(over: removal, inserting: .after) == [Edit(1, 1, "X")])
        #expect([Edit(1, 3, "")].transformed(over: [Edit(2, 4, "")], inserting: .before) == [Edit(1, 2, "")])
        #expect([Edit(1, 3, "")].transformed(over: [Edit(0, 4, "")], inserting: .before).isEmpty)
    }

    @Test func transformation_ordersInsertionsAtOneOffset() {
        let (one, other) = ([Edit(1, 1, "x"), Edit(1, 1, "y")], [Edit(1, 2, "Z")])
        #expect(one.transformed(over: other, inserting: .before) == [Edit(1, 1, "xy")])
        #expect(one.transformed(over: other, inserting: .after) == [Edit(2, 2, "xy")])
        #expect(other.transformed(over: one, inserting: .after) == [Edit(3, 4, "Z")])
        #expect(other.transformed(over: one, inserting: .before) == [Edit(1, 1, "Z"), Edit(3, 4, "")])
    }

    @Test(arguments: seeds(200))
    func transformation_splitsNoCharacter(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let a = bytes((0..<generator.below(8)).map { _ in generator.pick(["a", "é", "€", "😀"]) }.joined())
        func edits(_ text: [UInt8], _ generator: inout SeededGenerator) -> [Edit] {
            let cuts = (0..<2 * generator.below(4)).map { _ in generator.boundary(in: text) }.sorted()
            return stride(from: 0, to: cuts.count, by: 2).map { Edit(cuts[$0], cuts[$0 + 1], generator.pick(["", "é", "è😁"])) }
        }
        let (one, other) = (edits(a, &generator), edits(a, &generator))
        let b = one.applied(to: a)
        let moved = other.transformed(over: one, inserting: .after)
        for edit in moved {
            #expect(String(validating: edit.replacement, as: UTF8.self) != nil, "seed \(seed)")
            for offset in [edit.start, edit.end] {
                #expect(offset == b.count || b[offset] & 0xC0 != 0x80, "seed \(seed)")
            }
        }
    }

    @Test func longLists_takeLinearTime() {
        let a = [UInt8](repeating: 0, count: 400_000)
        let one = (0..<100_000).map { Edit(start: 4 * $0, end: 4 * $0 + 2, replacement: [1, 2, 3]) }
        let other = (0..<100_000).map { Edit(start: 4 * $0 + 1, end: 4 * $0 + 3, replacement: [4]) }
        let b = one.applied(to: a)
        let moved = other.transformed(over: one, inserting: .after)
        #expect(moved.applied(to: b).count == 400_000 + 100_000)
    }

    // MARK: A plain implementation

    /// Both changes at once: at each offset the insertions, then the byte there, if neither removes
    /// it.
    private func together(_ text: [UInt8], _ one: [Edit], _ other: [Edit], _ order: InsertionOrder) -> [UInt8] {
        var result: [UInt8] = []
        let lists = order == .before ? [one, other] : [other, one]
        for offset in 0...text.count {
            for edits in lists { result += edits.filter { $0.start == offset }.flatMap(\.replacement) }
            let isRemoved = (one + other).contains { $0.start <= offset && offset < $0.end }
            if offset < text.count, !isRemoved { result.append(text[offset]) }
        }
        return result
    }

    private func randomText(_ generator: inout SeededGenerator) -> [UInt8] {
        (0..<generator.below(12)).map { _ in UInt8(generator.below(0x80)) }
    }

    private func randomEdits(_ generator: inout SeededGenerator, of text: [UInt8]) -> [Edit] {
        let cuts = (0..<2 * generator.below(5)).map { _ in generator.below(text.count + 1) }.sorted()
        return stride(from: 0, to: cuts.count, by: 2).map { index in
            let end = generator.chance(0.4) ? cuts[index] : cuts[index + 1]
            let replacement = (0..<generator.below(3)).map { _ in UInt8(generator.below(0x80)) }
            return Edit(start: cuts[index], end: end, replacement: replacement)
        }
    }
}
