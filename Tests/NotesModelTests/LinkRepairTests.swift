import NoteText
import NotesModel
import TestKit
import Testing

/// Renames notes of a set, and repairs links as a client does that knows only the answers of a daemon.
private struct RenamedNotes {
    let before: LinkOracle
    /// The notes after the renamings and without repairs.
    private(set) var renamed: LinkOracle
    private(set) var after: LinkOracle
    private(set) var repairs = LinkRepairs()

    /// - Parameter candidatesMax: the number of notes in an answer.
    init(_ oracle: LinkOracle, names: [NoteID: String?], candidatesMax: Int = 5) {
        before = oracle
        renamed = oracle
        for index in renamed.notes.indices {
            if let name = names[renamed.notes[index].id] { renamed.notes[index].name = name }
        }
        var repair = LinkRepair(
            oracle.notes.filter { names[$0.id] != nil }.map { note in
                NoteRenaming(note: note.id, old: note.name.map { ByteString($0) }, new: names[note.id]?.map { ByteString($0) })
            })
        let renamedFirst = oracle.notes.filter { names[$0.id] != nil } + oracle.notes.filter { names[$0.id] == nil }
        for note in renamedFirst where names[note.id] != nil || Self.means(names.keys, note, in: oracle) {
            repair.add(note.id, name: note.name.map { ByteString($0) }, text: bytes(note.text))
        }
        for id in repair.leadingIDs {
            let target = LinkTarget(kind: .wiki, text: id, beforeQuery: nil)
            guard let meaning = oracle.meaning(of: target, inNoteNamed: nil) else { continue }
            for note in oracle.notes where Self.means([meaning], note, in: oracle) {
                repair.add(note.id, name: note.name.map { ByteString($0) }, text: bytes(note.text))
            }
        }
        repair.setMeanings(Self.answers(repair.questionsBefore, oracle, candidatesMax))
        for note in renamed.notes where Self.means(names.keys, note, in: renamed) {
            repair.addCapturing(note.id, name: note.name.map { ByteString($0) }, text: bytes(note.text))
        }
        var answers: [LinkQuestion: LinkAnswer] = [:]
        while case let questions = repair.questions(after: answers), !questions.isEmpty {
            answers.merge(Self.answers(questions, renamed, candidatesMax)) { first, _ in first }
        }
        repairs = repair.repairs(answers)
        after = renamed
        for text in repairs.texts {
            guard let index = after.notes.firstIndex(where: { $0.id == text.note }) else { continue }
            after.notes[index].text = string(text.bytes)
        }
    }

    private static func means(_ notes: some Collection<NoteID>, _ note: LinkOracle.Note, in oracle: LinkOracle) -> Bool {
        Links.of(bytes(note.text)).contains { link in
            !link.target.isEmpty
                && oracle.meaning(of: LinkTarget(link), inNoteNamed: note.name).map { notes.contains($0) } == true
        }
    }

    private static func answers(
        _ questions: Set<LinkQuestion>, _ oracle: LinkOracle, _ candidatesMax: Int
    ) -> [LinkQuestion: LinkAnswer] {
        var lookup = KeyLookup(oracle)
        var answers: [LinkQuestion: LinkAnswer] = [:]
        for question in questions {
            // The wire has only the decoded target.
            let target = LinkTarget(kind: question.target.kind, decoded: question.target.text)
            let found = target.candidates(in: question.folder, among: &lookup)
            answers[question] = LinkAnswer(notes: Array(found.prefix(candidatesMax)), isCut: found.count > candidatesMax)
        }
        return answers
    }
}

@Suite struct LinkRepairTests {
    /// The text of the note `from` after another note was renamed.
    private func repaired(
        _ text: String, in from: String = "work/here", from old: String, to new: String?, others: [String] = []
    ) -> (text: String, unrepaired: [UnrepairedLink]) {
        let names = [from, old] + others
        let notes = names.enumerated().map { index, name in
            LinkOracle.Note(id: noteID(UInt64(index)), name: name, text: index == 0 ? text : "text\n")
        }
        let result = RenamedNotes(LinkOracle(notes), names: [noteID(1): new])
        return (result.after.notes[0].text, result.repairs.unrepaired)
    }

