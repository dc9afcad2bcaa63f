import Causality
import NoteText
import NotesModel
import TestKit
import Testing
import TextMerge

/// Operations on a compacted note: A1 and A2 are below its compaction floor A3; A4 is based on A3.
@Suite struct CompactedNoteTests {
    private let id = noteID(1)

    private var history: [Revision] {
        let texts = ["a\n", "b\n", "c\n", "d\n"]
        return texts.enumerated().map { index, text in
            Revision(
                note: id, dot: Dot(replica("A"), UInt64(index + 1)),
                parents: index == 0 ? .nothing : version("A\(index)"),
                edits: [Edit(start: 2 * index, end: 2 * index, replacement: bytes(text))], origin: .stated, author: ada,
                time: Timestamp(milliseconds: 0))
        }
    }

    private func note(downTo depth: LoadDepth) -> Note {
        var asked = Version.nothing
        if case .dots(let version) = depth { asked = version }
        var vector = VersionVector()
        for revision in history { vector.record(revision.dot) }
        let floor = NoteRecord.Floor(
            dot: dot("A3"), ViewFloor(text: bytes("a\nb\nc\n"), lastLine: .shown, isDeleted: false, conflicts: []), name: nil,
            author: ada, time: Timestamp(milliseconds: 0), modified: Timestamp(milliseconds: 0))
        return Note(
            NoteRecord(
                id: id, created: Timestamp(milliseconds: 0), vector: vector, sequence: 4, floor: floor, tail: [history[3]],
                endsAtCompactionFloor: true, gone: Version(asked.dots.filter { $0 < dot("A3") })))
    }

    // MARK: Commands

    private func save(_ text: String, on base: Version) -> WorkingCopy.Step {
        var copy = WorkingCopy(limits: ModelLimits())
        let write = WriteContext(dot: dot("B1"), author: ada, time: Timestamp(milliseconds: 0))
        return copy.apply(.saveNote(SaveNote(id: id, base: base, text: bytes(text))), as: write, heads: [:]) { _, depth in
            note(downTo: depth)
        }
    }

    @Test(arguments: ["", "A1", "A2", "A1 A2"])
    func baseBelowFloor_isRefused(base: String) {
        let base = Version(base.split(separator: " ").map { dot(String($0)) })
        guard case .refused(let rejection) = save("x\n", on: base) else {
            Issue.record("\(base) was written on")
            return
        }
        #expect(rejection == .revisionGone(base, oldest: dot("A3")))
    }

    /// The empty version is not a compacted version, even if some texts were compacted.
    @Test func emptyVersion_isReadableAfterCompaction() {
        let note = note(downTo: .dots(version("A1")))
        #expect(note.readable(of: .nothing) == .nothing)
        #expect(note.readable(of: version("A1")) == nil)
        #expect(note.readable(of: version("A1", "A4")) == version("A4"))
    }

    @Test func baseAtOrAboveFloor_isAccepted() {
        for (base, shown) in [("A3", "a\nb\nC\nd\n"), ("A4", "a\nb\nC\n")] {
            guard case .accepted(let accepted) = save("a\nb\nC\n", on: version(base)) else {
                Issue.record("\(base) is refused")
                continue
            }
            #expect(accepted.revision.parents == version(base))
            #expect(accepted.after.bytes == bytes(shown).count, "on \(base)")
        }
    }

    /// A version that contains the compaction floor has everything below the floor in its past.
    @Test func baseWithCompactedDots_isReduced() {
        guard case .accepted(let accepted) = save("a\nb\nC\n", on: version("A1", "A3")) else {
            Issue.record("the rest is refused")
            return
        }
        #expect(accepted.revision.parents == version("A3"))
    }

