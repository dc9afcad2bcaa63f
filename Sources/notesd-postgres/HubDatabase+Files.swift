import Hub
import NoteText
import NotesModel

extension HubDatabase {
    /// Carries out a request about files. A failure that the server reports concerns this request only, so that texts are
    /// exchanged all the same.
    ///
    /// - Throws: `PostgresFault`, after which the connection is of no further use.
    func answer(
        _ request: FileRequest, _ connection: PostgresConnection, _ space: Int32
    ) throws(PostgresFault) -> HubFileAnswer {
        do throws(PostgresFault) {
            return try answered(request, connection, space)
        } catch {
            guard !error.state.isEmpty else { throw error }
            return error.isFull ? .full(error.sentence) : .failed(error.sentence)
        }
    }

    private func answered(
        _ request: FileRequest, _ connection: PostgresConnection, _ space: Int32
    ) throws(PostgresFault) -> HubFileAnswer {
        switch request {
        case .have(let hashes):
            let found = try connection.query(
                "SELECT place FROM notes.file_have($1, $2)", [.integer(space), .byteArrays(hashes.map(\.bytes))])
            return .lacks((0..<found.rowCount).compactMap { found.integer($0, 0).map { Int($0) } })
        case .list(let list):
            let found = try connection.query(
                "SELECT hash, bytes FROM notes.file_missing($1, $2, $3)",
                [.integer(space), .bytes(list.after?.bytes ?? []), .integer(Int32(clamping: list.limit))])
            var files: [FileContent] = []
            for row in 0..<found.rowCount {
                guard let hash = FileHash(bytes: found.bytes(row, 0) ?? []), let bytes = found.integer(row, 1),
                    1...Int64(FileContent.bytesMax) ~= bytes
                else { throw Self.malformed }
                files.append(FileContent(hash: hash, bytes: Int(bytes)))
            }
            return .missing(files)
        case .begin(let begin): return try put(PutFile(content: begin.content, offset: 0, data: []), connection, space)
        case .put(let put): return try self.put(put, connection, space)
        case .get(let get):
            let found = try connection.query(
                "SELECT bytes, data FROM notes.file_get($1, $2, $3, $4)",
                [.integer(space), .bytes(get.hash.bytes), .long(Int64(get.offset)), .integer(Int32(clamping: get.length))])
            guard let bytes = found.integer(0, 0) else { return .absent }
            return .part(found.bytes(0, 1) ?? [], of: Int(bytes))
        case .check(let hash):
            let found = try retried { () throws(PostgresFault) in
                try connection.query("SELECT notes.file_check($1, $2)", [.integer(space), .bytes(hash.bytes)])
            }
            return .checked(found.flag(0, 0) == true)
        }
    }

    private func put(
        _ put: PutFile, _ connection: PostgresConnection, _ space: Int32
    ) throws(PostgresFault) -> HubFileAnswer {
        let found = try retried { () throws(PostgresFault) in
            try connection.query(
                "SELECT state, place FROM notes.file_put($1, $2, $3, $4, $5)",
                [
                    .integer(space), .bytes(put.content.hash.bytes), .long(Int64(put.content.bytes)),
                    .long(Int64(put.offset)), .bytes(put.data),
                ])
        }
        let place = Int(found.integer(0, 1) ?? 0)
        switch found.text(0, 0) {
        case "there": return .upload(isThere: true, offset: place)
        case "at": return .upload(isThere: false, offset: place)
        case "unwanted": return .unwanted
        case "large": return .tooLarge(limit: place)
        case "differs": return .differs
        case "full":
            return .full("all files of the space may have \(place) bytes together (total_bytes_max in notes.space)")
        default: throw Self.malformed
        }
    }
}
