import Causality
import NotesModel
import NotesSQL
import TestKit
import Testing

@testable import NotesStore

/// Checks that lists use an index: a plan that scans or sorts would read all notes.
@Suite struct QueryPlans {
    static let bounded = [
        "SELECT note FROM head WHERE deleted = 0 AND (name, id) > (x'61', x'00') AND name < x'FF' ORDER BY name, id",
        "SELECT note FROM head INDEXED BY head_conflicted WHERE conflicted = 1 AND deleted = 0 AND (name, id) > (x'61', x'00') AND name < x'FF' ORDER BY name, id",
        "SELECT head.note FROM tag JOIN head ON head.note = tag.note WHERE tag.tag = x'61' AND tag.deleted = 0 AND (tag.name, tag.id) > (x'61', x'00') AND tag.name < x'FF' ORDER BY tag.name, tag.id",
        "SELECT note FROM head WHERE newest > 5 AND newest <= 9 ORDER BY newest",
        "SELECT id FROM head WHERE deleted = 0 AND name = x'61' ORDER BY id",
        "SELECT first, replica, counter FROM dot_range WHERE replica = 1 AND counter <= 5 ORDER BY counter DESC LIMIT 1",
        "SELECT first, replica, counter FROM dot_range WHERE first <= 5 ORDER BY first DESC LIMIT 1",
        "SELECT counter FROM dot_range WHERE replica = 1 AND counter > 5 ORDER BY counter LIMIT 1",
        "SELECT max(ordinal) FROM operation WHERE user = 1", "DELETE FROM operation WHERE user = 1 AND ordinal <= 5",
        "SELECT replica FROM incarnation WHERE first <= 5 ORDER BY first DESC LIMIT 1",
        "SELECT max(first) FROM dot_range WHERE first <= 5",
        "SELECT first, replica, counter FROM dot_range WHERE first >= 5 ORDER BY first", "SELECT id FROM head WHERE note = 5",
        "SELECT revision FROM waiting WHERE replica = 5 AND counter = 5",
        "SELECT waiting.revision FROM waiting_parent JOIN waiting ON waiting.number = waiting_parent.waiting WHERE waiting_parent.replica = 1 AND waiting_parent.counter = 2 ORDER BY waiting_parent.waiting",
        "SELECT number, revision FROM waiting WHERE number > 5 ORDER BY number LIMIT 5",
        "DELETE FROM waiting_parent WHERE replica = 1 AND counter = 2 AND waiting = 3",
        "SELECT number, reason, revision FROM quarantine WHERE number > 5 AND length(revision) > 0 ORDER BY number LIMIT 5",
        "DELETE FROM unflushed WHERE sequence <= 5", "SELECT max(note) FROM head", "SELECT max(sequence) FROM revision",
        "SELECT hash, min(bytes) FROM file_name WHERE hash > x'61' GROUP BY hash ORDER BY hash LIMIT 5",
        "SELECT 1 FROM file_name WHERE hash = x'61' LIMIT 1", "DELETE FROM file_name WHERE sequence = 5",
        "SELECT hash, bytes FROM file_name WHERE sequence = 5 ORDER BY hash",
        "SELECT file_name.sequence, revision.note FROM file_name JOIN revision ON revision.sequence = file_name.sequence WHERE file_name.hash = x'61' AND file_name.sequence < 5 ORDER BY file_name.sequence DESC LIMIT 5",
        "SELECT sequence FROM revision WHERE note = 1 AND \(RevisionRow.isWithdrawal) ORDER BY sequence DESC",
    ]

    @Test(arguments: bounded)
    func query_neitherScansNorSorts(_ sql: String) throws {
        let directory = try TemporaryDirectory()
        let journal = try openStore(directory.path, replica: ReplicaID(bits: 1))
        try journal.connections.reading { database throws(SQLFault) in
            try database.each("EXPLAIN QUERY PLAN " + sql) { row in
                let step = String(decoding: row.blob(3), as: UTF8.self)
                // SQLite reports `max` of a key as a search of the whole table, although it stops
                // at the end.
                #expect(!step.hasPrefix("SCAN") && !step.contains("TEMP B-TREE"), "\(step)")
                return true
            }
        }
    }
}
