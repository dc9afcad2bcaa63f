package import NoteText
package import NotesClient
import NotesMethods
import NotesModel
import NotesWire

/// Sends the bytes of a file to the daemon.
package enum FileUploading {
    /// Uploads bytes, unless the daemon has them.
    ///
    /// - Parameter part: the bytes of a range of the file; fewer if it has no more.
    /// - Throws: `FileContentsFault.damaged` if the bytes do not have their size and hash, `ClientError`, and what `part`
    ///   throws.
    package static func upload(
        _ content: FileContent, _ client: any NotesAPI, part: (Range<Int>) throws -> [UInt8]
    ) async throws {
        var state: UploadResult = try await client.call(.file(.begin(BeginFile(content))))
        var isBegunAgain = false
        while !state.isThere {
            let range = state.offset..<min(content.bytes, state.offset + PutFile.dataBytesMax)
            let data = try part(range)
            guard !data.isEmpty || range.isEmpty else { throw FileContentsFault.damaged }
            do {
                state = try await client.call(.file(.put(PutFile(content: content, offset: state.offset, data: data))))
            } catch ClientError.refused(let error) where error.kind == .fileDiffers {
                // A part that an earlier upload left may be torn.
                guard !isBegunAgain else { throw FileContentsFault.damaged }
                isBegunAgain = true
                state = try await client.call(.file(.begin(BeginFile(content))))
            }
        }
    }
}
