import Causality
import NotesModel
import TestKit
import Testing

/// Commands in one batch get the same responses as they would one by one.
@Suite struct BatchTests {
    private let id = noteID(1)

    private func create(_ text: String) -> Command {
        .createNote(CreateNote(id: id, isIDChosen: true, name: nil, text: bytes(text)))
    }

    private func save(_ text: String, on base: Version?) -> Command {
        .saveNote(SaveNote(id: id, base: base, text: bytes(text)))
    }

    /// Two concurrent writes each added a line; there is no room for a third.
    private func fullShelf() -> Shelf {
        var shelf = Shelf()
        shelf.limits.noteBytesMax = 10
        for text in ["aaaaaaaaa\n", "bbbbbbbbb\n"] {
            _ = shelf.apply(shelf.heads.isEmpty ? create(text) : save(text, on: .nothing))
        }
        return shelf
    }

    private func answers(_ steps: [WorkingCopy.Step]) -> [String] {
        steps.map { step in
            switch step {
            case .accepted(let accepted): "\(accepted.outcome)"
            case .unchanged(let outcome): "\(outcome)"
            case .refused(let rejection): "\(rejection)"
            case .needs(let need): "needs \(need)"
            }
        }
    }

    /// After a rejected write whose merged text was too long, the note is loaded again and the
    /// batch's earlier writes are applied to it.
    @Test func refusedWrite_doesNotAffectLaterWrites() {
        let tooMuch = save("ccccccccc\n", on: .nothing)
        let others = [
            save("b\n", on: version("A2")), create("d\n"), save("e\n", on: nil), save("f\n", on: version("A1", "A2")),
            .deleteNote(DeleteNote(id: id, base: version("A1", "A2"))),
        ]
        for first in others {
            for second in others {
                let (before, commands) = (fullShelf(), [tooMuch, first, tooMuch, second])
                var (together, alone) = (before, before)
                let answered = answers(together.apply(commands))
                #expect(answered == answers(commands.map { alone.apply($0) }), "\(first), \(second)")
                #expect(answered.first?.contains("noteTooLarge") == true)
                #expect(together.heads == alone.heads, "\(first), \(second)")
                #expect(together.note(id)?.text == alone.note(id)?.text, "\(first), \(second)")
            }
        }
    }

    /// Which notes return to the cache, which are adopted after the commit, and which must be
    /// loaded again.
    @Test func workingCopy_reportsOutcomeOfItsNotes() throws {
        let shelf = fullShelf()
        let note = try #require(shelf.note(id, downTo: .start))
        let write = WriteContext(dot: dot("A3"), author: ada, time: Timestamp(milliseconds: 9))
        var copy = WorkingCopy(limits: shelf.limits)
        #expect(!copy.holds(id))
        copy.supply(cached: note)
        #expect(copy.holds(id) && copy.untouched.map(\.version) == [version("A1", "A2")])
        #expect(copy.changed.isEmpty && copy.stale.isEmpty)
        guard case .accepted = copy.apply(save("b\n", on: version("A2")), as: write) else {
            Issue.record("there is room for a shorter text")
            return
        }
        #expect(copy.untouched.isEmpty && copy.changed.map(\.version) == [version("A1", "A3")] && copy.stale.isEmpty)
    }

    /// The batch left no trace: the note equals the stored one.
    @Test func noteWithOnlyRefusedWrite_isNotStale() {
        let shelf = fullShelf()
        var copy = WorkingCopy(limits: shelf.limits)
        copy.supply(loaded: shelf.note(id, downTo: .start), for: id, downTo: .start)
        #expect(copy.untouched.isEmpty, "no cache gave it")
        let write = WriteContext(dot: dot("A3"), author: ada, time: Timestamp(milliseconds: 9))
        guard case .refused(.noteTooLarge(bytes: 30, limit: 20)) = copy.apply(save("ccccccccc\n", on: .nothing), as: write) else {
            Issue.record("there is no room for a third line")
            return
        }
        #expect(copy.stale.isEmpty && copy.changed.isEmpty && copy.untouched.isEmpty)
    }

    /// For an unknown base the note is loaded again, and less far down than for the base before.
    @Test func unknownBase_doesNotAffectLaterWrites() {
        var before = Shelf()
        _ = before.apply(create("a\n"))
        for number in 1...3 { _ = before.apply(save("a\n\(number)\n", on: Version(dot("A\(number)")))) }
        let commands = [save("a\n", on: version("A1")), save("x\n", on: version("B9")), save("0\na\n", on: version("A1"))]
        var (together, alone) = (before, before)
        let answered = answers(together.apply(commands))
        #expect(answered == answers(commands.map { alone.apply($0) }))
        #expect(together.note(id)?.text == bytes("0\na\n3\n"))
    }

    /// A dot that the store was asked for and does not have is not asked for again, whatever other
    /// dots the base contains.
    @Test func unknownBase_isRequestedOnce() {
        var shelf = Shelf()
        _ = shelf.apply(create("a\n"))
        _ = shelf.apply(save("b\n", on: version("A1")))
        let write = WriteContext(dot: dot("A3"), author: ada, time: Timestamp(milliseconds: 9))
        var copy = WorkingCopy(limits: shelf.limits)
        copy.supply(loaded: shelf.note(id), for: id, downTo: .newest)
        guard case .needs(.note(_, downTo: let depth)) = copy.apply(save("x\n", on: version("B9")), as: write) else {
            Issue.record("it is known")
            return
        }
        #expect(depth == .dots(version("B9")))
        copy.supply(loaded: shelf.note(id, downTo: depth), for: id, downTo: depth)
        for base in [version("B9"), version("A2", "B9")] {
            guard case .refused(.unknownBase) = copy.apply(save("x\n", on: base), as: write) else {
                Issue.record("\(base) is not refused")
                continue
            }
        }
    }

