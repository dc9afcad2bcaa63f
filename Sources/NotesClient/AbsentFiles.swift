package import NoteText

/// Files whose bytes a store does not have.
package struct AbsentFiles: Hashable, Sendable {
    package var hashes: Set<FileHash> = []
    /// The size in bytes above which the store leaves files to other stores; nil if it takes all.
    package var fetchBytesMax: Int?

    /// The limit above which the store leaves an absent file to other stores; nil if it does not.
    package func limit(declining content: FileContent) -> Int? {
        guard let fetchBytesMax, content.bytes > fetchBytesMax, hashes.contains(content.hash) else { return nil }
        return fetchBytesMax
    }
}
