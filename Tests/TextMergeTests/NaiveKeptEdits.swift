@testable import TextMerge

/// A write's edits in terms of the kept sequence, found by trying: what `KeptEdits` is compared
/// with.
///
/// The kept sequence must become the wanted text, with an LF if the text has lines and the last one
/// is not terminated. The edits stay as they are, except that the last one may differ in the last
/// LF.
struct NaiveKeptEdits {
    /// The edits, and what they set the register of the last LF to.
    let result: (edits: [Edit], hidesLast: Bool?)

    init(_ event: Event, _ kept: [UInt8], _ hidesLast: Bool) {
        let lf = UInt8(ascii: "\n")
        let isShort = hidesLast && kept.last == lf
        let shown = isShort ? Array(kept.dropLast()) : kept
        guard let last = event.edits.last else {
            result = ([], nil)
            return
        }
        let wanted = event.edits.applied(to: shown)
        let isUnterminated = !wanted.isEmpty && wanted.last != lf
        // A write that does not touch the end leaves it as it is.
        let touchesEnd = last.end == shown.count
        let target = touchesEnd ? wanted + (isUnterminated ? [lf] : []) : wanted + (isShort ? [lf] : [])
        let end = kept.count
        // A write that only shows the hidden LF changes nothing in the sequence.
        var ways: [[Edit]] = isShort && last == Edit(start: shown.count, end: shown.count, replacement: [lf]) ? [[]] : []
        if event.origin == .found, touchesEnd {
            for replacement in [last.replacement + [lf], last.replacement] {
                ways.append([Edit(start: last.start, end: end, replacement: replacement)])
                ways.append([Edit(start: min(last.start + 1, end), end: end, replacement: Array(replacement.dropFirst()))])
            }
            ways.removeAll { !$0.isEmpty && !Self.isWholeLines($0[0], in: kept) }
        }
        // The hidden LF of an empty last line ends no line of the write.
        let isLastLineEmpty = isShort && (shown.last ?? lf) == lf
        if isLastLineEmpty, touchesEnd, !isUnterminated, last.replacement.last == lf {
            ways.append([Edit(start: last.start, end: end, replacement: last.replacement)])
        }
        ways += [
            [last],
            [Edit(start: last.start, end: last.end, replacement: Array(last.replacement.dropLast()))],
            [Edit(start: last.start, end: max(last.start, last.end - 1), replacement: last.replacement)],
            [Edit(start: last.start, end: end, replacement: last.replacement)],
            [last, Edit(start: end, end: end, replacement: [lf])],
        ]
        let lists = ways.map { (event.edits.dropLast() + $0).normalized() }
        guard var edits = lists.first(where: { $0.applied(to: kept) == target }) else {
            preconditionFailure("no way to make \(target) of \(kept) by \(event.edits)")
        }
        if event.origin == .stated { edits = edits.map { Self.asLines($0, in: kept) }.normalized() }
        let isSet = touchesEnd && !wanted.isEmpty && (isUnterminated != hidesLast || edits.last?.end == end)
        result = (edits, isSet ? isUnterminated : nil)
    }

    /// A line edit with the effect of the given edit, one byte farther right, if there is one; otherwise the
    /// edit itself.
    private static func asLines(_ edit: Edit, in text: [UInt8]) -> Edit {
        let lf = UInt8(ascii: "\n")
        let replacement = edit.replacement.isEmpty ? [] : edit.replacement.dropFirst() + [lf]
        let moved = Edit(start: edit.start + 1, end: edit.end + 1, replacement: [UInt8](replacement))
        guard edit.end < text.count, text[edit.end] == lf, !isWholeLines(edit, in: text) else { return edit }
        let target = [edit].applied(to: text)
        return isWholeLines(moved, in: text) && [moved].applied(to: text) == target ? moved : edit
    }

    static func isWholeLines(_ edit: Edit, in text: [UInt8]) -> Bool {
        let lf = UInt8(ascii: "\n")
        let removed = text[edit.start..<edit.end]
        return (edit.start == 0 || text[edit.start - 1] == lf) && removed.last ?? lf == lf && edit.replacement.last ?? lf == lf
    }
}
