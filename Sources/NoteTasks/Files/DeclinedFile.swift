import Console
package import NoteText
package import NotesClient
import NotesModel
package import NotesWire

/// The words for a file that is not here because it exceeds `files.fetch_bytes_max`.
package enum DeclinedFile {
    /// The sentence for a file above the limit, in bytes. Its subject is the machine.
    package static func reason(above limit: Int) -> String {
        "this machine takes no file above \(ByteCount.text(limit)) from others: raise files.fetch_bytes_max"
    }

    /// Whether an error of `error(_:_:)` is about a declined file.
    package static func isDeclined(_ error: WireError) -> Bool {
        error.details.contains { if case .limit = $0 { true } else { false } }
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
