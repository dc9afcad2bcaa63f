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
        do {
            try await RemoteFiles(client).pass(content, to: write)
        } catch FileContentsFault.missing {
            throw try await DeclinedFile.error(content, client)
        } catch FileContentsFault.damaged {
            _ = try await client.call(.file(.check(content.hash)), response: FileCheckResult.self)
            throw ExitFailure("the bytes of this file are damaged in the store; add it again from a copy", .badData)
        }
    }
}
