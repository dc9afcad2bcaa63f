/// The line diff, and the small edits that clients receive: the text before the first NUL compared
/// with the text after it.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzz(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
    var input = FuzzInput(data, size)
    let all = input.all()
    let base = Array(all.prefix { $0 != 0 })
    let text = Array(all.dropFirst(base.count + 1))
    let areUTF8 = String(validating: base, as: UTF8.self) != nil && String(validating: text, as: UTF8.self) != nil
    checkEdits(base, text, areUTF8)
    checkHunks(Lines(base), Lines(text))
    if areUTF8 { checkSmallEdits(base, text) }
    return 0
}

private let lf = UInt8(ascii: "\n")

private func checkEdits(_ base: [UInt8], _ text: [UInt8], _ areUTF8: Bool) {
    let edits = LineDiff.edits(from: base, to: text)
    precondition(edits.fault(forLength: base.count) == nil && edits.applied(to: base) == text, "the edits give the text")
    precondition(edits == edits.normalized(), "no edit is empty, and none touch")
    precondition(edits == LineDiff.edits(from: base, to: text), "the diff is deterministic")
    for edit in edits {
        let atStart = edit.start == 0 || base[edit.start - 1] == lf
        let removed = base[edit.start..<edit.end]
        if atStart, removed.last ?? lf == lf, edit.replacement.last ?? lf == lf { continue }
        // Not whole lines: it includes a last line without LF, of the base or the text, and begins
        // where the two differ.
        precondition(edit == edits.last, "only the last hunk is not whole lines")
        precondition(edit.end == base.count, "an unterminated line is the last")
        precondition(base.last != lf || text.last != lf, "one of the two has an unterminated last line")
        let isCut = removed.first != edit.replacement.first || removed.first.map { $0 >= 0x80 } ?? true
        precondition(isCut || !areUTF8, "it begins where the two differ, or with a character of several bytes")
    }
}

private func checkHunks(_ old: Lines, _ new: Lines) {
    guard old.count * new.count <= 1_000 else { return }
    let hunks = LineDiff.hunks(old, new)
    var at = (old: 0, new: 0)
    for hunk in hunks {
        precondition(hunk.old.lowerBound - at.old == hunk.new.lowerBound - at.new, "both sides keep the same number of lines")
        precondition(at == (0, 0) || hunk.old.lowerBound > at.old, "a line separates two hunks")
        precondition(old[at.old..<hunk.old.lowerBound] == new[at.new..<hunk.new.lowerBound], "kept lines are equal")
        at = (hunk.old.upperBound, hunk.new.upperBound)
    }
    precondition(old[at.old..<old.count] == new[at.new..<new.count], "kept lines at the end are equal")
    let changed = hunks.reduce(0) { $0 + $1.old.count + $1.new.count }
    precondition(changed == old.count + new.count - 2 * commonLines(old, new), "no script of lines is shorter")
}

/// The number of lines of the longest common subsequence, by dynamic programming.
private func commonLines(_ old: Lines, _ new: Lines) -> Int {
    var row = [Int](repeating: 0, count: new.count + 1)
    for line in 0..<old.count {
        var diagonal = 0
        for index in 0..<new.count {
            let above = row[index + 1]
            row[index + 1] = old[line] == new[index] ? diagonal + 1 : max(above, row[index])
            diagonal = above
        }
    }
    return row[new.count]
}

private func checkSmallEdits(_ base: [UInt8], _ text: [UInt8]) {
    let edits = TextDiff.edits(from: base, to: text)
    precondition(edits.fault(forLength: base.count) == nil && edits.applied(to: base) == text, "the edits give the text")
    for edit in edits {
        precondition(edit.start < edit.end || !edit.replacement.isEmpty, "no edit is empty")
        precondition(String(validating: edit.replacement, as: UTF8.self) != nil, "no character of the text is split")
        for offset in [edit.start, edit.end] where offset < base.count {
            precondition(base[offset] & 0xC0 != 0x80, "no character of the base is split")
        }
    }
}
