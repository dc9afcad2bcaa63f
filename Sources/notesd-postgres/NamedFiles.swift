import Hub
import NoteText
import NotesModel

/// The files that the revisions of a database name.
struct NamedFiles {
    private let connection: PostgresConnection

    /// The number of rows that are read at once.
    private static let rowsMax: Int32 = 16

    init(_ connection: PostgresConnection) {
        self.connection = connection
    }

    /// Records the files that revisions from before version 2 name. Returns their number.
    func record() throws(PostgresFault) -> Int {
        // An append that began before the upgrade holds a lock on this table, or waits for one.
        try connection.run("BEGIN; LOCK TABLE notes.space IN EXCLUSIVE MODE; COMMIT")
        let spaces = try connection.query("SELECT id FROM notes.space ORDER BY id")
        var count = 0
        for row in 0..<spaces.rowCount {
            if let space = spaces.integer(row, 0) { count += try record(space: Int32(truncatingIfNeeded: space)) }
        }
        return count
    }

    private func record(space: Int32) throws(PostgresFault) -> Int {
        var (position, files): (Int64, Set<FileContent>) = (0, [])
        while true {
            let rows = try connection.query(
                "SELECT position, body FROM notes.revision WHERE space = $1 AND position > $2 AND position($3 IN body) > 0 "
                    + "ORDER BY position LIMIT $4",
                [.integer(space), .long(position), .bytes(FileContent.start), .integer(Self.rowsMax)])
            for row in 0..<rows.rowCount {
                position = rows.integer(row, 0) ?? position
                guard let revision = RevisionCodec.revision(from: rows.bytes(row, 1) ?? []) else { continue }
                files.formUnion(HubCheck.files(named: revision))
            }
            guard rows.rowCount == Self.rowsMax else { break }
        }
        let found = Array(files)
        _ = try connection.query(
            "SELECT notes.file_name($1, $2, $3)",
            [.integer(space), .byteArrays(found.map(\.hash.bytes)), .longs(found.map { Int64($0.bytes) })])
        return found.count
    }
}
