package import NoteText
package import TextMerge

/// The files that a revision names.
package enum NamedFiles {
    /// The files that a revision names whose own text is that of a file, in the order of their hashes, each once. If it
    /// states several sizes for a hash, the smallest counts.
    ///
    /// - Parameters:
    ///   - edits: the edits of the revision; those of a withdrawal are none.
    ///   - floor: its own text, if it is a compaction floor, which names all contents of its text.
    /// - Complexity: O(bytes).
    package static func named(by edits: [Edit], at floor: [UInt8]?) -> [FileContent] {
        var found = contents(in: floor ?? [])
        for edit in edits { found += contents(in: edit.replacement) }
        found.sort { ($0.hash, $0.bytes) < ($1.hash, $1.bytes) }
        var named: [FileContent] = []
        for content in found where content.hash != named.last?.hash { named.append(content) }
        return named
    }

    private static func contents(in text: [UInt8]) -> [FileContent] {
        guard text.count > FileContent.start.count + FileHash.textBytes else { return [] }
        return text.split(separator: UInt8(ascii: "\n")).compactMap { FileContent(line: $0) }
    }
}
