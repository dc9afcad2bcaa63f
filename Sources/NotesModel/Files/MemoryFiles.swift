package import NoteText

/// Files in memory.
package struct MemoryFiles: FileContents, Sendable {
    private var files: [FileHash: [UInt8]] = [.ofNothing: []]

    package init() {}

    package mutating func add(_ bytes: [UInt8]) { files[FileContent(of: bytes).hash] = bytes }

    package func size(of hash: FileHash) -> Int? { files[hash]?.count }

    package func bytes(of hash: FileHash, in range: Range<Int>) throws -> [UInt8] {
        guard let bytes = files[hash] else { throw FileContentsFault.missing }
        return Array(bytes.dropFirst(range.lowerBound).prefix(range.count))
    }
}
