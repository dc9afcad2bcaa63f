import Causality
import NotesModel
import TestKit
import Testing
import TextMerge

/// Everything that a store derives from the revisions of a note is a function of these revisions
/// alone: it is the same in a note that stayed in memory, in one that was loaded from its newest
/// critical version, in one that was loaded whole, at an old version, and in an audit.
@Suite struct DerivedStateLawTests {
    private let id = noteID(1)

    /// The note's state and the contents of its conflicts' sides.
    private struct Shown: Equatable {
        let head: Head
        let text: [UInt8]
        let kept: [KeptConflict]
        let sides: [Note.ConflictSides?]

        init(_ note: inout Note) {
            (head, text, kept) = (note.head, note.text, note.keptConflicts)
            sides = note.head.conflicts.map { [version = note.version] in note.conflictSides(of: $0, at: version) }
        }
    }

    @Test(arguments: seeds(400))
    func derivedState_isAFunctionOfTheRevisions(seed: UInt64) throws {
        var history = UndoneHistory(seed: seed)
        var live = Shelf(keepsNotes: true)
        var tails = Shelf()
        var wholes = Shelf(handsOutTails: false)
        var created: Timestamp?
        for number in 0..<history.writes {
            let made = wholes.revisions[id] ?? []
            let note = wholes.note(id)
            let command = history.next(
                now: note.map { UndoneHistory.Read($0.version, $0.text) },
                own: made.last.map { UndoneHistory.Read(Version($0.revision.dot), $0.text) },
                conflicts: note?.head.conflicts.map(\.id) ?? [], made: made.map(\.revision.dot))
            let steps = (live.apply(command), tails.apply(command), wholes.apply(command))
            if case .accepted(let accepted) = steps.2 {
                // The times are those that the commands state; without them, those of the writes.
                if number == 0 { created = command.times?.created ?? accepted.revision.time }
                #expect(accepted.after.created == created, "seed \(seed), after \(accepted.revision.dot)")
                let modified = command.times?.modified ?? accepted.revision.time
                #expect(accepted.after.modified == modified, "seed \(seed), after \(accepted.revision.dot)")
                for (step, how) in [(steps.0, "live"), (steps.1, "loaded from a critical version")] {
                    guard case .accepted(let other) = step else {
                        Issue.record("seed \(seed), \(how): \(step)")
                        return
                    }
                    #expect(other.after == accepted.after, "seed \(seed), \(how), after \(accepted.revision.dot)")
                    #expect(other.conflicts == accepted.conflicts, "seed \(seed), \(how), after \(accepted.revision.dot)")
                    #expect(other.name == accepted.name && other.lastLine == accepted.lastLine, "seed \(seed), \(how)")
                    #expect(other.text == accepted.text && other.shown == accepted.shown, "seed \(seed), \(how)")
                    #expect(other.outcome == accepted.outcome, "seed \(seed), \(how), after \(accepted.revision.dot)")
                }
            }
            guard number % 3 == 0 || number == history.writes - 1 else { continue }
            try compare(live, tails, wholes, "seed \(seed), after \(wholes.heads[id]?.version.description ?? "")")
        }
        let head = try #require(wholes.heads[id])
        var audit = NoteAudit(tails.rows(of: id), head: head)
        while !audit.isDone { audit.step(bytes: 1) }
        #expect(audit.findings == [], "seed \(seed)")
    }

    /// A member of a conflict was withdrawn for a while. It is no side until a revision joins to whose
    /// writer it was not shown.
    @Test func memberThatWasWithdrawn_becomesASide() throws {
        try derivedState_isAFunctionOfTheRevisions(seed: 722)
    }

    /// One client, nothing concurrent: the undo of a line leaves a conflict, a later write resolves it, and
    /// that write is undone.
    @Test func undoOfAResolution_opensTheConflictAlike() throws {
        var (live, tails, wholes) = (Shelf(keepsNotes: true), Shelf(), Shelf(handsOutTails: false))
        let create = Command.createNote(CreateNote(id: id, isIDChosen: true, name: nil, text: []))
        func saved(_ text: String, on base: String) -> Command { save(id, text, on: Version(dot(base))) }
        func undo(_ name: String, on base: String) -> Command {
            .undoNote(UndoNote(id: id, base: Version(dot(base)), revisions: [dot(name)]))
        }
        let commands = [
            create, saved("A\n", on: "A1"), saved("", on: "A2"), undo("A2", on: "A3"), saved("C\n", on: "A4"),
            saved("C\nB\n", on: "A5"), saved("C\nB", on: "A6"), undo("A5", on: "A7"),
        ]
        for command in commands {
            _ = (live.apply(command), tails.apply(command), wholes.apply(command))
            try compare(live, tails, wholes, "\(command)")
        }
        var audit = NoteAudit(live.rows(of: id), head: try #require(live.heads[id]))
        while !audit.isDone { audit.step(bytes: 1) }
        #expect(audit.findings == [])
    }

    private func compare(_ live: Shelf, _ tails: Shelf, _ wholes: Shelf, _ place: String) throws {
        var whole = try #require(wholes.note(id, downTo: .start))
        let expected = Shown(&whole)
        for conflict in expected.head.conflicts { #expect(conflict.sides.count >= 2, "\(place): \(conflict)") }
        var note = try #require(live.current(id))
        let sides = expected.head.conflicts.flatMap(\.sides)
        #expect(note.head == expected.head && note.text == expected.text && note.keptConflicts == expected.kept, "\(place), live")
        for depth in [LoadDepth.newest, .below(under: sides, whole.version)] {
            note = try #require(tails.note(id, downTo: depth))
            let shown = Shown(&note)
            #expect(shown.head == expected.head && shown.text == expected.text, "\(place), \(depth)")
            #expect(shown.kept == expected.kept, "\(place), \(depth)")
            for (side, other) in zip(shown.sides, expected.sides) where side != nil {
                #expect(side == other, "\(place), \(depth)")
            }
            if depth != .newest { #expect(shown.sides == expected.sides, "\(place), \(depth)") }
        }
        let committed = wholes.revisions[id] ?? []
        guard let old = committed[safe: committed.count / 2] else { return }
        let at = Version(old.revision.dot)
        var past = try #require(tails.note(id, downTo: .dots(at)))
        let author = old.revision.author
        let modified = old.revision.modified
        #expect(
            past.head(at: at, author: author, modified: modified) == whole.head(at: at, author: author, modified: modified),
            "\(place), at \(at)")
    }
}

extension Command {
    /// The times that the client stated.
    fileprivate var times: FileTimes? {
        switch self {
        case .createNote(let command): command.times
        case .saveNote(let command): command.times
        case .undoNote(let command): command.times
        case .editNote, .deleteNote, .purgeNote: nil
        }
    }
}

extension Array {
    fileprivate subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
