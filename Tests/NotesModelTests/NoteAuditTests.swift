import Causality
import NoteText
import NotesModel
import TestKit
import Testing
import TextMerge

/// An audit reports nothing for a note that the model made, and names damaged revisions.
@Suite struct NoteAuditTests {
    private let id = noteID(1)

    /// Three clients save and edit on their own versions, some of them old, and sometimes delete.
    private func shelf(_ seed: UInt64) -> Shelf {
        var random = SeededGenerator(seed: seed)
        var shelf = Shelf()
        _ = shelf.apply(.createNote(CreateNote(id: id, isIDChosen: true, name: nil, text: bytes("one\ntwo\nthree\n"))))
        var seen = [(Version(dot("A1")), bytes("one\ntwo\nthree\n"))]
        for number in 2...40 {
            let (base, text) = random.chance(0.6) ? seen[seen.count - 1] : random.pick(seen)
            var lines = text.split(separator: UInt8(ascii: "\n")).map { Array($0) }
            lines.insert(bytes("line \(number)"), at: random.below(lines.count + 1))
            if random.chance(0.4) { lines.remove(at: random.below(lines.count)) }
            let saved = lines.flatMap { $0 + [UInt8(ascii: "\n")] }
            let command: Command =
                random.chance(0.1)
                ? .deleteNote(DeleteNote(id: id, base: base))
                : random.chance(0.2)
                    ? .saveNote(SaveNote(id: id, base: base, text: saved, name: .set(number % 2 == 0 ? "even" : "odd")))
                    : .saveNote(SaveNote(id: id, base: base, text: saved))
            _ = shelf.apply(command)
            if let note = shelf.note(id) { seen.append((note.version, note.text)) }
        }
        return shelf
    }

    private func findings(_ rows: [StoredRevision], _ head: Head) -> [AuditFinding] {
        var audit = NoteAudit(rows, head: head)
        while !audit.isDone { audit.step(bytes: 1) }
        return audit.findings
    }

    @Test(arguments: seeds(60))
    func notesOfTheModel_haveNoFindings(seed: UInt64) throws {
        let shelf = shelf(seed)
        let head = try #require(shelf.heads[id])
        let rows = shelf.rows(of: id)
        #expect(findings(rows, head) == [], "seed \(seed)")
        #expect(rows.allSatisfy { $0.coversAll == ($0.shown == nil) }, "seed \(seed)")
    }

