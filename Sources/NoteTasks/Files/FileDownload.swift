import Console
package import NoteText
package import NotesClient
import NotesMethods
import NotesModel
import NotesWire

/// Reads the bytes of a file from the daemon, and compares their hash.
package struct FileDownload {
    private let content: FileContent
    private let client: any NotesAPI

    package init(_ content: FileContent, _ client: any NotesAPI) {
        self.content = content
        self.client = client
    }

    /// Passes the bytes on, in parts of less than 1 MiB.
    ///
    /// - Throws: `ExitFailure` if they do not have their hash. The daemon has then set them apart, so that another copy
    ///   can take their place.
    package func bytes(_ write: ([UInt8]) throws -> Void) async throws {
        var hash = SHA256.Stream()
        var offset = 0
        while offset < content.bytes {
            let part: FilePartResult = try await client.call(.file(.get(GetFile(hash: content.hash, offset: offset))))
            guard !part.data.isEmpty, part.data.count <= content.bytes - offset else { break }
            hash.add(part.data[...])
            try write(part.data)
            offset += part.data.count
        }
        guard offset == content.bytes, FileHash(bytes: hash.hash) == content.hash else {
            _ = try await client.call(.file(.check(content.hash)), response: FileCheckResult.self)
            throw ExitFailure("the bytes of this file are damaged in the store; add it again from a copy", .badData)
        }
    }
}
