import Causality
import NotesModel
import TestKit
import Testing
import TextMerge

/// An audit produces the derived values that the model stored, whatever the store holds of them.
@Suite struct DerivedRowTests {
    private let id = noteID(1)

    private func shelf(_ seed: UInt64) -> Shelf {
        var history = UndoneHistory(seed: seed)
        var shelf = Shelf(handsOutTails: false)
        for _ in 0..<history.writes {
            let made = shelf.revisions[id] ?? []
            let note = shelf.note(id)
            _ = shelf.apply(
                history.next(
                    now: note.map { UndoneHistory.Read($0.version, $0.text) },
                    own: made.last.map { UndoneHistory.Read(Version($0.revision.dot), $0.text) },
                    conflicts: note?.head.conflicts.map(\.id) ?? [], made: made.map(\.revision.dot)))
        }
        return shelf
    }

    /// The row with wrong derived values.
    private func damaged(_ row: StoredRevision, withMarks: Bool) -> StoredRevision {
        StoredRevision(
            revision: row.revision, parentHashes: row.parentHashes, hash: row.hash, bytes: row.bytes, text: row.text,
            name: withMarks ? nil : row.name, coversAll: withMarks ? false : row.coversAll, conflicts: [],
            lastLine: withMarks ? .shown : row.lastLine, isDeleted: withMarks ? false : row.isDeleted,
            shown: withMarks ? nil : row.shown)
    }

    @Test(arguments: seeds(200))
    func derivedRows_areThoseOfTheModel(seed: UInt64) throws {
        let shelf = shelf(seed)
        let made = try #require(shelf.revisions[id])
        let head = try #require(shelf.heads[id])
        for rows in [shelf.rows(of: id), shelf.rows(of: id).map { damaged($0, withMarks: true) }] {
            var audit = NoteAudit(rows, head: head, keepsDerived: true)
            var derived: [DerivedRow] = []
            while !audit.isDone {
                audit.step(bytes: 1)
                derived += audit.takeDerived()
            }
            #expect(audit.findings.allSatisfy { $0.affects == .derived }, "seed \(seed): \(audit.findings)")
            #expect(audit.derivedHead == head, "seed \(seed)")
            #expect(derived.map(\.dot) == made.map(\.revision.dot), "seed \(seed)")
            for (row, accepted) in zip(derived, made) {
                let place = Comment(rawValue: "seed \(seed), \(row.dot)")
                #expect(row.coversAll == accepted.coversAll && row.name == accepted.name, place)
                #expect(row.state?.isDeleted == accepted.isDeleted && row.state?.lastLine == accepted.lastLine, place)
                #expect(row.state?.conflicts == accepted.conflicts, place)
                #expect(row.state?.merged?.text == accepted.shown, place)
            }
        }
    }

    /// The store lost all conflicts of revisions. The audit names exactly the revisions at which
    /// one is open.
    @Test(arguments: seeds(200))
    func lostConflicts_areTheOnlyFindings(seed: UInt64) throws {
        let shelf = shelf(seed)
        let rows = shelf.rows(of: id)
        var audit = NoteAudit(rows.map { damaged($0, withMarks: false) }, head: try #require(shelf.heads[id]))
        while !audit.isDone { audit.step(bytes: 1) }
        let open = zip(rows, shelf.revisions[id] ?? []).filter { row, accepted in
            // A deletion hides all conflicts but those of names.
            row.conflicts.contains { $0.conflict.kind == .name || !accepted.after.isDeleted }
        }
        #expect(audit.findings.map(\.dot) == open.map { $0.0.revision.dot }, "seed \(seed): \(audit.findings)")
        #expect(audit.findings.allSatisfy { $0.affects == .derived }, "seed \(seed)")
    }
}
