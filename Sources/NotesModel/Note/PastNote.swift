package import TextMerge

/// The merged text after a commit that does not cover all earlier ones. No revision contains this
/// text; it is the result of merging.
package struct MergedText: Hashable, Sendable {
    /// The merged text.
    package let text: [UInt8]
    /// The edits that turn the previous merged text into `text`.
    package let edits: [Edit]

    package init(text: [UInt8], edits: [Edit]) {
        self.text = text
        self.edits = edits
    }

    /// Computes the edits from the previous merged text.
    ///
    /// - Precondition: both texts are UTF-8.
    /// - Complexity: that of `TextDiff`.
    init(_ text: [UInt8], after before: [UInt8]) {
        self.init(text: text, edits: TextDiff.edits(from: before, to: text))
    }
}

/// A note's state after one of its commits, as a journal loads it.
package enum PastNote: Sendable {
    /// A stored state, which requires no walk. `text` is nil if the caller did not request it.
    case shown(sequence: UInt64, head: Head, text: [UInt8]?)
    /// The record from which the model computes the state.
    case record(NoteRecord)
}
