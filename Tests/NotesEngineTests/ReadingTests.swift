import Causality
import NoteText
import NotesEngine
import NotesMethods
import NotesModel
import NotesStore
import TestKit
import Testing

@Suite struct ReadingTests {
    private let id = noteID(1)

    private func note(_ response: Response?) -> NoteResponse? {
        if case .note(let note) = response { note } else { nil }
    }

    private func harness(writing texts: [String]) async -> Harness {
        var harness = Harness(journal: Harness.memoryJournal())
        _ = await harness.register(1)
        for (index, text) in texts.enumerated() {
            let command = index == 0 ? create(id, text, name: "n") : save(id, text, on: version("A\(index)"))
            _ = await harness.ask(one, .write(command))
        }
        return harness
    }

    @Test func oldVersion_isShownUnchanged() async {
        var harness = await harness(writing: ["# one", "# two", "# three"])
        let old = note(await harness.ask(one, .get(GetNote(.name("n"), at: version("A2"), from: version("A1")))))
        #expect(old?.text == bytes("# two"))
        #expect(old?.head.title == "two")
        #expect(old?.head.version == version("A2"))
        #expect(old?.from == bytes("# one"))
        #expect(old?.siblings == version("A3"))
        let nothing = note(await harness.ask(one, .get(GetNote(.id(id), at: .nothing))))
        #expect(nothing?.text == [])
    }

    @Test func fromEmptyVersion_usesFullHistory() async {
        var harness = await harness(writing: ["# one", "# two", "# three"])
        let newest = note(await harness.ask(one, .get(GetNote(.id(id), from: .nothing))))
        #expect(newest?.from == [])
        #expect(newest?.text == bytes("# three"))
        let old = note(await harness.ask(one, .get(GetNote(.id(id), at: version("A2"), from: .nothing))))
        #expect(old?.from == [])
        #expect(old?.text == bytes("# two"))
    }

    @Test func joinedVersions_areShownMerged() async {
        var harness = await harness(writing: ["1\n2\n3\n"])
        _ = await harness.ask(one, .write(save(id, "a\n2\n3\n", on: version("A1"))))
        _ = await harness.ask(one, .write(save(id, "1\n2\nc\n", on: version("A1"))))
        _ = await harness.ask(one, .write(save(id, "x\n", on: version("A2", "A3"))))
        let joined = note(await harness.ask(one, .get(GetNote(.id(id), at: version("A3", "A1", "A2")))))
        #expect(joined?.text == bytes("a\n2\nc\n"))
        #expect(joined?.head.version == version("A2", "A3"))
    }

    @Test func unknownVersions_areRefused() async {
        var harness = await harness(writing: ["a"])
        let response = await harness.ask(one, .get(GetNote(.id(id), at: version("A1", "B7"))))
        #expect(response?.rejection == .unknownBase(known: version("A1"), unknown: version("B7")))
    }

    @Test func tombstone_isReadByIDOnly() async {
        var harness = await harness(writing: ["a"])
        _ = await harness.ask(one, .write(.deleteNote(DeleteNote(id: id, base: version("A1")))))
        let byName = await harness.ask(one, .get(GetNote(.name("n"))))
        #expect(byName?.rejection == .noteNotFound)
        let byID = note(await harness.ask(one, .get(GetNote(.id(id)))))
        #expect(byID?.head.isDeleted == true)
        #expect(byID?.text == [])
    }

    @Test func lists_arePagedByNameThenID() async {
        var harness = Harness(journal: Harness.memoryJournal())
        _ = await harness.register(1)
        let names: [ByteString?] = ["b", nil, "a", "é", "Z", nil]
        for (index, name) in names.enumerated() {
            _ = await harness.ask(one, .write(create(noteID(UInt64(index)), "", name: name)))
        }
        var listed: [Head] = []
        var place: ListPlace? = .byName(after: nil)
        while let from = place {
            guard
                case .notes(let page, let next) = await harness.ask(
                    one, .list(ListNotes(filter: Filter(), limit: 2, place: from)))
            else {
                Issue.record("no list")
                return
            }
            listed += page
            place = next
        }
        #expect(listed.map { $0.name?.bytes } == ["Z", "a", "b", "é", nil, nil])
        #expect(listed.suffix(2).map(\.id) == [noteID(1), noteID(5)])
    }

    @Test func history_isPagedNewestFirst() async {
        var harness = await harness(writing: ["a", "ab", "abc"])
        guard case .history(let page, let next?) = await harness.ask(one, .history(ReadHistory(id: id, limit: 2, before: nil))),
            case .history(let rest, nil) = await harness.ask(one, .history(ReadHistory(id: id, limit: 2, before: next)))
        else {
            Issue.record("no history")
            return
        }
        #expect((page + rest).map(\.dot) == ["A3", "A2", "A1"].map(dot))
        #expect((page + rest).map(\.bytes) == [3, 2, 1])
        let strange = await harness.ask(one, .history(ReadHistory(id: id, limit: 2, before: dot("B1"))))
        #expect(strange?.failure == .unknownPosition)
    }
}
