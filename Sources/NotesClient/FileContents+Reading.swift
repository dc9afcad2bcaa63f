package import NoteText
package import NotesModel

extension FileContents {
    /// Passes on the bytes of a range, in parts of at most 768 KiB.
    ///
    /// - Throws: `FileContentsFault`, errors of the place, and what `write` throws. `damaged` comes after bytes were
    ///   passed on.
    nonisolated(nonsending) package func pass(
        _ range: Range<Int>, of hash: FileHash, partBytesMax: Int = PutFile.dataBytesMax,
        to write: ([UInt8]) async throws -> Void
    ) async throws {
        var offset = range.lowerBound
        while offset < range.upperBound {
            let part = try await bytes(of: hash, in: offset..<min(range.upperBound, offset + partBytesMax))
            guard !part.isEmpty, part.count <= range.upperBound - offset else { throw FileContentsFault.damaged }
            try await write(part)
            offset += part.count
        }
    }

    /// Passes on all bytes of a file, and compares their hash.
    ///
    /// - Throws: as `pass`.
    nonisolated(nonsending) package func pass(_ content: FileContent, to write: ([UInt8]) async throws -> Void) async throws {
        var stream = SHA256.Stream()
        try await pass(0..<content.bytes, of: content.hash) { part in
            stream.add(part[...])
            try await write(part)
        }
        guard FileHash(bytes: stream.hash) == content.hash else { throw FileContentsFault.damaged }
    }

    /// All bytes of a file, which fit into memory, with their hash compared.
    nonisolated(nonsending) package func all(_ content: FileContent) async throws -> [UInt8] {
        var all: [UInt8] = []
        all.reserveCapacity(content.bytes)
        try await pass(content) { all += $0 }
        return all
    }
}
