import Causality
import NotesModel
import TestKit
import Testing

@Suite struct WorkingCopyTests {
    private let id = noteID(1)

    private func shelf(_ text: String, name: ByteString? = nil) -> Shelf {
        var shelf = Shelf()
        _ = shelf.apply(.createNote(CreateNote(id: id, isIDChosen: true, name: name, text: bytes(text))))
        return shelf
    }

    private func save(_ text: String?, on base: Version?, name: NameRequest = .leave) -> Command {
        .saveNote(SaveNote(id: id, base: base, text: text.map(bytes), name: name))
    }

    private func outcome(_ step: WorkingCopy.Step) -> Outcome? {
        switch step {
        case .accepted(let accepted): accepted.outcome
        case .unchanged(let outcome): outcome
        case .needs, .refused: nil
        }
    }

    private func rejection(_ step: WorkingCopy.Step) -> Rejection? {
        if case .refused(let rejection) = step { rejection } else { nil }
    }

    @Test func saveOnNewest_showsTheSentText() {
        var shelf = shelf("a\n")
        let outcome = outcome(shelf.apply(save("b\n", on: version("A1"))))
        #expect(outcome == Outcome(kind: .saved, dot: dot("A2"), version: version("A2"), shown: nil))
        #expect(shelf.note(id)?.text == bytes("b\n"))
    }

    @Test func saveOnOldVersion_isMerged_andReturnsItsOwnVersion() {
        var shelf = shelf("1\n2\n3\n")
        _ = shelf.apply(save("one\n2\n3\n", on: version("A1")))
        let outcome = outcome(shelf.apply(save("1\n2\nthree\n", on: version("A1"))))
        #expect(outcome?.kind == .merged)
        #expect(outcome?.version == version("A3"), "a writer is answered its own version, nothing more")
        #expect(outcome?.shown?.version == version("A2", "A3"))
        #expect(outcome?.shown?.text == bytes("one\n2\nthree\n"))
        #expect(shelf.note(id)?.text == bytes("one\n2\nthree\n"))
    }

    /// Without the shown version, the second writer would go on from its own version alone, and its
    /// next save would be concurrent with the first.
    @Test func equalConcurrentSaves_reportTheShownVersion() {
        var shelf = shelf("one\n")
        #expect(outcome(shelf.apply(save("one\ntwo\n", on: version("A1"))))?.shown == nil)
        let second = outcome(shelf.apply(save("one\ntwo\n", on: version("A1"))))
        #expect(second?.kind == .saved && second?.version == version("A3"))
        #expect(second?.shown?.version == version("A2", "A3") && second?.shown?.conflicts.isEmpty == true)
        #expect(second?.shown?.text == second?.shown?.sent)
        // So does a save that changes nothing.
        let third = outcome(shelf.apply(save("one\ntwo\n", on: version("A2"))))
        #expect(third?.kind == .unchanged && third?.version == version("A2"))
        #expect(third?.shown?.version == version("A2", "A3"))
        let next = outcome(shelf.apply(save("one\nTWO!\n", on: version("A2", "A3"))))
        #expect(next?.kind == .saved && next?.shown == nil)
    }

    @Test func blindSave_addsAndRemovesNothing() {
        var shelf = shelf("old\n")
        let outcome = outcome(shelf.apply(save("new\n", on: .nothing)))
        #expect(outcome?.kind == .merged)
        let text = String(decoding: shelf.note(id)?.text ?? [], as: UTF8.self)
        #expect(text.contains("old\n") && text.contains("new\n"))
    }

    @Test func secondWriteOnResponse_keepsForeignText() {
        var shelf = shelf("x\n")
        _ = shelf.apply(save("x\ny\n", on: version("A1")))
        _ = shelf.apply(save("z\nx\n", on: version("A1")))
        _ = shelf.apply(save("z2\nx\n", on: version("A3")))
        #expect(shelf.note(id)?.text == bytes("z2\nx\ny\n"))
        #expect(shelf.note(id)?.version == version("A2", "A4"))
    }

