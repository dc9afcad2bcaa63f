import Causality
import NoteText
import NotesModel
import TestKit
import Testing

@Suite struct WorkingCopyTests {
    private let id = noteID(1)

    @Test func saveOnNewest_showsTheSentText() {
        var shelf = Shelf(of: id, "a\n")
        let outcome = shelf.apply(save(id, "b\n", on: version("A1"))).outcome
        #expect(outcome == Outcome(kind: .saved, dot: dot("A2"), version: version("A2"), shown: nil))
        #expect(shelf.note(id)?.text == bytes("b\n"))
    }

    @Test func saveOnOldVersion_isMerged_andReturnsItsOwnVersion() {
        var shelf = Shelf(of: id, "1\n2\n3\n")
        _ = shelf.apply(save(id, "one\n2\n3\n", on: version("A1")))
        let outcome = shelf.apply(save(id, "1\n2\nthree\n", on: version("A1"))).outcome
        #expect(outcome?.kind == .merged)
        #expect(outcome?.version == version("A3"), "a writer is answered its own version, nothing more")
        #expect(outcome?.shown?.version == version("A2", "A3"))
        #expect(outcome?.shown?.text == bytes("one\n2\nthree\n"))
        #expect(shelf.note(id)?.text == bytes("one\n2\nthree\n"))
    }

    /// Without the shown version, the second writer would go on from its own version alone, and its
    /// next save would be concurrent with the first.
    @Test func equalConcurrentSaves_reportTheShownVersion() {
        var shelf = Shelf(of: id, "one\n")
        #expect(shelf.apply(save(id, "one\ntwo\n", on: version("A1"))).outcome?.shown == nil)
        let second = shelf.apply(save(id, "one\ntwo\n", on: version("A1"))).outcome
        #expect(second?.kind == .saved && second?.version == version("A3"))
        #expect(second?.shown?.version == version("A2", "A3") && second?.shown?.conflicts.isEmpty == true)
        #expect(second?.shown?.text == second?.shown?.sent)
        // So does a save that changes nothing.
        let third = shelf.apply(save(id, "one\ntwo\n", on: version("A2"))).outcome
        #expect(third?.kind == .unchanged && third?.version == version("A2"))
        #expect(third?.shown?.version == version("A2", "A3"))
        let next = shelf.apply(save(id, "one\nTWO!\n", on: version("A2", "A3"))).outcome
        #expect(next?.kind == .saved && next?.shown == nil)
    }

    @Test func blindSave_addsAndRemovesNothing() {
        var shelf = Shelf(of: id, "old\n")
        let outcome = shelf.apply(save(id, "new\n", on: .nothing)).outcome
        #expect(outcome?.kind == .merged)
        let text = String(decoding: shelf.note(id)?.text ?? [], as: UTF8.self)
        #expect(text.contains("old\n") && text.contains("new\n"))
    }

    @Test func secondWriteOnResponse_keepsForeignText() {
        var shelf = Shelf(of: id, "x\n")
        _ = shelf.apply(save(id, "x\ny\n", on: version("A1")))
        _ = shelf.apply(save(id, "z\nx\n", on: version("A1")))
        _ = shelf.apply(save(id, "z2\nx\n", on: version("A3")))
        #expect(shelf.note(id)?.text == bytes("z2\nx\ny\n"))
        #expect(shelf.note(id)?.version == version("A2", "A4"))
    }

    @Test func saveWithoutBase_isRefusedWithShownVersion() {
        var shelf = Shelf(of: id, "x")
        #expect(shelf.apply(save(id, "y", on: nil)).rejection == .baseRequired(version: version("A1")))
    }

