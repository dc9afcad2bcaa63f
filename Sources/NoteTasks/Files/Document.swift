import Console
package import NoteText
import NotesModel

/// A file of the user, by its path, as the one file that it was when it was opened. If it changes, its bytes no longer have
/// their hash.
package final class Document: FileContents, Sendable {
    package let content: FileContent
    private let file: LocalFile

    /// Opens a file and hashes it.
    ///
    /// - Throws: `ExitFailure`.
    package init(_ path: String) throws {
        file = try LocalFile(path)
        content = try file.content()
    }

    /// The last part of the path.
    package var name: String { file.name }

    package func size(of hash: FileHash) -> Int? {
        hash == content.hash ? content.bytes : hash == .ofNothing ? 0 : nil
    }

    package func bytes(of hash: FileHash, in range: Range<Int>) throws -> [UInt8] {
        guard let size = size(of: hash) else { throw FileContentsFault.missing }
        let range = range.clamped(to: 0..<max(size, range.lowerBound))
        return range.isEmpty ? [] : try file.bytes(at: range.lowerBound, count: min(range.count, PutFile.dataBytesMax))
    }
}
