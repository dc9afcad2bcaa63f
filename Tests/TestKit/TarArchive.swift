/// The files of a tar archive (POSIX ustar, names up to 100 bytes), so that a suite of many small files is one file in the repository.
package struct TarArchive {
    package struct Entry {
        package let name: String
        package let bytes: [UInt8]
    }

    package struct Damaged: Error {
        let offset: Int
    }

    /// In the order of the archive.
    package let entries: [Entry]

    private static let blockBytes = 512

    package init(_ archive: [UInt8]) throws {
        var entries: [Entry] = []
        var offset = 0
        while offset + Self.blockBytes <= archive.count, archive[offset] != 0 {
            let header = archive[offset..<offset + Self.blockBytes]
            let name = header.prefix(100).prefix { $0 != 0 }
            let size = String(decoding: header.dropFirst(124).prefix(11), as: UTF8.self)
            guard let count = Int(size, radix: 8), offset + Self.blockBytes + count <= archive.count else {
                throw Damaged(offset: offset)
            }
            let start = offset + Self.blockBytes
            entries.append(Entry(name: String(decoding: name, as: UTF8.self), bytes: Array(archive[start..<start + count])))
            offset = start + (count + Self.blockBytes - 1) / Self.blockBytes * Self.blockBytes
        }
        self.entries = entries
    }
}