    @Test func saveOnUnknownBase_reportsKnownPart() {
        var shelf = Shelf(of: id, "x")
        _ = shelf.apply(.createNote(CreateNote(id: noteID(2), isIDChosen: true, name: nil, text: [])))
        for stranger in ["B1", "A2", "A99"] {
            let base = Version([dot("A1"), dot(stranger)])
            #expect(
                shelf.apply(save(id, "y", on: base)).rejection == .unknownBase(known: version("A1"), unknown: version(stranger)))
        }
        #expect(shelf.note(id)?.text == bytes("x"))
    }

    @Test func unknownNote_isRefused() {
        var shelf = Shelf()
        for command in [save(id, "x", on: .nothing), .deleteNote(DeleteNote(id: id, base: version("A1")))] {
            #expect(shelf.apply(command).rejection == .noteNotFound)
        }
    }

    @Test func saveOfSameText_isUnchanged_andShowsForeignText() throws {
        var shelf = Shelf(of: id, "a\n")
        #expect(shelf.apply(save(id, "a\n", on: version("A1"))).outcome?.kind == .unchanged)
        _ = shelf.apply(save(id, "b\n", on: version("A1")))
        let outcome = shelf.apply(save(id, "a\n", on: version("A1"))).outcome
        let head = try #require(shelf.note(id)?.head)
        #expect(head.version == version("A2") && head.conflicts.isEmpty)
        #expect(
            outcome
                == Outcome(
                    kind: .unchanged, dot: nil, version: version("A1"),
                    shown: .init(head, sent: bytes("a\n"), text: bytes("b\n"))))
        #expect(shelf.revisions[id]?.count == 2, "no revision is made")
    }

    @Test func unchangedWrite_ofADeletedNote_reportsTheDeletion() {
        var shelf = Shelf(of: id, "a\n")
        _ = shelf.apply(.deleteNote(DeleteNote(id: id, base: version("A1"))))
        let outcome = shelf.apply(save(id, "a\n", on: version("A1"))).outcome
        #expect(outcome?.kind == .unchanged && outcome?.shown?.isDeleted == true && outcome?.shown?.text == [])
    }

    @Test func baseOfSeveralDots_isReduced() {
        var shelf = Shelf(of: id, "a\n")
        _ = shelf.apply(save(id, "a\nb\n", on: version("A1")))
        _ = shelf.apply(save(id, "a\nb\nc\n", on: version("A1", "A2")))
        #expect(shelf.revisions[id]?.last?.revision.parents == version("A2"))
        #expect(shelf.note(id)?.version == version("A3"))
    }

    @Test func edits_referToTextOfTheBase() {
        var shelf = Shelf(of: id, "héllo")
        let edit = PositionedEdit(start: 1, end: 2, text: bytes("e"))
        let step = shelf.apply(.editNote(EditNote(id: id, base: version("A1"), edits: [edit], encoding: .utf16)))
        #expect(step.outcome?.kind == .saved)
        #expect(shelf.note(id)?.text == bytes("hello"))
        let inside = PositionedEdit(start: 2, end: 2, text: [])
        let refused = shelf.apply(.editNote(EditNote(id: id, base: version("A1"), edits: [inside], encoding: .utf8)))
        #expect(refused.rejection == .invalidEdit(InvalidEdit(index: 0, fault: .insideCharacter(offset: 2))))
    }

    @Test func emptyEdits_areUnchanged() {
        var shelf = Shelf(of: id, "a")
        let step = shelf.apply(.editNote(EditNote(id: id, base: version("A1"), edits: [], encoding: .utf8)))
        #expect(step.outcome == Outcome(kind: .unchanged, dot: nil, version: version("A1"), shown: nil))
    }
}

// MARK: - Names, deletion, limits

extension WorkingCopyTests {
    @Test func name_isUniqueAmongUndeletedNotes() {
        var shelf = Shelf(of: id, "a", name: "x")
        let other = Command.createNote(CreateNote(id: noteID(2), isIDChosen: true, name: "x", text: []))
        #expect(shelf.apply(other).rejection == .nameTaken(by: id))
        _ = shelf.apply(.deleteNote(DeleteNote(id: id, base: version("A1"))))
        #expect(shelf.apply(other).outcome?.kind == .saved, "a tombstone holds no name")
    }

    @Test func renameToTakenName_isRefused() {
        var shelf = Shelf(of: id, "a", name: "x")
        _ = shelf.apply(.createNote(CreateNote(id: noteID(2), isIDChosen: true, name: "y", text: [])))
        #expect(shelf.apply(save(id, nil, on: version("A1"), name: .set("y"))).rejection == .nameTaken(by: noteID(2)))
        #expect(shelf.note(id)?.head.name == name("x"))
    }

