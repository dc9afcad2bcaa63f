import Console
import NoteTasks
import NotesModel
import NotesSQL

/// The lines that saves of mirrored files removed from notes (`TakenLines`).
extension FileRecords {
    /// Most records of a directory. A record stays for `ShownTexts.dayTime`.
    private static let takenMax: Int64 = 100

    /// Records that a save removed lines, and deletes records beyond the limits.
    ///
    /// - Throws: `ExitFailure` if it cannot be recorded.
    func tookOut(_ lines: TakenLines, of path: [UInt8], at time: Timestamp) throws {
        guard let database else { return }
        try explained { () throws(SQLFault) in
            try database.run(
                "INSERT INTO taken (place, path, time, lines, came) VALUES (?, ?, ?, ?, ?)", .integer(place), .blob(path),
                .integer(time.milliseconds), .number(lines.count), .integer(lines.came.milliseconds))
            try database.run(
                """
                DELETE FROM taken WHERE place = ?1 AND (time < ?2 OR id <=
                    (SELECT id FROM taken WHERE place = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?3))
                """, .integer(place), .integer(time.milliseconds.minus(clamping: ShownTexts.dayTime)), .integer(Self.takenMax))
        }
    }

    /// The records of a directory that are younger than a day, newest first.
    static func taken(
        _ database: Database, _ place: Int64, at time: Timestamp
    ) throws(SQLFault) -> [MirrorRecords.Taken] {
        var taken: [MirrorRecords.Taken] = []
        try database.each(
            "SELECT path, time, lines, came FROM taken WHERE place = ? AND time >= ? ORDER BY id DESC", .integer(place),
            .integer(time.milliseconds.minus(clamping: ShownTexts.dayTime))
        ) { row throws(SQLFault) in
            let lines = TakenLines(count: Int(row.integer(2)), came: Timestamp(milliseconds: row.integer(3)))
            taken.append(
                MirrorRecords.Taken(path: row.blob(0), time: Timestamp(milliseconds: row.integer(1)), lines: lines))
            return true
        }
        return taken
    }
}
