package import Console
import Glibc
package import NoteText
package import NotesClient
import NotesModel

/// A file of this machine whose bytes a note gets.
package struct LocalFile: ~Copyable, Sendable {
    private let descriptor: Descriptor
    /// The path as the user wrote it, for messages.
    private let path: String

    /// Opens a file. A pipe or a device, which may never end, is refused.
    package init(_ path: String) throws(ExitFailure) {
        self.path = path
        let file: Descriptor
        do throws(Descriptor.OpenError) { file = try .open(Array(path.utf8), O_RDONLY | O_NONBLOCK) } catch {
            throw ExitFailure("\(SafeText.quoted(path)) cannot be read: \(error.text)", .noNote)
        }
        var status = stat()
        guard fstat(file.number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw ExitFailure("\(SafeText.quoted(path)) is not a regular file", .badData)
        }
        descriptor = file
    }

    /// A file that is open for reading.
    ///
    /// - Parameter path: for messages.
    package init(_ descriptor: consuming Descriptor, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    /// The last part of the path.
    package var name: String { String(path.split(separator: "/").last ?? "") }

    /// Uploads the bytes, unless the daemon has them, and returns what they are.
    ///
    /// - Throws: `ExitFailure` if the file changes meanwhile.
    package func upload(_ client: any NotesAPI) async throws -> FileContent {
        let content = try content()
        try await upload(content, client)
        return content
    }

    /// As `upload(_:)`, for bytes whose hash is known.
    package func upload(_ content: FileContent, _ client: any NotesAPI) async throws {
        do {
            try await FileUploading.upload(content, client) { try bytes(at: $0.lowerBound, count: $0.count) }
        } catch FileContentsFault.damaged {
            throw changed
        }
    }

    private var changed: ExitFailure {
        ExitFailure("\(SafeText.quoted(path)) changed while it was read; nothing was saved, so try again", .failed)
    }

    /// The size and the hash of the bytes.
    package func content() throws -> FileContent {
        var hash = SHA256.Stream()
        var offset = 0
        while true {
            let part = try bytes(at: offset, count: PutFile.dataBytesMax)
            guard !part.isEmpty else { break }
            hash.add(part[...])
            offset += part.count
        }
        guard let hash = FileHash(bytes: hash.hash) else { preconditionFailure("a hash has 32 bytes") }
        return FileContent(hash: hash, bytes: offset)
    }

    /// Reads bytes; fewer only at the end of the file.
    func bytes(at offset: Int, count: Int) throws -> [UInt8] {
        do throws(Descriptor.OpenError) { return try descriptor.read(at: offset, count: count) } catch {
            throw ExitFailure("\(SafeText.quoted(path)) cannot be read: \(error.text)", .noNote)
        }
    }
}