    @Test func saveWithoutBase_isRefusedWithShownVersion() {
        var shelf = shelf("x")
        #expect(rejection(shelf.apply(save("y", on: nil))) == .baseRequired(version: version("A1")))
    }

    @Test func saveOnUnknownBase_reportsKnownPart() {
        var shelf = shelf("x")
        _ = shelf.apply(.createNote(CreateNote(id: noteID(2), isIDChosen: true, name: nil, text: [])))
        for stranger in ["B1", "A2", "A99"] {
            let base = Version([dot("A1"), dot(stranger)])
            #expect(rejection(shelf.apply(save("y", on: base))) == .unknownBase(known: version("A1"), unknown: version(stranger)))
        }
        #expect(shelf.note(id)?.text == bytes("x"))
    }

    @Test func unknownNote_isRefused() {
        var shelf = Shelf()
        for command in [save("x", on: .nothing), .deleteNote(DeleteNote(id: id, base: version("A1")))] {
            #expect(rejection(shelf.apply(command)) == .noteNotFound)
        }
    }

    @Test func saveOfSameText_isUnchanged_andShowsForeignText() {
        var shelf = shelf("a\n")
        #expect(outcome(shelf.apply(save("a\n", on: version("A1"))))?.kind == .unchanged)
        _ = shelf.apply(save("b\n", on: version("A1")))
        let outcome = outcome(shelf.apply(save("a\n", on: version("A1"))))
        #expect(
            outcome
                == Outcome(
                    kind: .unchanged, dot: nil, version: version("A1"),
                    shown: .init(version: version("A2"), sent: bytes("a\n"), text: bytes("b\n"), conflicts: [])))
        #expect(shelf.revisions[id]?.count == 2, "no revision is made")
    }

    @Test func baseOfSeveralDots_isReduced() {
        var shelf = shelf("a\n")
        _ = shelf.apply(save("a\nb\n", on: version("A1")))
        _ = shelf.apply(save("a\nb\nc\n", on: version("A1", "A2")))
        #expect(shelf.revisions[id]?.last?.revision.parents == version("A2"))
        #expect(shelf.note(id)?.version == version("A3"))
    }

    @Test func edits_referToTextOfTheBase() {
        var shelf = shelf("héllo")
        let edit = PositionedEdit(start: 1, end: 2, text: bytes("e"))
        let step = shelf.apply(.editNote(EditNote(id: id, base: version("A1"), edits: [edit], encoding: .utf16)))
        #expect(outcome(step)?.kind == .saved)
        #expect(shelf.note(id)?.text == bytes("hello"))
        let inside = PositionedEdit(start: 2, end: 2, text: [])
        let refused = shelf.apply(.editNote(EditNote(id: id, base: version("A1"), edits: [inside], encoding: .utf8)))
        #expect(rejection(refused) == .invalidEdit(InvalidEdit(index: 0, fault: .insideCharacter(offset: 2))))
    }

    @Test func emptyEdits_areUnchanged() {
        var shelf = shelf("a")
        let step = shelf.apply(.editNote(EditNote(id: id, base: version("A1"), edits: [], encoding: .utf8)))
        #expect(outcome(step) == Outcome(kind: .unchanged, dot: nil, version: version("A1"), shown: nil))
    }
}

// MARK: - Names, deletion, limits

extension WorkingCopyTests {
    @Test func name_isUniqueAmongUndeletedNotes() {
        var shelf = shelf("a", name: "x")
        let other = Command.createNote(CreateNote(id: noteID(2), isIDChosen: true, name: "x", text: []))
        #expect(rejection(shelf.apply(other)) == .nameTaken(by: id))
        _ = shelf.apply(.deleteNote(DeleteNote(id: id, base: version("A1"))))
        #expect(outcome(shelf.apply(other))?.kind == .saved, "a tombstone holds no name")
    }

