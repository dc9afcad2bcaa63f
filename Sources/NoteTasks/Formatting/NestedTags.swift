import Console
package import NoteText
package import NotesModel
import NotesWire

/// Explains an empty result for a tag that only nested tags have: a search for `journal` does not find
/// `journal/2026`.
package enum NestedTags {
    /// Maximum number of tags that the sentence names.
    private static let namedMax = 4

    /// A sentence with the nested tags, the most used first; nil if there are none, or if notes have the tag
    /// itself.
    ///
    /// - Parameters:
    ///   - tag: the tag as the daemon stores it.
    ///   - tags: at least the tags that begin with it.
    package static func hint(_ tag: ByteString, among tags: [TagCount]) -> String? {
        guard !tags.contains(where: { $0.tag == tag }) else { return nil }
        let beginning = tag.utf8 + [UInt8(ascii: "/")]
        let nested = tags.filter { $0.tag.utf8.starts(with: beginning) }.sorted { ($1.notes, $0.tag) < ($0.notes, $1.tag) }
        guard !nested.isEmpty else { return nil }
        let named = nested.prefix(namedMax).map { "\(SafeText.line("#\($0.tag)")) (\($0.notes))" }.joined(separator: ", ")
        let more = nested.count > namedMax ? ", …" : ""
        let query = SafeText.quoted("notesctl search 'tag:\(tag)/*'")
        return "no note has \(SafeText.line("#\(tag)")); nested: \(named)\(more); \(query) finds them"
    }
}
