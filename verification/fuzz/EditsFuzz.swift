/// The laws of lists of edits, compared with applying them one after the other.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzz(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
    var input = FuzzInput(data, size)
    let a = input.bytes(input.below(24))
    let letters = Array("XYZ\n".utf8)
    let first = input.edits(of: a.count, atMost: 5, inserting: letters)
    let b = first.applied(to: a)
    let second = input.edits(of: b.count, atMost: 5, inserting: letters)
    let c = second.applied(to: b)
    let third = input.edits(of: c.count, atMost: 3, inserting: letters)
    let other = input.edits(of: a.count, atMost: 5, inserting: letters)
    checkComposition(a, first, second, third)
    checkInversion(a, first)
    checkTransformation(a, first, other)
    checkUndo(a, first, second)
    return 0
}

private func checkComposition(_ a: [UInt8], _ first: [Edit], _ second: [Edit], _ third: [Edit]) {
    let b = first.applied(to: a)
    let c = second.applied(to: b)
    let both = first.composed(with: second)
    precondition(both.fault(forLength: a.count) == nil && both.applied(to: a) == c, "composing equals applying both")
    precondition(both == both.normalized(), "a composition is normalized")
    let right = first.composed(with: second.composed(with: third))
    precondition(both.composed(with: third).applied(to: a) == third.applied(to: c), "three lists by pairs from the left")
    precondition(right.applied(to: a) == third.applied(to: c), "three lists by pairs from the right")
}

private func checkInversion(_ a: [UInt8], _ edits: [Edit]) {
    let b = edits.applied(to: a)
    let back = edits.inverted(in: a)
    precondition(back.fault(forLength: b.count) == nil && back.applied(to: b) == a, "the inverse restores the text")
    precondition(back.inverted(in: b) == edits, "the inverse of the inverse is the list")
}

private func checkTransformation(_ a: [UInt8], _ one: [Edit], _ other: [Edit]) {
    let (b, c) = (one.applied(to: a), other.applied(to: a))
    for order in [InsertionOrder.before, .after] {
        let oneMoved = one.transformed(over: other, inserting: order)
        let otherMoved = other.transformed(over: one, inserting: order.opposite)
        precondition(oneMoved.fault(forLength: c.count) == nil && otherMoved.fault(forLength: b.count) == nil, "well-formed")
        precondition(oneMoved.applied(to: c) == otherMoved.applied(to: b), "both orders give one text")
        precondition(oneMoved.applied(to: c) == together(a, order == .before ? [one, other] : [other, one]), "the naive text")
    }
}

/// At each offset the insertions, then the byte at the offset, unless either removes it.
private func together(_ text: [UInt8], _ lists: [[Edit]]) -> [UInt8] {
    var result: [UInt8] = []
    for offset in 0...text.count {
        for edits in lists { result += edits.filter { $0.start == offset }.flatMap(\.replacement) }
        let isRemoved = lists.joined().contains { $0.start <= offset && offset < $0.end }
        if offset < text.count, !isRemoved { result.append(text[offset]) }
    }
    return result
}

private func checkUndo(_ a: [UInt8], _ mine: [Edit], _ theirs: [Edit]) {
    let c = theirs.applied(to: mine.applied(to: a))
    let undo = mine.inverted(in: a).transformed(over: theirs, inserting: .before)
    precondition(undo.fault(forLength: c.count) == nil, "an undo applies to the current text")
    let inserted = theirs.reduce(0) { $0 + $1.replacement.count }
    precondition(undo.applied(to: c).count >= inserted, "it keeps later insertions")
    if theirs.allSatisfy({ $0.start == $0.end }) {
        precondition(undo.applied(to: c).count == a.count + inserted, "it removes all own insertions")
    }
}