    @Test(
        arguments: [
            ("[[plan]]", "[[goal]]"), ("[[plan|s]] [[plan#A#B]]", "[[goal|s]] [[goal#A#B]]"),
            ("| [[plan\\|s]] |", "| [[goal\\|s]] |"), ("![[job/plan.MD#^b]]", "![[done/goal.MD#^b]]"),
            ("[[./plan]]", "[[../done/goal]]"), ("[[/job/plan]]", "[[/done/goal]]"), ("[x](plan.md)", "[x](../done/goal.md)"),
            ("[x](./plan.md#h \"t\")", "[x](../done/goal.md#h \"t\")"), ("[x](/job/plan)", "[x](/done/goal)"),
            ("[x](<plan.md>)", "[x](<../done/goal.md>)"), ("[x](plan.md?plain=1#L3)", "[x](../done/goal.md?plain=1#L3)"),
            ("[x]: plan.md 't'", "[x]: ../done/goal.md 't'"), ("`[[plan]]` [[plan]]", "`[[plan]]` [[goal]]"),
            ("---\nup: \"[[plan]]\"\n---\n", "---\nup: \"[[goal]]\"\n---\n"), ("\\[[plan]] plan", "\\[[plan]] plan"),
        ])
    func link_keepsItsStyle(before: String, after: String) {
        let result = repaired(before, in: "job/here", from: "job/plan", to: "done/goal")
        #expect(result.text == after)
        #expect(result.unrepaired.isEmpty)
    }

    @Test(
        arguments: [
            ("[x](plan.md)", "a b", "[x](a%20b.md)"), ("[x](<plan.md>)", "a b", "[x](<a b.md>)"),
            ("[x](plan.md)", "c++ (2)", "[x](c++%20(2).md)"), ("[x](plan.md)", "a)b(", "[x](a\\)b\\(.md)"),
            ("[x](plan.md)", "50% off", "[x](50%25%20off.md)"), ("[x](plan.md)", "x#y|z?", "[x](x%23y%7Cz%3F.md)"),
            ("[x](plan.md)", "日本", "[x](日本.md)"), ("[é](pl%61n.md)", "日", "[é](日.md)"),
            ("[x](plan.md)", "a[b]", "[x](a\\[b\\].md)"),
            ("[x](plan.md)", "re:x", "[x](./re:x.md)"), ("[x](plan.md)", "a&amp;b", "[x](a%26amp;b.md)"),
            ("[[plan]]", "[draft]", "[[/work/[draft].md]]"), ("[[plan]]", "what?", "[[what?]]"),
        ])
    func name_isWrittenAsTheLinkNeeds(before: String, name: String, after: String) {
        let result = repaired(before, from: "work/plan", to: "work/" + name)
        #expect(result.text == after)
        #expect(result.unrepaired.isEmpty)
    }

    /// A link to a file of the store is repaired like one to a note, with the ending of its name.
    @Test(
        arguments: [
            ("![[a.png]]", "![[b 2.jpg]]"), ("![[a.png|300]]", "![[b 2.jpg|300]]"), ("[[pics/a.png|x]]", "[[img/b 2.jpg|x]]"),
            ("![[../pics/a.png]]", "![[../img/b 2.jpg]]"), ("![x](../pics/a.png \"t\")", "![x](../img/b%202.jpg \"t\")"),
            ("![x](<../pics/a.png>)", "![x](<../img/b 2.jpg>)"), ("![](pics/a.png)", "![](img/b%202.jpg)"),
            ("![](/pics/a.png?raw=1#p)", "![](/img/b%202.jpg?raw=1#p)"), ("![](A.PNG)", "![](b%202.jpg)"), ("[[a]]", "[[a]]"),
            ("[r]: ../pics/a.png\n", "[r]: ../img/b%202.jpg\n"), ("`![[a.png]]`", "`![[a.png]]`"), ("![](a.gif)", "![](a.gif)"),
        ])
    func linkToAFileOfTheStore_followsIt(before: String, after: String) {
        let pointer = "notesd-file sha256:\(String(repeating: "ab", count: 32)) 7"
        let notes = [("work/here", before), ("pics/a.png", pointer), ("b", ""), ("x/b 2.gif", pointer)].enumerated().map {
            LinkOracle.Note(id: noteID(UInt64($0)), name: $1.0, text: $1.1)
        }
        let result = RenamedNotes(LinkOracle(notes), names: [noteID(1): "img/b 2.jpg"])
        #expect(result.after.notes[0].text == after)
        #expect(result.repairs.unrepaired.isEmpty)
    }

    @Test(arguments: [("[[plan]]", "x#y"), ("[[plan]]", "a|b"), ("[[plan]]", "a`b"), ("---\nup: [[plan]]\n---\n", "a: b")])
    func wikiLink_thatCannotSayTheName_isListed(text: String, name: String) {
        let result = repaired(text, from: "work/plan", to: name)
        #expect(result.text == text)
        #expect(result.unrepaired.map(\.reason) == [.noTarget] && result.unrepaired.first?.target == "plan")
    }

