package import TextMerge

/// The text that a note shows after a commit that has not all earlier ones in its past: no revision wrote it, merging made it.
package struct MergedText: Hashable, Sendable {
    package let text: [UInt8]
    /// What makes it of the text that the note showed before.
    package let edits: [Edit]

    package init(text: [UInt8], edits: [Edit]) {
        self.text = text
        self.edits = edits
    }

    /// - Precondition: both are UTF-8.
    /// - Complexity: that of `TextDiff`.
    init(_ text: [UInt8], after before: [UInt8]) {
        self.init(text: text, edits: TextDiff.edits(from: before, to: text))
    }
}

/// A note as it stood after one of its commits, as a journal has it.
package enum PastNote: Sendable {
    /// As it was shown, without a walk. The text where it was asked for.
    case shown(sequence: UInt64, head: Head, text: [UInt8]?)
    case record(NoteRecord)
}
