import Causality
import NoteTasks
import NotesModel
import NotesSQL

/// The stamps of files that had the texts of their records.
extension FileRecords {
    /// Records the stamps of files that have the texts of their records. A later `record` removes the stamp.
    ///
    /// - Throws: `ExitFailure` if they cannot be recorded.
    /// - Complexity: one row for each stamp that differs from the recorded one.
    func keep(_ stamps: [[UInt8]: FileStamp]) throws {
        let new = stamps.filter { files[$0.key] != nil && self.stamps[$0.key] != $0.value }
        guard let database, !new.isEmpty else { return }
        try together {
            try explained { () throws(SQLFault) in
                for (path, stamp) in new {
                    try database.run(
                        "UPDATE file SET stamp = ? WHERE place = ? AND path = ?", .blob(stamp.recorded), .integer(place),
                        .blob(path))
                }
            }
        }
        self.stamps.merge(new) { _, new in new }
    }
}

extension FileStamp {
    /// Five numbers of eight bytes, least significant byte first.
    var recorded: [UInt8] {
        [device, inode, UInt64(bitPattern: Int64(bytes)), UInt64(bitPattern: modified), UInt64(bitPattern: changed)]
            .flatMap { number in (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } }
    }

    /// Nil for anything that `recorded` cannot have returned.
    init?(recorded: [UInt8]) {
        guard recorded.count == 40 else { return nil }
        let numbers = (0..<5).map { place in
            recorded[place * 8..<place * 8 + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        (device, inode, bytes) = (numbers[0], numbers[1], Int(Int64(bitPattern: numbers[2])))
        (modified, changed) = (Int64(bitPattern: numbers[3]), Int64(bitPattern: numbers[4]))
    }
}