    @Test func removedName_leavesAnID() {
        let result = repaired("[x](plan.md#h) [[plan]]", from: "work/plan", to: nil)
        #expect(result.text == "[x](note:\(noteID(1))#h) [[plan]]")
        #expect(result.unrepaired.map(\.reason) == [.noName])
    }

    @Test func nameThatWouldCaptureALink_isDistinguished() {
        let captured = repaired("[[y]] [[old]]", in: "b/here", from: "q/old", to: "y", others: ["b/y"])
        #expect(captured.text == "[[b/y]] [[y]]")
        #expect(captured.unrepaired.isEmpty)
        let kept = repaired("[[y]]", in: "here", from: "q/old", to: "z/z/y", others: ["b/y"])
        #expect(kept.text == "[[y]]", "the shorter name still decides")
    }

    /// Of links that overlap, only the first is repaired.
    @Test func linkInADefinition_isPartOfIt() {
        #expect(repaired("[a]: y?[[y]]\n[[y]]", in: "here", from: "y", to: "z").text == "[a]: z?[[y]]\n[[z]]")
        #expect(repaired("[a]: y?[x](y)", in: "here", from: "y", to: "long").text == "[a]: long?[x](y)")
    }

    @Test func relativeLinksOfAMovedNote_followIt() {
        let notes = [("work/plan", "[x](inbox.md) [[inbox]] [x](../a.md) [[#h]]"), ("work/inbox", ""), ("a", "")].enumerated().map
        {
            LinkOracle.Note(id: noteID(UInt64($0.offset)), name: $0.element.0, text: $0.element.1)
        }
        let moved = RenamedNotes(LinkOracle(notes), names: [noteID(0): "plan"])
        #expect(moved.after.notes[0].text == "[x](work/inbox.md) [[inbox]] [x](a.md) [[#h]]")
    }

    /// The text of a note, and what is listed, after it was renamed.
    private func moved(
        _ text: String, from old: String?, to new: String?, others: [String] = []
    ) -> (text: String, unrepaired: [UnrepairedLink]) {
        let notes = [(old, text)] + others.map { (Optional($0), "text\n") }
        let oracle = LinkOracle(notes.enumerated().map { LinkOracle.Note(id: noteID(UInt64($0)), name: $1.0, text: $1.1) })
        let result = RenamedNotes(oracle, names: [noteID(0): new])
        return (result.after.notes[0].text, result.repairs.unrepaired)
    }

    /// A relative link to a file that is no note leads to the same path, whatever its form.
    @Test(
        arguments: [
            ("![a](../Files/photo%201.png)", "![a](../../Files/photo%201.png)"),
            ("[m](../Files/m.pdf?x=1#page=2 't')", "[m](../../Files/m.pdf?x=1#page=2 't')"),
            ("[c](<../Boards/My Ideas.canvas>)", "[c](<../../Boards/My Ideas.canvas>)"), ("![a](a.png)", "![a](../../in/a.png)"),
            ("![a](./a.png)", "![a](../../in/a.png)"), ("![a](../../out.png)", "![a](../../../out.png)"),
            ("[x]: ../Files/x.mp3\n", "[x]: ../../Files/x.mp3\n"), ("![[../Files/a.png]]", "![[../../Files/a.png]]"),
            ("![a](../done/deep/a.png)", "![a](a.png)"), ("![a](../done/deep/n/a.png)", "![a](n/a.png)"),
        ])
    func relativeLinkToAFile_followsTheNote(before: String, after: String) {
        let result = moved(before, from: "in/n", to: "done/deep/n")
        #expect(result.text == after)
        #expect(result.unrepaired.isEmpty)
    }

    /// Links that another place of the note does not change, and those to notes and folders that do not exist.
    @Test(
        arguments: [
            "![[photo.png]] [[Files/m.pdf]]", "[e](https://x.y/a.png) [m](mailto:a@b.png) [d](//x.y/a.png)", "![a](/Files/a.png)",
            "[h](#a.png)", "[t](todo.md) [t](todo) [f](sub/) [v](v1.2)", "`![a](a.png)` <!-- ![a](a.png) -->",
        ])
    func otherLinkThatMeansNoNote_stays(text: String) {
        #expect(moved(text, from: "in/n", to: "done/deep/n").text == text)
    }

    @Test func linkToAFile_staysWithItsFolderOrWithoutAName() {
        #expect(moved("![a](a.png)", from: "in/n", to: "in/b").text == "![a](a.png)")
        #expect(moved("![a](../f/../a.png)", from: "in/n", to: "out/b").text == "![a](../f/../a.png)")
        #expect(moved("![a](a.png)", from: nil, to: "in/b").text == "![a](a.png)")
        #expect(moved("![a](a.png)", from: "in/b", to: nil).text == "![a](a.png)")
    }