    /// A store of an unreleased version has all tags of a note, also those that do not count.
    @Test func unlimitedTags_areNoFinding() throws {
        var shelf = Shelf()
        let text = bytes((0...TagLimits.tagsMax).map { "#t\($0)\n" }.joined())
        let dots = [Version(dot("A1"))]
        _ = shelf.apply(.createNote(CreateNote(id: id, isIDChosen: true, name: nil, text: text)))
        for line in ["#x\n", "#y\n"] {
            _ = shelf.apply(.saveNote(SaveNote(id: id, base: dots[0], text: bytes(line) + text)))
        }
        var head = try #require(shelf.heads[id])
        #expect(head.tags.count == TagLimits.tagsMax && findings(shelf.rows(of: id), head) == [])
        let all = Tags.of(try #require(shelf.note(id)).text, isLimited: false)
        #expect(all.count == TagLimits.tagsMax + 3)
        let rows = shelf.rows(of: id).map { row in
            guard let shown = row.shown else { return row }
            var head = shown.head
            head.tags = all
            return changed(row, shown: StoredRevision.Merged(head: head, text: shown.text))
        }
        #expect(rows.contains { $0.shown != nil })
        head.tags = all
        #expect(findings(rows, head) == [])
        head.tags.removeLast()
        #expect(findings(rows, head).map(\.affects) == [.derived])
    }

    private func changed(
        _ row: StoredRevision, parents: Version? = nil, edits: [Edit]? = nil, bytes: Int? = nil, text: [UInt8]? = nil,
        coversAll: Bool? = nil, shown: StoredRevision.Merged? = nil
    ) -> StoredRevision {
        let old = row.revision
        let revision = Revision(
            note: old.note, dot: old.dot, parents: parents ?? old.parents, edits: edits ?? old.edits, origin: old.origin,
            name: old.name, isTombstone: old.isTombstone, resolves: old.resolves, author: old.author, time: old.time)
        return StoredRevision(
            revision: revision, hash: row.hash, bytes: bytes ?? row.bytes, text: text ?? row.text, name: row.name,
            coversAll: coversAll ?? row.coversAll, conflicts: row.conflicts, shown: shown ?? row.shown)
    }

    /// Each damage is applied to each revision in turn; the audit names that revision every time.
    @Test(arguments: seeds(6))
    func damage_isNamedByDot(seed: UInt64) throws {
        let shelf = shelf(seed)
        let head = try #require(shelf.heads[id])
        let rows = shelf.rows(of: id)
        for index in rows.indices {
            let row = rows[index]
            let dot = row.revision.dot
            var damages = [changed(row, bytes: row.bytes + 1), changed(row, coversAll: !row.coversAll)]
            if !row.revision.isTombstone { damages.append(changed(row, text: (row.text ?? []) + bytes("x"))) }
            if !row.revision.edits.isEmpty {
                damages.append(changed(row, edits: [Edit(start: 100_000, end: 100_001, replacement: [])]))
                damages.append(changed(row, edits: []))
            }
            if index > 0 { damages.append(changed(row, parents: Version(Dot(replica("E"), 1)))) }
            damages += row.shown.map(damages(of:))?.map { changed(row, shown: $0) } ?? []
            for (number, damaged) in damages.enumerated() {
                var all = rows
                all[index] = damaged
                #expect(findings(all, head).contains { $0.dot == dot }, "seed \(seed), \(dot), damage \(number)")
            }
        }
    }

    /// The stored merged state, damaged in its text and in its head.
    private func damages(of shown: StoredRevision.Merged) -> [StoredRevision.Merged] {
        var head = shown.head
        head.bytes += 1
        let far = [Edit(start: 100_000, end: 100_001, replacement: [])]
        let texts: [StoredRevision.Merged.Text] = [.edits(far), .whole(bytes("not what it showed"))]
        return texts.map { StoredRevision.Merged(head: shown.head, text: $0) }
            + [StoredRevision.Merged(head: head, text: shown.text)]
    }

    /// The merged text of one row is missing, and the next row stores edits to it.
    @Test(arguments: seeds(6))
    func missingMergedText_isNamedByItsDependents(seed: UInt64) throws {
        let shelf = shelf(seed)
        let head = try #require(shelf.heads[id])
        let rows = shelf.rows(of: id)
        var missed = 0
        for index in rows.indices.dropLast() where rows[index].shown != nil {
            guard case .edits? = rows[index + 1].shown?.text else { continue }
            let row = rows[index]
            var all = rows
            all[index] = StoredRevision(
                revision: row.revision, hash: row.hash, bytes: row.bytes, text: row.text, name: row.name,
                coversAll: row.coversAll, conflicts: row.conflicts)
            #expect(findings(all, head).map(\.dot) == [rows[index + 1].revision.dot], "seed \(seed), \(row.revision.dot)")
            missed += 1
        }
        #expect(missed > 0 || !isUsual(seed, of: 6), "seed \(seed)")
    }

    /// Before the first revision there is no merged text that edits could refer to.
    @Test func firstMergedTextStoredAsEdits_isNamed() throws {
        let shelf = shelf(1)
        let head = try #require(shelf.heads[id])
        var rows = shelf.rows(of: id)
        let edits = [Edit(start: 0, end: 0, replacement: rows[0].text ?? [])]
        rows[0] = changed(rows[0], shown: StoredRevision.Merged(head: head, text: .edits(edits)))
        let found = findings(rows, head).filter { $0.dot == dot("A1") }
        #expect(found.contains { $0.what.contains("as edits to a text that it does not keep") }, "\(found)")
    }

    @Test(arguments: seeds(6))
    func missingRevision_isFound(seed: UInt64) throws {
        let shelf = shelf(seed)
        let head = try #require(shelf.heads[id])
        let rows = shelf.rows(of: id)
        for index in rows.indices {
            var all = rows
            all.remove(at: index)
            #expect(!findings(all, head).isEmpty, "seed \(seed) without \(rows[index].revision.dot)")
        }
    }

    @Test func wrongHead_isNamed() throws {
        let shelf = shelf(1)
        let head = try #require(shelf.heads[id])
        let damages: [(inout Head) -> Void] = [
            { $0.version = Version(dot("A1")) }, { $0.vector = VersionVector() }, { $0.isDeleted.toggle() }, { $0.bytes += 1 },
            { $0.title = "another" }, { $0.tags = ["another"] }, { $0.name = try? NoteName("another") },
            {
                $0.conflicts = [
                    OpenConflict(
                        id: ConflictID(high: 1, low: 1), kind: .text, sides: [dot("A1"), dot("A2")],
                        start: TextPosition(utf8: 0, utf16: 0, utf32: 0), end: TextPosition(utf8: 0, utf16: 0, utf32: 0))
                ]
            },
        ]
        for damage in damages {
            var damaged = head
            damage(&damaged)
            #expect(findings(shelf.rows(of: id), damaged).count == 1)
        }
    }
}