    @Test func renameToTakenName_isRefused() {
        var shelf = shelf("a", name: "x")
        _ = shelf.apply(.createNote(CreateNote(id: noteID(2), isIDChosen: true, name: "y", text: [])))
        #expect(rejection(shelf.apply(save(nil, on: version("A1"), name: .set("y")))) == .nameTaken(by: noteID(2)))
        #expect(shelf.note(id)?.head.name == name("x"))
    }

    @Test func clearingMissingName_changesNothing() {
        var shelf = shelf("a")
        #expect(outcome(shelf.apply(save(nil, on: version("A1"), name: .clear)))?.kind == .unchanged)
    }

    @Test func name_isTakenByEarlierCommandOfBatch() {
        var shelf = shelf("a", name: "x")
        let steps = shelf.apply([
            save(nil, on: version("A1"), name: .set("y")),
            .createNote(CreateNote(id: noteID(2), isIDChosen: true, name: "x", text: [])),
            .createNote(CreateNote(id: noteID(3), isIDChosen: true, name: "y", text: [])),
        ])
        #expect(outcome(steps[1])?.kind == .saved, "renamed away in this batch")
        #expect(rejection(steps[2]) == .nameTaken(by: id))
    }

    @Test func concurrentRenames_showNameOfGreatestDot() {
        var shelf = shelf("a", name: "x")
        _ = shelf.apply(save(nil, on: version("A1"), name: .set("y")))
        _ = shelf.apply(save(nil, on: version("A1"), name: .set("z")))
        #expect(shelf.note(id)?.head.name == name("z"))
        _ = shelf.apply(save("b", on: version("A2")))
        #expect(shelf.note(id)?.head.name == name("z"), "a write that leaves the name does not rename")
        _ = shelf.apply(save(nil, on: version("A3", "A4"), name: .clear))
        #expect(shelf.note(id)?.head.name == nil)
    }

    @Test func deletion_isUndoneByConcurrentWrite() {
        var shelf = shelf("a\n", name: "x")
        _ = shelf.apply(.deleteNote(DeleteNote(id: id, base: version("A1"))))
        #expect(shelf.note(id)?.isDeleted == true)
        #expect(shelf.note(id)?.head.name == nil)
        #expect(shelf.note(id)?.text == [])
        let outcome = outcome(shelf.apply(save("a\nb\n", on: version("A1"))))
        #expect(outcome?.kind == .conflicted)
        #expect(outcome?.shown?.text == bytes("a\nb\n"), "what is in conflict is told, though all that was sent is shown")
        #expect(outcome?.shown?.conflicts.isEmpty == false)
        #expect(shelf.note(id)?.isDeleted == false)
        #expect(shelf.note(id)?.text == bytes("a\nb\n"))
        #expect(shelf.note(id)?.head.name == name("x"))
    }

    @Test func deletionOfEditedNote_showsTheEdit() {
        var shelf = shelf("a\n")
        _ = shelf.apply(save("b\n", on: version("A1")))
        let outcome = outcome(shelf.apply(.deleteNote(DeleteNote(id: id, base: version("A1")))))
        #expect(outcome?.kind == .conflicted)
        #expect(outcome?.shown?.text == bytes("b\n"))
        #expect(shelf.note(id)?.isDeleted == false)
    }

    @Test func deletedNote_isDeletedOnce_andRestoredEmpty() {
        var shelf = shelf("a\n", name: "x")
        _ = shelf.apply(.deleteNote(DeleteNote(id: id, base: version("A1"))))
        #expect(outcome(shelf.apply(.deleteNote(DeleteNote(id: id, base: version("A2")))))?.kind == .unchanged)
        let outcome = outcome(shelf.apply(save("", on: version("A2"))))
        #expect(outcome?.kind == .saved, "restoring is never unchanged")
        #expect(shelf.note(id)?.text == [])
        #expect(shelf.note(id)?.isDeleted == false)
        #expect(shelf.note(id)?.head.name == nil, "a restored note has no name unless the write sets one")
    }