    /// The new path means no note by its last parts.
    @Test func linkToAFile_meansNoNoteAfterwards() {
        #expect(moved("![a](in/a.png)", from: "n", to: "in/n", others: ["q/a.png"]).text == "![a](./a.png)")
    }

    @Test func linkToAFile_thatHasNoRoomForThePath_isListed() {
        let target = "../" + String(repeating: "a", count: 3_490) + ".png"
        let result = moved("![a](\(target))", from: "in/n", to: "in/deep/down/n")
        #expect(result.text == "![a](\(target))")
        #expect(result.unrepaired.map(\.reason) == [.noPath] && result.unrepaired.first?.target == ByteString(target))
    }

    /// A link that another program changed after the renaming stays, and so does one to a file that moved
    /// along.
    @Test func textOfNow_decides() {
        var repair = LinkRepair([
            NoteRenaming(note: noteID(0), old: "plan", new: "w/plan"), NoteRenaming(note: noteID(1), old: "n", new: "w/n"),
        ])
        repair.add(noteID(1), name: "n", text: bytes("[[plan]] ![a](a.png) ![b](b.png)"))
        repair.add(noteID(2), name: "c", text: bytes("[p](plan.md)"))
        repair.add(noteID(3), name: "d", text: bytes("[p](plan.md)"))
        let plan = LinkedNote(id: noteID(0), name: "plan")
        var answers: [LinkQuestion: LinkAnswer] = [:]
        for question in repair.questionsBefore {
            let isPlan = question.target.text.hasPrefix("plan")
            answers[question] = LinkAnswer(notes: isPlan ? [plan] : [], isCut: false)
        }
        repair.setMeanings(answers)
        repair.setText(bytes("new [p](<w/plan.md>) [p](plan.md)"), of: noteID(2))
        repair.setText(nil, of: noteID(3))
        #expect(repair.linkingNotes == [noteID(1), noteID(2)])
        #expect(repair.files == ["a.png", "b.png"])
        repair.setAbsentFiles(["a.png"])
        answers = [:]
        while case let questions = repair.questions(after: answers), !questions.isEmpty {
            for question in questions {
                let isPlan = ["w/plan.md", "plan"].contains(question.target.text)
                let notes = isPlan ? [LinkedNote(id: noteID(0), name: "w/plan")] : []
                answers[question] = LinkAnswer(notes: notes, isCut: false)
            }
        }
        let texts = repair.repairs(answers).texts.map { string($0.bytes) }
        #expect(texts == ["[[plan]] ![a](a.png) ![b](../b.png)", "new [p](<w/plan.md>) [p](w/plan.md)"])
    }

    /// If the daemon's answer does not show what a link meant, it is listed and not changed.
    @Test func linkThatManyRenamedNotesCapture_isListed() {
        let others = (0..<7).map { "old\($0)/deep\($0)/x" }
        let names = ["b/here", "bb/cc/x"] + others
        let notes = names.enumerated().map {
            LinkOracle.Note(id: noteID(UInt64($0.offset)), name: $0.element, text: $0.offset == 0 ? "[[x]]" : "")
        }
        let moves = (0..<7).map { (noteID(UInt64($0 + 2)), Optional("b/\($0)/x")) }
        let oracle = LinkOracle(notes)
        #expect(oracle.meaning(of: LinkTarget(kind: .wiki, decoded: "x"), inNoteNamed: "b/here") == noteID(1))
        let moved = RenamedNotes(oracle, names: Dictionary(uniqueKeysWithValues: moves))
        #expect(moved.repairs.unrepaired.map(\.reason) == [.tooManyNotes])
        #expect(moved.after.notes[0].text == "[[x]]")
    }

    // MARK: - The law