    @Test func note_knowsItsCompactionFloor() {
        let note = note(downTo: .newest)
        #expect(note.compactionFloor == dot("A3") && note.reachesCompactionFloor && !note.isWhole)
        #expect(note.covers(version("A3")) && !note.covers(version("A2")) && !note.covers(.nothing))
        let whole = Note(first: history[0])
        #expect(whole.compactionFloor == nil && !whole.reachesCompactionFloor)
        #expect(Note(first: history[0], holdsFloor: true).covers(.nothing))
    }

    // MARK: Revisions of others

    /// - Parameter others: the store's content for other notes.
    private func adopt(_ revision: Revision, others: [Dot: Adoption.Held] = [:]) -> AdoptionReport {
        let known = linked(history)
        var adoption = Adoption(of: linked([revision], onto: known), limits: ModelLimits(), replica: replica("F"))
        while let need = adoption.run() {
            switch need {
            case .held(let dot):
                let held = known.first { $0.dot == dot }.map { known in
                    dot.counter < 3
                        ? Adoption.Held.compacted(CompactedRevision(note: id, dot: dot, hash: RevisionHash(of: known)))
                        : .committed(known)
                }
                adoption.supply(held ?? others[dot] ?? .nothing, for: dot)
            case .waiting(on: let dot): adoption.supply(waiting: [], on: dot)
            case .note(let asked, let depth):
                adoption.supply(loaded: asked == id ? note(downTo: depth) : nil, for: asked, downTo: depth)
            }
        }
        return adoption.report
    }

    private func revision(_ name: String, on parents: Version, note: NoteID? = nil, author: Author = ada) -> Revision {
        Revision(
            note: note ?? id, dot: dot(name), parents: parents,
            edits: [Edit(start: 0, end: 0, replacement: bytes("x\n"))], origin: .stated, author: author,
            time: Timestamp(milliseconds: 0))
    }

    @Test func compactedRevision_isKnown() {
        for revision in history {
            #expect(adopt(revision).known == 1, "\(revision.dot)")
        }
    }

    @Test func differentContentOfCompactedDot_isQuarantined() {
        let other = revision("A2", on: version("A1"))
        #expect(adopt(other).quarantined.map(\.reason) == [.dotIsTaken])
        let elsewhere = revision("A2", on: version("A1"), note: noteID(2))
        #expect(adopt(elsewhere).quarantined.map(\.reason) == [.dotIsTaken])
    }

    @Test func compactedRevision_matchesItsNoteAndDot() {
        let revision = linked(history)[1]
        let hash = RevisionHash(of: revision)
        #expect(CompactedRevision(note: id, dot: dot("A2"), hash: hash).isOf(revision))
        #expect(!CompactedRevision(note: noteID(2), dot: dot("A2"), hash: hash).isOf(revision))
        #expect(!CompactedRevision(note: id, dot: dot("A1"), hash: hash).isOf(revision))
        #expect(!CompactedRevision(note: id, dot: dot("A2"), hash: RevisionHash(bits: 0)).isOf(revision))
    }

    @Test func revisionOnCompactedParent_isQuarantined() {
        for parents in [version("A1"), version("A2"), .nothing] {
            #expect(adopt(revision("B1", on: parents)).quarantined.map(\.reason) == [.parentIsCompacted], "on \(parents)")
        }
    }

    @Test func revisionOnFloor_isCommitted() {
        #expect(adopt(revision("B1", on: version("A3"))).committed == [dot("B1")])
        let nameless = Author(user: "ada", label: nil)
        #expect(adopt(revision("B1", on: version("A3"), author: nameless)).committed == [dot("B1")])
    }

    /// Whether or not the note is loaded.
    @Test(arguments: [noteID(1), noteID(3)])
    func compactedParentOfAnotherNote_isQuarantined(note: NoteID) {
        let parent = CompactedRevision(note: noteID(2), dot: dot("C1"), hash: RevisionHash(bits: 0))
        let child = revision("B1", on: version("C1"), note: note)
        #expect(adopt(child, others: [dot("C1"): .compacted(parent)]).quarantined.map(\.reason) == [.parentOfAnotherNote])
    }
}
