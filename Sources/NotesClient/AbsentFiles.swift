package import NoteText

/// Files whose bytes a store does not have.
package struct AbsentFiles: Hashable, Sendable {
    package var hashes: Set<FileHash> = []
    /// The absent files that the store had before, and lost.
    package var lost: Set<FileHash> = []
    /// The size in bytes above which the store takes no file from another store; nil if it takes all.
    package var fetchBytesMax: Int?

    /// The limit that keeps an absent file out; nil if none does.
    package func limit(declining content: FileContent) -> Int? {
        guard let fetchBytesMax, content.bytes > fetchBytesMax, hashes.contains(content.hash), !lost.contains(content.hash)
        else { return nil }
        return fetchBytesMax
    }
}
