package import NoteText
package import NotesModel

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

/// The laws that all `FileContents` keep.
package enum FileContentsLaws {
    /// What the laws find wrong with a place that has some bytes.
    package static func violations(of files: some FileContents, having bytes: [UInt8]) async throws -> [String] {
        let hash = FileContent(of: bytes).hash
        var found: [String] = []
        func check(_ isKept: Bool, _ law: String) { if !isKept { found.append(law) } }
        let size = try await files.size(of: hash)
        check(size == bytes.count, "the size is \(size.map { "\($0)" } ?? "unknown")")
        for start in [0, 1, bytes.count - 1, bytes.count, bytes.count + 1] where start >= 0 {
            for end in [start, start + 1, start + PutFile.dataBytesMax + 1] {
                let part = try await files.bytes(of: hash, in: start..<end)
                let expected = bytes.dropFirst(start).prefix(end - start)
                check(expected.starts(with: part), "bytes in \(start)..<\(end) are others, or too many")
                check(!part.isEmpty || expected.isEmpty, "no bytes in \(start)..<\(end)")
            }
        }
        var (all, part): ([UInt8], [UInt8]) = ([], [])
        repeat {
            part = try await files.bytes(of: hash, in: all.count..<bytes.count + 1)
            all += part
        } while !part.isEmpty
        check(all == bytes, "the parts are not the whole")
        check(try await files.size(of: .ofNothing) == 0, "the file of no bytes is not there")
        check(try await files.bytes(of: .ofNothing, in: 0..<1).isEmpty, "the file of no bytes has some")
        let other = FileContent(of: bytes + [0]).hash
        check(try await files.size(of: other) == nil, "bytes that are not there have a size")
        for range in [0..<0, 0..<1] {
            do {
                _ = try await files.bytes(of: other, in: range)
                found.append("bytes that are not there are read")
            } catch FileContentsFault.missing {}
        }
        return found
    }
}
