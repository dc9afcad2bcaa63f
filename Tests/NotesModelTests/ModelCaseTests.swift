import Causality
import NotesModel
import TestKit
import Testing
import TextMerge

/// The response to a writer in the cases of `causality.md` §4 that can occur in one daemon, by
/// number.
@Suite struct ModelCaseTests {
    private let id = noteID(1)
    private var shelf = Shelf()

    @discardableResult
    private mutating func create(_ text: String) -> Outcome? {
        shelf.apply(.createNote(CreateNote(id: id, isIDChosen: true, name: nil, text: bytes(text)))).outcome
    }

    @discardableResult
    private mutating func save(_ text: String, on base: Version) -> Outcome? {
        shelf.apply(.saveNote(SaveNote(id: id, base: base, text: bytes(text)))).outcome
    }

    @discardableResult
    private mutating func delete(on base: Version) -> Outcome? {
        shelf.apply(.deleteNote(DeleteNote(id: id, base: base))).outcome
    }

    private mutating func rejection(on base: Version) -> Rejection? {
        shelf.apply(.saveNote(SaveNote(id: id, base: base, text: bytes("w\n")))).rejection
    }

    private var shown: String { String(decoding: shelf.note(id)?.text ?? [], as: UTF8.self) }
    private var siblings: Version? { shelf.note(id)?.version }
    /// The sides of the open conflicts.
    private var sides: [[Dot]] { shelf.note(id)?.head.conflicts.map(\.sides) ?? [] }

    private mutating func concurrentWrites() {
        create("x\n")
        save("y\n", on: version("A1"))
        save("z\n", on: version("A1"))
    }

    @Test mutating func case01_firstWrite() {
        #expect(create("x\n") == Outcome(kind: .saved, dot: dot("A1"), version: version("A1"), shown: nil))
        #expect(siblings == version("A1"))
    }

    @Test mutating func case02_sequentialWrite() {
        create("x\n")
        #expect(save("y\n", on: version("A1")) == Outcome(kind: .saved, dot: dot("A2"), version: version("A2"), shown: nil))
        #expect(siblings == version("A2"))
    }

    @Test mutating func case03_twoWritesOnOneBase_bothStay() {
        create("x\n")
        #expect(save("y\n", on: version("A1"))?.kind == .saved)
        let second = save("z\n", on: version("A1"))
        #expect(second?.kind == .conflicted && second?.shown?.text == bytes("y\nz\n"))
        #expect(siblings == version("A2", "A3") && sides == [[dot("A2"), dot("A3")]])
    }

    @Test mutating func case04_eachWriter_getsItsOwnVersion() {
        create("x\n")
        #expect(save("y\n", on: version("A1"))?.version == version("A2"))
        let second = save("z\n", on: version("A1"))
        #expect(second?.version == version("A3"))
        #expect(second?.shown?.version == version("A2", "A3"), "what it may build on once it shows that")
    }

    @Test mutating func case05_writeOnResponse_keepsTheOther() {
        concurrentWrites()
        #expect(save("z2\n", on: version("A3"))?.kind == .conflicted)
        #expect(siblings == version("A2", "A4") && shown == "y\nz2\n" && sides == [[dot("A2"), dot("A4")]])
    }

    @Test mutating func case06_writeAfterSeeingBoth_supersedesBoth() {
        concurrentWrites()
        #expect(save("w\n", on: version("A2", "A3"))?.kind == .saved)
        #expect(siblings == version("A4") && shown == "w\n" && sides.isEmpty)
    }

    @Test mutating func case07_blindWrite_isShownToo() {
        create("x\n")
        #expect(save("y\n", on: .nothing)?.kind == .merged)
        #expect(siblings == version("A1", "A2") && shown == "x\ny\n" && sides.isEmpty)
    }

    @Test mutating func case08_blindWrite_thenWriteOnTheFirst() {
        create("x\n")
        save("y\n", on: .nothing)
        #expect(save("z\n", on: version("A1"))?.version == version("A3"))
        #expect(siblings == version("A2", "A3") && shown == "z\ny\n")
    }

    @Test mutating func case09_staleBuffer() {
        create("x\n")
        save("y\n", on: version("A1"))
        save("y2\n", on: version("A2"))
        #expect(save("z\n", on: version("A1"))?.kind == .conflicted)
        #expect(siblings == version("A3", "A4") && shown == "y2\nz\n" && sides == [[dot("A3"), dot("A4")]])
    }