    @Test func clearingMissingName_changesNothing() {
        var shelf = Shelf(of: id, "a")
        #expect(shelf.apply(save(id, nil, on: version("A1"), name: .clear)).outcome?.kind == .unchanged)
    }

    @Test func name_isTakenByEarlierCommandOfBatch() {
        var shelf = Shelf(of: id, "a", name: "x")
        let steps = shelf.apply([
            save(id, nil, on: version("A1"), name: .set("y")),
            .createNote(CreateNote(id: noteID(2), isIDChosen: true, name: "x", text: [])),
            .createNote(CreateNote(id: noteID(3), isIDChosen: true, name: "y", text: [])),
        ])
        #expect(steps[1].outcome?.kind == .saved, "renamed away in this batch")
        #expect(steps[2].rejection == .nameTaken(by: id))
    }

    @Test func concurrentRenames_showNameOfGreatestDot() {
        var shelf = Shelf(of: id, "a", name: "x")
        _ = shelf.apply(save(id, nil, on: version("A1"), name: .set("y")))
        _ = shelf.apply(save(id, nil, on: version("A1"), name: .set("z")))
        #expect(shelf.note(id)?.head.name == name("z"))
        _ = shelf.apply(save(id, "b", on: version("A2")))
        #expect(shelf.note(id)?.head.name == name("z"), "a write that leaves the name does not rename")
        _ = shelf.apply(save(id, nil, on: version("A3", "A4"), name: .clear))
        #expect(shelf.note(id)?.head.name == nil)
    }

    @Test func deletion_isUndoneByConcurrentWrite() {
        var shelf = Shelf(of: id, "a\n", name: "x")
        _ = shelf.apply(.deleteNote(DeleteNote(id: id, base: version("A1"))))
        #expect(shelf.note(id)?.isDeleted == true)
        #expect(shelf.note(id)?.head.name == nil)
        #expect(shelf.note(id)?.text == [])
        let outcome = shelf.apply(save(id, "a\nb\n", on: version("A1"))).outcome
        #expect(outcome?.kind == .conflicted)
        #expect(outcome?.shown?.text == bytes("a\nb\n"), "what is in conflict is told, though all that was sent is shown")
        #expect(outcome?.shown?.conflicts.isEmpty == false)
        #expect(shelf.note(id)?.isDeleted == false)
        #expect(shelf.note(id)?.text == bytes("a\nb\n"))
        #expect(shelf.note(id)?.head.name == name("x"))
    }

    @Test func deletionOfEditedNote_showsTheEdit() {
        var shelf = Shelf(of: id, "a\n")
        _ = shelf.apply(save(id, "b\n", on: version("A1")))
        let outcome = shelf.apply(.deleteNote(DeleteNote(id: id, base: version("A1")))).outcome
        #expect(outcome?.kind == .conflicted)
        #expect(outcome?.shown?.text == bytes("b\n"))
        #expect(shelf.note(id)?.isDeleted == false)
    }

    @Test func deletedNote_isDeletedOnce_andRestoredEmpty() {
        var shelf = Shelf(of: id, "a\n", name: "x")
        _ = shelf.apply(.deleteNote(DeleteNote(id: id, base: version("A1"))))
        #expect(shelf.apply(.deleteNote(DeleteNote(id: id, base: version("A2")))).outcome?.kind == .unchanged)
        let outcome = shelf.apply(save(id, "", on: version("A2"))).outcome
        #expect(outcome?.kind == .saved, "restoring is never unchanged")
        #expect(shelf.note(id)?.text == [])
        #expect(shelf.note(id)?.isDeleted == false)
        #expect(shelf.note(id)?.head.name == nil, "a restored note has no name unless the write sets one")
    }

    @Test func emptyEdits_restoreDeletedNote() {
        var shelf = Shelf(of: id, "a\n")
        _ = shelf.apply(.deleteNote(DeleteNote(id: id, base: version("A1"))))
        let step = shelf.apply(.editNote(EditNote(id: id, base: version("A2"), edits: [], encoding: .utf8)))
        #expect(step.outcome?.kind == .saved)
        #expect(shelf.note(id)?.isDeleted == false && shelf.note(id)?.text == [])
    }

