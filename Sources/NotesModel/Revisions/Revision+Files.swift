package import NoteText
import TextMerge

extension Revision {
    /// The files whose bytes a revision gives a note, as far as the revision alone shows it: each write of bytes puts a pointer
    /// line at the start of the text. A pointer line elsewhere may be part of a text.
    ///
    /// - Complexity: O(bytes of the edits).
    package var writtenFiles: [FileContent] {
        guard withdraws.isEmpty else { return [] }
        return edits.filter { $0.start == 0 }.flatMap { FileContent.all(of: $0.replacement) }
    }
}