    @Test func emptyEdits_restoreDeletedNote() {
        var shelf = shelf("a\n")
        _ = shelf.apply(.deleteNote(DeleteNote(id: id, base: version("A1"))))
        let step = shelf.apply(.editNote(EditNote(id: id, base: version("A2"), edits: [], encoding: .utf8)))
        #expect(outcome(step)?.kind == .saved)
        #expect(shelf.note(id)?.isDeleted == false && shelf.note(id)?.text == [])
    }

    @Test(arguments: ["", "b\n"])
    func deletionOfRestoredNote_showsTheNote(restored: String) {
        var shelf = shelf("a\n")
        _ = shelf.apply(.deleteNote(DeleteNote(id: id, base: version("A1"))))
        _ = shelf.apply(save(restored, on: version("A2")))
        let outcome = outcome(shelf.apply(.deleteNote(DeleteNote(id: id, base: version("A2")))))
        #expect(outcome?.kind == .unchanged)
        #expect(outcome?.shown?.version == version("A3"))
        #expect(outcome?.shown?.text == bytes(restored))
        #expect(shelf.note(id)?.isDeleted == false)
    }

    /// The second write causes the note to be loaded again; the parents of the first write's
    /// revision lie below the newest critical version.
    @Test(arguments: [version("B9"), version("A2", "B9"), version("A3"), Version.nothing])
    func writeAfterOneOnOldVersion_loadsFarEnough(base: Version) {
        var shelf = shelf("a\n")
        for number in 1...3 { _ = shelf.apply(save("a\n\(number)\n", on: Version(dot("A\(number)")))) }
        let steps = shelf.apply([save("0\na\n", on: version("A1")), save("x\n", on: base)])
        #expect(outcome(steps[0])?.kind == .merged)
        if base.dots.contains(dot("B9")) {
            guard case .unknownBase(_, unknown: version("B9")) = rejection(steps[1]) else {
                Issue.record("\(steps[1])")
                return
            }
        } else {
            #expect(outcome(steps[1])?.dot == dot("A6"))
        }
        #expect(shelf.note(id)?.text.starts(with: bytes("0\n")) == true)
    }

    /// The note is not in the store yet, so a write whose base is empty or unknown asks for its
    /// complete history.
    @Test func writeAfterCreation_hasFullHistory() {
        var shelf = Shelf()
        let create = Command.createNote(CreateNote(id: id, isIDChosen: true, name: nil, text: bytes("a\n")))
        let steps = shelf.apply([
            create, save("b\n", on: .nothing), save("x\n", on: version("B9")), save("a\nc\n", on: version("A1")),
        ])
        #expect(outcome(steps[1])?.dot == dot("A2"))
        #expect(rejection(steps[2]) == .unknownBase(known: .nothing, unknown: version("B9")))
        #expect(outcome(steps[3])?.dot == dot("A3"))
        #expect(shelf.note(id)?.version == version("A2", "A3"))
    }

    /// The first write has nothing newer in its past, the second has everything, and the third has
    /// the first one's base.
    @Test func baseRepeatedInBatch_isFoundAgain() {
        var shelf = shelf("a\n")
        _ = shelf.apply(save("a\nb\n", on: version("A1")))
        let steps = shelf.apply([
            save("0\na\n", on: version("A1")), save("0\na\nb\nc\n", on: version("A2", "A3")), save("a\nd\n", on: version("A1")),
        ])
        #expect(steps.map { outcome($0)?.dot } == [dot("A3"), dot("A4"), dot("A5")])
        #expect(shelf.note(id)?.version == version("A4", "A5"))
    }

    /// Revisions of the batch that are based on an older version than the last write's are merged
    /// again with what is loaded for that write.
    @Test func writesOnRisingBases_inOneBatch_areAllKept() {
        var shelf = shelf("1\n2\n3\n")
        _ = shelf.apply(save("1\n2\n3\n4\n", on: version("A1")))
        _ = shelf.apply(save("1\n2\n3\n4\n5\n", on: version("A2")))
        let steps = shelf.apply([
            save("one\n2\n3\n", on: version("A1")), save("one\n2\n3\n4\n5\n6\n", on: version("A3", "A4")),
            save("1\n2\nthree\n4\n5\n", on: version("A3")), save("one\ntwo\n3\n", on: version("A4")),
        ])
        #expect(steps.map { outcome($0)?.dot } == [dot("A4"), dot("A5"), dot("A6"), dot("A7")])
        #expect(shelf.note(id)?.text == bytes("one\ntwo\nthree\n4\n5\n6\n"))
    }

