import NoteText
package import NotesModel

/// The laws that all `FileContents` keep.
package enum FileContentsLaws {
    /// What the laws find wrong with a place that has some bytes.
    package static func violations(of files: some FileContents, having bytes: [UInt8]) async throws -> [String] {
        let content = FileContent(of: bytes)
        var found: [String] = []
        func check(_ isKept: Bool, _ law: String) { if !isKept { found.append(law) } }
        let size = try await files.size(of: content.hash)
        check(size == bytes.count, "the size is \(size.map { "\($0)" } ?? "unknown")")
        let ends = [0, 1, bytes.count / 2, bytes.count - 1, bytes.count, bytes.count + 1, bytes.count + PutFile.dataBytesMax]
        for start in ends where start >= 0 {
            for end in ends + [start, start + 1, start + PutFile.dataBytesMax + 1] where end >= start {
                let part = try await files.bytes(of: content.hash, in: start..<end)
                let expected = bytes.dropFirst(start).prefix(end - start)
                check(expected.starts(with: part), "bytes in \(start)..<\(end) are others, or too many")
                check(!part.isEmpty || expected.isEmpty, "no bytes in \(start)..<\(end)")
            }
        }
        check(try await files.all(content) == bytes, "all bytes are others")
        check(try await files.size(of: .ofNothing) == 0, "the file of no bytes is not there")
        check(try await files.bytes(of: .ofNothing, in: 0..<1).isEmpty, "the file of no bytes has some")
        let other = FileContent(of: bytes + [0])
        check(try await files.size(of: other.hash) == nil, "bytes that are not there have a size")
        for range in [0..<0, 0..<1] {
            do {
                _ = try await files.bytes(of: other.hash, in: range)
                found.append("bytes that are not there are read")
            } catch FileContentsFault.missing {}
        }
        // A name with another size is not taken for the file.
        for size in [bytes.count - 1, bytes.count + 1] where size >= 0 {
            do {
                _ = try await files.all(FileContent(hash: content.hash, bytes: size))
                found.append("\(size) bytes pass for the file")
            } catch FileContentsFault.damaged {}
        }
        return found
    }
}