    @Test(arguments: ["", "b\n"])
    func deletionOfRestoredNote_showsTheNote(restored: String) {
        var shelf = Shelf(of: id, "a\n")
        _ = shelf.apply(.deleteNote(DeleteNote(id: id, base: version("A1"))))
        _ = shelf.apply(save(id, restored, on: version("A2")))
        let outcome = shelf.apply(.deleteNote(DeleteNote(id: id, base: version("A2")))).outcome
        #expect(outcome?.kind == .unchanged)
        #expect(outcome?.shown?.version == version("A3"))
        #expect(outcome?.shown?.text == bytes(restored))
        #expect(shelf.note(id)?.isDeleted == false)
    }

    /// The second write causes the note to be loaded again; the parents of the first write's
    /// revision lie below the newest critical version.
    @Test(arguments: [version("B9"), version("A2", "B9"), version("A3"), Version.nothing])
    func writeAfterOneOnOldVersion_loadsFarEnough(base: Version) {
        var shelf = Shelf(of: id, "a\n")
        for number in 1...3 { _ = shelf.apply(save(id, "a\n\(number)\n", on: Version(dot("A\(number)")))) }
        let steps = shelf.apply([save(id, "0\na\n", on: version("A1")), save(id, "x\n", on: base)])
        #expect(steps[0].outcome?.kind == .merged)
        if base.dots.contains(dot("B9")) {
            guard case .unknownBase(_, unknown: version("B9")) = steps[1].rejection else {
                Issue.record("\(steps[1])")
                return
            }
        } else {
            #expect(steps[1].outcome?.dot == dot("A6"))
        }
        #expect(shelf.note(id)?.text.starts(with: bytes("0\n")) == true)
    }

    /// The note is not in the store yet, so a write whose base is empty or unknown asks for its
    /// complete history.
    @Test func writeAfterCreation_hasFullHistory() {
        var shelf = Shelf()
        let create = Command.createNote(CreateNote(id: id, isIDChosen: true, name: nil, text: bytes("a\n")))
        let steps = shelf.apply([
            create, save(id, "b\n", on: .nothing), save(id, "x\n", on: version("B9")), save(id, "a\nc\n", on: version("A1")),
        ])
        #expect(steps[1].outcome?.dot == dot("A2"))
        #expect(steps[2].rejection == .unknownBase(known: .nothing, unknown: version("B9")))
        #expect(steps[3].outcome?.dot == dot("A3"))
        #expect(shelf.note(id)?.version == version("A2", "A3"))
    }

    /// The first write has nothing newer in its past, the second has everything, and the third has
    /// the first one's base.
    @Test func baseRepeatedInBatch_isFoundAgain() {
        var shelf = Shelf(of: id, "a\n")
        _ = shelf.apply(save(id, "a\nb\n", on: version("A1")))
        let steps = shelf.apply([
            save(id, "0\na\n", on: version("A1")), save(id, "0\na\nb\nc\n", on: version("A2", "A3")),
            save(id, "a\nd\n", on: version("A1")),
        ])
        #expect(steps.map { $0.outcome?.dot } == [dot("A3"), dot("A4"), dot("A5")])
        #expect(shelf.note(id)?.version == version("A4", "A5"))
    }

    /// Revisions of the batch that are based on an older version than the last write's are merged
    /// again with what is loaded for that write.
    @Test func writesOnRisingBases_inOneBatch_areAllKept() {
        var shelf = Shelf(of: id, "1\n2\n3\n")
        _ = shelf.apply(save(id, "1\n2\n3\n4\n", on: version("A1")))
        _ = shelf.apply(save(id, "1\n2\n3\n4\n5\n", on: version("A2")))
        let steps = shelf.apply([
            save(id, "one\n2\n3\n", on: version("A1")), save(id, "one\n2\n3\n4\n5\n6\n", on: version("A3", "A4")),
            save(id, "1\n2\nthree\n4\n5\n", on: version("A3")), save(id, "one\ntwo\n3\n", on: version("A4")),
        ])
        #expect(steps.map { $0.outcome?.dot } == [dot("A4"), dot("A5"), dot("A6"), dot("A7")])
        #expect(shelf.note(id)?.text == bytes("one\ntwo\nthree\n4\n5\n6\n"))
    }

