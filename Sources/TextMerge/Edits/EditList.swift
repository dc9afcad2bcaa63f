/// Why a list of edits does not fit a text. The index, from 0, is that of the first edit at fault.
package enum EditFault: Error, Hashable, Sendable {
    /// The edit starts before the previous one ends.
    case overlapsPrevious(index: Int)
    /// The edit ends after the last byte of the text.
    case pastEnd(index: Int)
}

extension Array where Element == Edit {
    /// The reason why the list does not fit a text of `length` bytes; nil if it is well-formed.
    ///
    /// A list is well-formed if its ranges ascend, do not overlap, and lie inside the text. Whether
    /// they are on character boundaries must be checked by the caller, which has the text.
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

    /// The text with all the edits applied.
    ///
    /// - Precondition: `fault(forLength: text.count)` is nil.
    /// - Complexity: O(text + edits and their bytes).
    package func applied(to text: [UInt8]) -> [UInt8] {
        precondition(fault(forLength: text.count) == nil, "the edits fit the text")
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

    /// The same change in the fewest edits: edits that change nothing are left out, and edits that
    /// touch are joined.
    ///
    /// The resulting text is the same, and so is the resulting walk.
    /// - Precondition: the list is well-formed.
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
