import Console
import Glibc
import NoteText
import NotesModel

extension ReadableFile {
    /// The present stamp; nil if the system does not state it.
    var stamp: FileStamp? {
        var status = stat()
        return fstat(descriptor.number, &status) == 0 ? FileStamp(status) : nil
    }

    /// Bytes that are read at once.
    private static let partBytes = 1 << 20

    /// The hash and the size of the bytes; nil if the file grows meanwhile.
    ///
    /// - Complexity: O(bytes), with 1 MiB in memory.
    func content() throws(Descriptor.OpenError) -> FileContent? {
        let size = bytes
        var hash = SHA256.Stream()
        var offset = 0
        while true {
            let part = try descriptor.read(at: offset, count: Self.partBytes)
            guard !part.isEmpty else { break }
            hash.add(part)
            offset += part.count
            guard offset <= size else { return nil }
        }
        return FileHash(bytes: hash.hash).map { FileContent(hash: $0, bytes: offset) }
    }
}
