/// Transformed edits, compared with applying both lists at once.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzz(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
    var input = FuzzInput(data, size)
    let a = input.bytes(input.below(24))
    let letters = Array("XYZ\n".utf8)
    let one = input.edits(of: a.count, atMost: 5, inserting: letters)
    let other = input.edits(of: a.count, atMost: 5, inserting: letters)
    checkTransformation(a, one, other)
    return 0
}

private func checkTransformation(_ a: [UInt8], _ one: [Edit], _ other: [Edit]) {
    let (b, c) = (one.applied(to: a), other.applied(to: a))
    for (order, opposite) in [(InsertionOrder.before, InsertionOrder.after), (.after, .before)] {
        let oneMoved = one.transformed(over: other, inserting: order)
        let otherMoved = other.transformed(over: one, inserting: opposite)
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
