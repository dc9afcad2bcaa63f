import TestKit
import Testing

@testable import TextMerge

/// The laws of lists of edits, compared with applying them one after the other.
@Suite struct EditAlgebraTests {
    // MARK: Composition

    @Test(arguments: seeds(400))
    func composition_appliesBothInOrder(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let a = randomText(&generator)
        let first = randomEdits(&generator, of: a)
        let b = first.applied(to: a)
        let second = randomEdits(&generator, of: b)
        let both = first.composed(with: second)
        #expect(both.fault(forLength: a.count) == nil, "seed \(seed)")
        #expect(both.applied(to: a) == second.applied(to: b), "seed \(seed)")
        #expect(both == both.normalized(), "seed \(seed)")
    }

    @Test(arguments: seeds(300))
    func composition_isAssociative_withIdentity(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var text = randomText(&generator)
        let a = text
        var lists: [[Edit]] = []
        for _ in 0..<3 {
            lists.append(randomEdits(&generator, of: text))
            text = lists[lists.count - 1].applied(to: text)
        }
        let left = lists[0].composed(with: lists[1]).composed(with: lists[2])
        let right = lists[0].composed(with: lists[1].composed(with: lists[2]))
        #expect(left.applied(to: a) == text && right.applied(to: a) == text, "seed \(seed)")
        #expect(lists[0].composed(with: []) == lists[0].normalized(), "seed \(seed)")
        #expect([].composed(with: lists[0]) == lists[0].normalized(), "seed \(seed)")
    }

    @Test func composition_dropsTextRemovedNext() {
        #expect([Edit(1, 2, "XY")].composed(with: [Edit(2, 3, "Z")]) == [Edit(1, 2, "XZ")])
        #expect([Edit(1, 1, "XY")].composed(with: [Edit(1, 3, "")]).isEmpty)
        #expect([Edit(1, 1, "XY")].composed(with: [Edit(0, 4, "")]) == [Edit(0, 2, "")])
        #expect([Edit(0, 1, "")].composed(with: [Edit(0, 0, "a")]) == [Edit(0, 1, "a")])
        #expect([Edit(2, 3, "")].composed(with: [Edit(1, 3, "")]) == [Edit(1, 4, "")])
        #expect([Edit(5, 6, "z")].composed(with: [Edit(0, 0, "a")]) == [Edit(0, 0, "a"), Edit(5, 6, "z")])
    }

    // MARK: Inversion

    @Test(arguments: seeds(400))
    func inversion_undoesTheEdits(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let a = randomText(&generator)
        let edits = randomEdits(&generator, of: a)
        let b = edits.applied(to: a)
        let back = edits.inverted(in: a)
        #expect(back.fault(forLength: b.count) == nil, "seed \(seed)")
        #expect(back.applied(to: b) == a, "seed \(seed)")
        #expect(back.inverted(in: b) == edits, "seed \(seed)")
        #expect(edits.composed(with: back).applied(to: a) == a, "seed \(seed)")
        #expect(back.composed(with: edits).applied(to: b) == b, "seed \(seed)")
    }

    @Test func inversion_restoresRemovedText() {
        #expect([Edit(1, 2, "XY")].inverted(in: bytes("abc")) == [Edit(1, 3, "b")])
        #expect([Edit(0, 1, ""), Edit(2, 2, "!")].inverted(in: bytes("abc")) == [Edit(0, 0, "a"), Edit(1, 2, "")])
    }

    // MARK: Transformation

    @Test(arguments: seeds(600))
    func transformation_convergesInBothOrders(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let a = randomText(&generator)
        let (one, other) = (randomEdits(&generator, of: a), randomEdits(&generator, of: a))
        let (b, c) = (one.applied(to: a), other.applied(to: a))
        for order in [InsertionOrder.before, .after] {
            let oneMoved = one.transformed(over: other, inserting: order)
            let otherMoved = other.transformed(over: one, inserting: order.opposite)
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

    // MARK: Together

    /// What an undo has to do: later changes stay, and if there are none, the text is as it was
    /// before.
    @Test(arguments: seeds(400))
    func undo_revertsOneEdit_andKeepsLaterOnes(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let a = randomText(&generator)
        let mine = randomEdits(&generator, of: a)
        let b = mine.applied(to: a)
        // Each byte that was inserted later differs from all others.
        let theirs = randomEdits(&generator, of: b, inserting: { [UInt8(0x80 + $0)] })
        let c = theirs.applied(to: b)
        let undo = mine.inverted(in: a).transformed(over: theirs, inserting: .before)
        #expect(undo.fault(forLength: c.count) == nil, "seed \(seed)")
        let d = undo.applied(to: c)
        #expect(d.filter { $0 >= 0x80 } == c.filter { $0 >= 0x80 }, "what came since is all there; seed \(seed)")
        #expect(mine.inverted(in: a).transformed(over: [], inserting: .before).applied(to: b) == a, "seed \(seed)")
        // If the other change only inserts, my change is gone, and what remains is the old text.
        if theirs.allSatisfy({ $0.start == $0.end }) { #expect(d.filter { $0 < 0x80 } == a, "seed \(seed)") }
    }

    @Test func undo_matchesTheWorkedExample() {
        let mine = [Edit(4, 4, "2 ")]
        let theirs = [Edit(5, 5, "!")]
        let undo = mine.inverted(in: bytes("one two")).transformed(over: theirs, inserting: .before)
        #expect(string(undo.applied(to: bytes("one 2! two"))) == "one !two")
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
        let lists = [
            (one.composed(with: edits(b, &generator)), a), (one.inverted(in: a), b),
            (other.transformed(over: one, inserting: .after), b),
        ]
        for (edits, text) in lists {
            for edit in edits {
                #expect(String(validating: edit.replacement, as: UTF8.self) != nil, "seed \(seed)")
                for offset in [edit.start, edit.end] {
                    #expect(offset == text.count || text[offset] & 0xC0 != 0x80, "seed \(seed)")
                }
            }
        }
    }

    @Test func longLists_takeLinearTime() {
        let a = [UInt8](repeating: 0, count: 400_000)
        let one = (0..<100_000).map { Edit(start: 4 * $0, end: 4 * $0 + 2, replacement: [1, 2, 3]) }
        let other = (0..<100_000).map { Edit(start: 4 * $0 + 1, end: 4 * $0 + 3, replacement: [4]) }
        let b = one.applied(to: a)
        #expect(one.composed(with: one.inverted(in: a)).applied(to: a) == a)
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

    private func randomEdits(
        _ generator: inout SeededGenerator, of text: [UInt8], inserting: ((Int) -> [UInt8])? = nil
    ) -> [Edit] {
        let cuts = (0..<2 * generator.below(5)).map { _ in generator.below(text.count + 1) }.sorted()
        return stride(from: 0, to: cuts.count, by: 2).map { index in
            let end = generator.chance(0.4) ? cuts[index] : cuts[index + 1]
            let replacement = (0..<generator.below(3)).map { _ in UInt8(generator.below(0x80)) }
            return Edit(start: cuts[index], end: end, replacement: inserting?(index) ?? replacement)
        }
    }
}
