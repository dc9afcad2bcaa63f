/// Why a list of edits does not speak about a text, with the place in the list (from 0).
package enum EditFault: Error, Hashable, Sendable {
    /// The edit starts before the one before it ends.
    case overlapsPrevious(index: Int)
    /// The edit ends past the text's last byte.
    case pastEnd(index: Int)
}

extension Array where Element == Edit {
    /// What keeps the list from speaking about a text of `length` bytes; nil where nothing does.
    ///
    /// Well-formed is: ranges ascend, do not overlap, and lie inside the text. That they lie on character boundaries is for
    /// the caller to see to, who has the text.
    /// - Complexity: O(edits).
    package func fault(forLength length: Int) -> EditFault? {
        var previousEnd = 0
        for (index, edit) in enumerated() {
            guard edit.start >= previousEnd else { return .overlapsPrevious(index: index) }
            guard edit.end <= length else { return .pastEnd(index: index) }
            previousEnd = edit.end
        }
        return nil
    }

    /// The text with all the edits made.
    ///
    /// - Precondition: `fault(forLength: text.count)` is nil.
    /// - Complexity: O(text + edits).
    package func applied(to text: [UInt8]) -> [UInt8] {
        precondition(fault(forLength: text.count) == nil, "the edits speak about another text")
        var result: [UInt8] = []
        result.reserveCapacity(text.count + reduce(0) { $0 + $1.growth })
        var copied = 0
        for edit in self {
            result += text[copied..<edit.start]
            result += edit.replacement
            copied = edit.end
        }
        result += text[copied...]
        return result
    }

    /// The same change of the same text in the fewest edits: those that change nothing left out, those that touch as one.
    ///
    /// The text that it gives is the same, and so is the walk that it makes.
    /// - Precondition: well-formed.
    /// - Complexity: O(edits and their bytes).
    package func normalized() -> [Edit] {
        var result: [Edit] = []
        for edit in self where edit.start < edit.end || !edit.replacement.isEmpty {
            if let last = result.indices.last, result[last].end == edit.start {
                result[last] = Edit(
                    start: result[last].start, end: edit.end, replacement: result[last].replacement + edit.replacement)
            } else {
                result.append(edit)
            }
        }
        return result
    }
}
