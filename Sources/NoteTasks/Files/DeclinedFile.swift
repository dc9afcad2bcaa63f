import Console
package import NoteText
package import NotesClient
import NotesModel
import NotesWire

/// What programs print about bytes that the store leaves to other stores (`files.fetch_bytes_max`).
package enum DeclinedFile {
    /// The sentence for a file above the limit, in bytes. Its subject is the machine.
    package static func reason(above limit: Int) -> String {
        "this machine leaves out files above \(ByteCount.text(limit)), and another one has it: raise files.fetch_bytes_max"
    }

    /// Why the bytes of a content are not there, for a sentence about the file.
    package static func absence(_ content: FileContent, _ client: any NotesAPI) async throws -> String {
        try await client.absent([content.hash]).limit(declining: content).map(reason) ?? "its bytes are not on this machine yet"
    }

    /// The error for bytes that are not there: `file_missing`, with the limit if the store declines them.
    static func error(_ content: FileContent, _ client: any NotesAPI) async throws -> ClientError {
        guard let limit = try await client.absent([content.hash]).limit(declining: content) else {
            return .refused(.fileMissing(content.hash))
        }
        return .refused(WireError(.fileMissing, reason(above: limit), details: [.hash(content.hash), .limit(limit)]))
    }
}