    @Test mutating func case10_repeatedWrite() {
        create("x\n")
        save("y\n", on: version("A1"))
        #expect(save("y\n", on: version("A1"))?.kind == .saved, "the note shows what was sent")
        #expect(siblings == version("A2", "A3") && shown == "y\n" && sides.isEmpty)
    }

    @Test mutating func case11_writerOneReadLate() throws {
        create("0\n")
        var lastRead = version("A1")
        for number in 1...100 {
            let read = try #require(siblings)
            #expect(save("\(number)\n", on: lastRead)?.dot != nil)
            #expect(shown.contains("\(number)\n"))
            lastRead = read
            #expect(try #require(siblings).dots.count <= 2 && sides.count <= 1)
        }
    }

    @Test mutating func case12_deletion() {
        create("x\n")
        #expect(delete(on: version("A1")) == Outcome(kind: .saved, dot: dot("A2"), version: version("A2"), shown: nil))
        #expect(siblings == version("A2") && shelf.note(id)?.isDeleted == true && shown == "")
    }

    @Test mutating func case13_editConcurrentWithDeletion() {
        create("x\n")
        delete(on: version("A1"))
        #expect(save("y\n", on: version("A1"))?.kind == .conflicted)
        #expect(siblings == version("A2", "A3") && shelf.note(id)?.isDeleted == false && shown == "y\n")
        #expect(shelf.note(id)?.head.conflicts.map(\.kind) == [.deletion])
    }

    @Test mutating func case14_oppositeOrder() {
        create("x\n")
        save("y\n", on: version("A1"))
        let deletion = delete(on: version("A1"))
        #expect(deletion?.kind == .conflicted && deletion?.shown?.text == bytes("y\n"))
        #expect(siblings == version("A2", "A3") && shelf.note(id)?.isDeleted == false && shown == "y\n")
        #expect(shelf.note(id)?.head.conflicts.map(\.kind) == [.deletion])
    }

    @Test mutating func case15_twoDeletions() {
        create("x\n")
        delete(on: version("A1"))
        #expect(delete(on: version("A1"))?.kind == .saved, "the note is deleted, as was asked")
        #expect(siblings == version("A2", "A3") && shelf.note(id)?.isDeleted == true && sides.isEmpty)
    }

    @Test mutating func case16_writeAfterSeeingDeletion() {
        create("x\n")
        delete(on: version("A1"))
        #expect(save("new\n", on: version("A2"))?.kind == .saved)
        #expect(siblings == version("A3") && shown == "new\n" && sides.isEmpty)
    }

    @Test mutating func case17_blindWriteBesideTombstone() {
        create("x\n")
        delete(on: version("A1"))
        #expect(save("new\n", on: .nothing)?.kind == .conflicted)
        #expect(siblings == version("A2", "A3") && shelf.note(id)?.isDeleted == false)
        #expect(shown.contains("new\n") && shown.contains("x\n"))
    }

    @Test mutating func case26_unknownBaseOfAnotherReplica() {
        create("x\n")
        let base = version("A1", "B7")
        #expect(rejection(on: base) == .unknownBase(known: version("A1"), unknown: version("B7")))
        #expect(siblings == version("A1"), "a refused write changes nothing")
    }

    @Test mutating func case36_unknownBaseOfThisStore() {
        create("x\n")
        #expect(rejection(on: version("A7")) == .unknownBase(known: .nothing, unknown: version("A7")))
        #expect(create("y\n") == nil && siblings == version("A1"))
    }

    @Test mutating func case38_writeAfterSeeingOneOfTwo() {
        concurrentWrites()
        #expect(save("w\n", on: version("A2"))?.kind == .conflicted)
        #expect(siblings == version("A3", "A4") && sides == [[dot("A3"), dot("A4")]])
        #expect(shown.contains("w\n") && shown.contains("z\n"))
    }

    @Test mutating func case40_equalSaves_thenEditOfOne() {
        create("one\ntwo\nthree\n")
        let equal = "one\nTWO two\nthree\n"
        save(equal, on: version("A1"))
        #expect(save(equal, on: version("A1"))?.kind == .saved)
        #expect(save("one\nw\nthree\n", on: version("A3"))?.kind == .conflicted)
        #expect(siblings == version("A2", "A4") && sides == [[dot("A2"), dot("A4")]])
        #expect(shown == "one\nw\nTWO two\nthree\n")
    }
}