    @Test func blindSaves_inBatchOfCreation_areKept() {
        var shelf = Shelf()
        let steps = shelf.apply([
            .createNote(CreateNote(id: id, isIDChosen: true, name: nil, text: bytes("one\n"))), save(id, "two\n", on: .nothing),
            save(id, "one\nthree\n", on: version("A1")),
        ])
        #expect(steps.dropFirst().map { $0.outcome?.dot } == [dot("A2"), dot("A3")])
        #expect(shelf.note(id)?.text == bytes("one\nthree\ntwo\n"))
    }

    @Test func invalidNames_areRefused() {
        var shelf = Shelf(of: id, "a")
        #expect(shelf.apply(save(id, nil, on: version("A1"), name: .set("a//b"))).rejection == .invalidName(.emptyPart))
    }

    @Test func textOverLimit_isRefusedUnlessItShrinks() {
        var shelf = Shelf()
        shelf.limits.noteBytesMax = 100
        let long = String(repeating: "x", count: 200)
        _ = shelf.apply(.createNote(CreateNote(id: id, isIDChosen: true, name: nil, text: bytes(String(long.prefix(100))))))
        #expect(
            shelf.apply(save(id, String(long.prefix(101)), on: version("A1"))).rejection == .noteTooLarge(bytes: 101, limit: 100))
        let longer = EditNote(
            id: id, base: version("A1"), edits: [PositionedEdit(start: 0, end: 0, text: bytes("x"))], encoding: .utf8)
        #expect(shelf.apply(.editNote(longer)).rejection == .noteTooLarge(bytes: 101, limit: 100))
        let another = CreateNote(id: noteID(2), isIDChosen: true, name: nil, text: bytes(String(long.prefix(101))))
        #expect(shelf.apply(.createNote(another)).rejection == .noteTooLarge(bytes: 101, limit: 100))
        shelf.limits.noteBytesMax = 50
        #expect(shelf.apply(save(id, String(long.prefix(99)), on: version("A1"))).outcome?.kind == .saved)
    }

    @Test func mergedTextOverTwiceLimit_isRefused() {
        var shelf = Shelf(of: id, "")
        shelf.limits.noteBytesMax = 10
        for line in ["aaaaaaaaa\n", "bbbbbbbbb\n"] { #expect(shelf.apply(save(id, line, on: version("A1"))).outcome != nil) }
        #expect(shelf.apply(save(id, "c\n", on: version("A1"))).rejection == .noteTooLarge(bytes: 22, limit: 20))
        #expect(shelf.note(id)?.text.count == 20)
    }

    /// The same in one batch: a refused write does not appear in later writes, and earlier writes
    /// do.
    @Test func mergedTextOverTwiceLimit_isDroppedFromBatch() {
        var shelf = Shelf(of: id, "")
        shelf.limits.noteBytesMax = 10
        let name = NameRequest.set(ByteString("list"))
        let steps = shelf.apply([
            save(id, "aaaaaaaaa\n", on: version("A1"), name: name), save(id, "bbbbbbbbb\n", on: version("A1")),
            save(id, "c\n", on: version("A1")),
            .createNote(CreateNote(id: noteID(2), isIDChosen: true, name: ByteString("list"), text: [])),
            save(id, "aaaaaaaaa\nB\n", on: version("A2", "A3")), save(id, "d\n", on: version("A1")),
        ])
        #expect(steps[2].rejection == .noteTooLarge(bytes: 22, limit: 20))
        #expect(steps[3].rejection == .nameTaken(by: id))
        #expect(steps[4].outcome?.kind == .saved)
        #expect(steps[5].outcome?.kind == .conflicted)
        let note = shelf.note(id)
        #expect(note?.version == version("A4", "A5"))
        #expect(note?.text == bytes("aaaaaaaaa\nB\nd\n"))
    }
}
