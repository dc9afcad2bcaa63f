package import NoteText
import NotesMethods
import NotesModel
import NotesWire

/// The files of a daemon, over a connection.
package struct RemoteFiles: FileContents, Sendable {
    private let client: any NotesAPI

    package init(_ client: any NotesAPI) {
        self.client = client
    }

    package func size(of hash: FileHash) async throws -> Int? {
        do { return try await part(of: hash, 0..<1).bytes } catch FileContentsFault.missing { return nil }
    }

    package func bytes(of hash: FileHash, in range: Range<Int>) async throws -> [UInt8] {
        guard !range.isEmpty else {
            guard try await size(of: hash) != nil else { throw FileContentsFault.missing }
            return []
        }
        return try await part(of: hash, range).data
    }

    private func part(of hash: FileHash, _ range: Range<Int>) async throws -> FilePartResult {
        let get = GetFile(hash: hash, offset: range.lowerBound, length: min(range.count, PutFile.dataBytesMax))
        do { return try await client.call(.file(.get(get))) } catch ClientError.refused(let error)
            where error.kind == .fileMissing
        {
            throw FileContentsFault.missing
        }
    }
}
