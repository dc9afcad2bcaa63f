import NotesSQL
import TestKit

@testable import NotesStore

extension TemporaryDirectory {
    /// Changes rows of the store in this directory directly, as no daemon does.
    ///
    /// - Parameter sums: whether the rows have checksums, which reveal the change; rows of older
    ///   stores have none.
    func damage(_ sql: String, sums: Bool = true) throws {
        let connections = try SQLiteConnections(
            path: path + "/notes.sqlite3", limits: JournalLimits(), check: { _ in }, migrate: { _ in })
        try connections.writing { database throws(SQLFault) in
            if !sums {
                try database.run(
                    """
                    UPDATE revision SET flags = flags & ~256, edits = substr(edits, 1, length(edits) - 4), kept = iif(flags & 192, kept, NULL)
                    """)
                try database.run("UPDATE merged SET sum = NULL")
            }
            try database.run(sql)
            let changes = try database.first("SELECT changes()") { $0.integer(0) }
            if changes == 0 { throw .refused("\(changes ?? 0) rows were damaged") }
        }
        try connections.close()
    }
}