    @Test func blindSaves_inBatchOfCreation_areKept() {
        var shelf = Shelf()
        let steps = shelf.apply([
            .createNote(CreateNote(id: id, isIDChosen: true, name: nil, text: bytes("one\n"))), save("two\n", on: .nothing),
            save("one\nthree\n", on: version("A1")),
        ])
        #expect(steps.dropFirst().map { outcome($0)?.dot } == [dot("A2"), dot("A3")])
        #expect(shelf.note(id)?.text == bytes("one\nthree\ntwo\n"))
    }

    @Test func invalidNames_areRefused() {
        var shelf = shelf("a")
        #expect(rejection(shelf.apply(save(nil, on: version("A1"), name: .set("a//b")))) == .invalidName(.emptyPart))
    }

    @Test func textOverLimit_isRefusedUnlessItShrinks() {
        var shelf = Shelf()
        shelf.limits.noteBytesMax = 100
        let long = String(repeating: "x", count: 200)
        _ = shelf.apply(.createNote(CreateNote(id: id, isIDChosen: true, name: nil, text: bytes(String(long.prefix(100))))))
        #expect(
            rejection(shelf.apply(save(String(long.prefix(101)), on: version("A1")))) == .noteTooLarge(bytes: 101, limit: 100))
        let longer = EditNote(
            id: id, base: version("A1"), edits: [PositionedEdit(start: 0, end: 0, text: bytes("x"))], encoding: .utf8)
        #expect(rejection(shelf.apply(.editNote(longer))) == .noteTooLarge(bytes: 101, limit: 100))
        let another = CreateNote(id: noteID(2), isIDChosen: true, name: nil, text: bytes(String(long.prefix(101))))
        #expect(rejection(shelf.apply(.createNote(another))) == .noteTooLarge(bytes: 101, limit: 100))
        shelf.limits.noteBytesMax = 50
        #expect(outcome(shelf.apply(save(String(long.prefix(99)), on: version("A1"))))?.kind == .saved)
    }

    @Test func mergedTextOverTwiceLimit_isRefused() {
        var shelf = shelf("")
        shelf.limits.noteBytesMax = 10
        for line in ["aaaaaaaaa\n", "bbbbbbbbb\n"] { #expect(outcome(shelf.apply(save(line, on: version("A1")))) != nil) }
        #expect(rejection(shelf.apply(save("c\n", on: version("A1")))) == .noteTooLarge(bytes: 22, limit: 20))
        #expect(shelf.note(id)?.text.count == 20)
    }

    /// The same in one batch: a refused write does not appear in later writes, and earlier writes
    /// do.
    @Test func mergedTextOverTwiceLimit_isDroppedFromBatch() {
        var shelf = shelf("")
        shelf.limits.noteBytesMax = 10
        let name = NameRequest.set(ByteString("list"))
        let steps = shelf.apply([
            save("aaaaaaaaa\n", on: version("A1"), name: name), save("bbbbbbbbb\n", on: version("A1")),
            save("c\n", on: version("A1")),
            .createNote(CreateNote(id: noteID(2), isIDChosen: true, name: ByteString("list"), text: [])),
            save("aaaaaaaaa\nB\n", on: version("A2", "A3")), save("d\n", on: version("A1")),
        ])
        #expect(rejection(steps[2]) == .noteTooLarge(bytes: 22, limit: 20))
        #expect(rejection(steps[3]) == .nameTaken(by: id))
        #expect(outcome(steps[4])?.kind == .saved)
        #expect(outcome(steps[5])?.kind == .conflicted)
        let note = shelf.note(id)
        #expect(note?.version == version("A4", "A5"))
        #expect(note?.text == bytes("aaaaaaaaa\nB\nd\n"))
    }
}