    /// After a renaming and its repairs, every link that meant a note means it, or it is listed; and no
    /// byte outside the targets has changed.
    @Test(arguments: seeds(60))
    func link_meansWhatItMeantOrIsListed(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let oracle = Self.decorated(LinkOracle.random(22, using: &generator), using: &generator)
        guard let names = Self.renamings(of: oracle, using: &generator) else { return }
        let moved = RenamedNotes(oracle, names: names)
        var unrepaired = moved.repairs.unrepaired
        for (index, note) in oracle.notes.enumerated() {
            let (repaired, renamed) = (moved.after.notes[index], moved.renamed.notes[index])
            let (old, new) = (Links.of(bytes(note.text)), Links.of(bytes(repaired.text)))
            #expect(Self.gaps(note.text, old) == Self.gaps(repaired.text, new), "seed \(seed): \(note) became \(repaired)")
            guard old.count == new.count else { continue }
            for (link, now) in zip(old, new) where !link.target.isEmpty {
                #expect(link.fragment == now.fragment, "seed \(seed): \(link) became \(now)")
                guard let meant = oracle.meaning(of: LinkTarget(link), inNoteNamed: note.name) else { continue }
                let means = moved.after.meaning(of: LinkTarget(now), inNoteNamed: repaired.name)
                if means != meant {
                    let listed = unrepaired.firstIndex { $0.note == note.id && $0.target == link.target }
                    #expect(listed != nil, "seed \(seed): \(link) of \(note) became \(now); renamed \(names)")
                    if let listed { unrepaired.remove(at: listed) }
                }
                let stays = moved.renamed.meaning(of: LinkTarget(link), inNoteNamed: renamed.name) == meant
                if stays, link.kind != .path, moved.before.notes[index].name == renamed.name {
                    let isSame = link.target == now.target || Self.isLabel(link, oracle, meant)
                    #expect(isSame || names[meant] != nil, "seed \(seed): \(link) became \(now) without need")
                }
            }
        }
        #expect(unrepaired.isEmpty, "seed \(seed): listed, but they mean their notes: \(unrepaired)")
        for link in moved.repairs.unrepaired where link.reason == .noTarget {
            #expect(link.meant != nil, "seed \(seed)")
        }
    }

    private static func isLabel(_ link: Link, _ oracle: LinkOracle, _ note: NoteID) -> Bool {
        let name = oracle.notes.first { $0.id == note }?.name
        return name.map { !NoteLabels(name: TestKit.name($0), text: []).keys.contains(LinkPath.key(link.target)) } ?? true
    }

    /// The text without its targets and `note:`.
    private static func gaps(_ text: String, _ links: [Link]) -> [[UInt8]] {
        let text = bytes(text)
        var gaps: [[UInt8]] = []
        var start = 0
        for link in links {
            let end = link.kind == .id ? link.range.lowerBound - 5 : link.range.lowerBound
            gaps.append(Array(text[start..<end]))
            start = link.range.upperBound
        }
        return gaps + [Array(text[start...])]
    }

    /// Adds links in front matter and in code.
    private static func decorated(_ oracle: LinkOracle, using generator: inout SeededGenerator) -> LinkOracle {
        var oracle = oracle
        let names = oracle.notes.compactMap(\.name)
        for index in oracle.notes.indices {
            let target = generator.pick(names)
            switch generator.below(6) {
            case 0 where !oracle.notes[index].text.hasPrefix("---"):
                oracle.notes[index].text = "---\nup: \"[[\(target)]]\"\n---\n" + oracle.notes[index].text
            case 1: oracle.notes[index].text += "`[[\(target)]]` <!-- [[\(target)]] --> [[\(target)]] ` x <http: y\n"
            default: break
            }
        }
        return oracle
    }

    private static func renamings(of oracle: LinkOracle, using generator: inout SeededGenerator) -> [NoteID: String?]? {
        let names = oracle.notes.compactMap(\.name)
        var moves: [NoteID: String?] = [:]
        if generator.chance(0.3) {
            let (old, new) = (
                generator.pick(["a/", "a/b/", "c/", "Ä/"]), generator.pick(["", "a/", "a/new (2)/", "日本/", "a/b/c/"])
            )
            for note in oracle.notes {
                guard let name = note.name, bytes(name).starts(with: bytes(old)) else { continue }
                moves[note.id] = new + string(Array(bytes(name).dropFirst(bytes(old).count)))
            }
        } else {
            let note = generator.pick(oracle.notes)
            let last = generator.pick(
                [
                    "x", "new", "a b", "x.y", "c++ (2)", "50% off", "what?", "it's", "index", "a&b", "[draft]", "x#y", "a|b",
                    "a]b",
                    "b`", "a\\", "re:x", "<x>", "20240101 new", "k7x2-new", "a(b", "z.md", "\u{A0}n", "-->",
                    string(bytes(names[0]).split(separator: UInt8(ascii: "/")).last.map(Array.init) ?? []),
                ])
            moves[note.id] =
                generator.chance(0.05) ? String?.none : generator.pick(["", "a/", "a/b/", "c/", "new/", "日本 é/"]) + last
        }
        let taken = oracle.notes.filter { moves[$0.id] == nil }.compactMap(\.name).map(bytes)
        let new = moves.values.compactMap { $0 }.map(bytes)
        guard !moves.isEmpty, Set(new).count == new.count, !new.contains(where: taken.contains) else { return nil }
        return moves
    }
}