    /// The journal erases the history, so a purge needs no more of it than the newest state.
    @Test(arguments: [false, true])
    func purge_loadsNoHistory(isDeleted: Bool) {
        var shelf = Shelf()
        _ = shelf.apply(create("a\n"))
        for number in 1...3 { _ = shelf.apply(save("\(number)\n", on: Version(dot("A\(number)")))) }
        if isDeleted { _ = shelf.apply(.deleteNote(DeleteNote(id: id, base: version("A4")))) }
        let (base, write) = (
            version(isDeleted ? "A5" : "A4"), WriteContext(dot: dot("A6"), author: ada, time: Timestamp(milliseconds: 9))
        )
        var copy = WorkingCopy(limits: shelf.limits)
        copy.supply(loaded: shelf.note(id), for: id, downTo: .newest)
        guard case .accepted(let accepted) = copy.apply(.purgeNote(PurgeNote(id: id, base: base)), as: write) else {
            Issue.record("it was not accepted at once")
            return
        }
        #expect(accepted.isPurge && accepted.isDeleted == isDeleted && accepted.after.version == version("A6"))
        #expect(accepted.text == (isDeleted ? [] : bytes("3\n")))
    }

    /// A note of four revisions, all of them loaded.
    private func long(shortUndoRevisionsMax: Int) -> WorkingCopy {
        var shelf = Shelf()
        _ = shelf.apply(create("1\n"))
        for (base, text) in [("A1", "1\n2\n"), ("A2", "1\n2\n3\n"), ("A3", "1\n2\n3\n4\n")] {
            _ = shelf.apply(save(text, on: version(base)))
        }
        var copy = WorkingCopy(limits: shelf.limits, shortUndoRevisionsMax: shortUndoRevisionsMax)
        copy.supply(loaded: shelf.note(id, downTo: .start), for: id, downTo: .start)
        return copy
    }

    private func context(_ name: String) -> WriteContext {
        WriteContext(dot: dot(name), author: ada, time: Timestamp(milliseconds: 9))
    }

    @Test func undoInALongNote_needsTime() {
        let undo = Command.undoNote(UndoNote(id: id, base: version("A4"), revisions: [dot("A3")]))
        var (short, long) = (long(shortUndoRevisionsMax: 4), long(shortUndoRevisionsMax: 3))
        guard case .accepted = short.apply(undo, as: context("A5")) else {
            Issue.record("the note is short")
            return
        }
        guard case .needs(.time(id, downTo: _)) = long.apply(undo, as: context("A5")) else {
            Issue.record("the note is long")
            return
        }
    }

    /// An undo that gets its dot after it was computed is as if it had been made with that dot, also for later writes.
    @Test func placedUndo_isAsIfMadeWithItsDot() {
        let undo = Command.undoNote(UndoNote(id: id, base: version("A4"), revisions: [dot("A3")]))
        var (placed, plain) = (long(shortUndoRevisionsMax: .max), long(shortUndoRevisionsMax: .max))
        guard case .accepted(let early) = placed.apply(undo, as: context("A5")),
            case .accepted(let made) = plain.apply(undo, as: context("A7"))
        else {
            Issue.record("the undo is valid")
            return
        }
        let late = placed.place(early, as: context("A7"))
        #expect(late.revision == made.revision && late.after == made.after && late.outcome == made.outcome)
        // The first write is concurrent to the undo, the others are based on it.
        let later = [
            save("0\n1\n2\n3\n4\n", on: version("A4")), save("1\n2\n4\n5\n", on: version("A7")),
            Command.undoNote(UndoNote(id: id, base: version("A7"), revisions: [dot("A7")])),
        ]
        for (number, command) in later.enumerated() {
            let (step, expected) = (
                placed.apply(command, as: context("A\(8 + number)")), plain.apply(command, as: context("A\(8 + number)"))
            )
            #expect(step.outcome != nil && step.outcome == expected.outcome)
            #expect(placed.note(id)?.text == plain.note(id)?.text && placed.note(id)?.head == plain.note(id)?.head)
        }
        var (note, other) = (placed.note(id), plain.note(id))
        for base in [version("A7"), version("A4"), version("A7", "A8"), version("A9")] {
            #expect(note?.text(at: base) == other?.text(at: base))
        }
    }

    @Test func noteOverMergedLimit_isStale() throws {
        var shelf = Shelf()
        shelf.limits.noteBytesMax = 10
        _ = shelf.apply(create("aaaaaaaaa\n"))
        var copy = WorkingCopy(limits: shelf.limits)
        copy.supply(loaded: shelf.note(id, downTo: .start), for: id, downTo: .start)
        for (number, text) in ["bbbbbbbbb\n", "ccccccccc\n"].enumerated() {
            let write = WriteContext(dot: Dot(replica("A"), UInt64(number + 2)), author: ada, time: Timestamp(milliseconds: 0))
            _ = copy.apply(save(text, on: .nothing), as: write)
        }
        #expect(copy.stale == [id] && copy.changed.isEmpty && copy.untouched.isEmpty)
    }
}
