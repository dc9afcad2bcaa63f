import NoteText
import NotesModel
import TestKit
import Testing

/// A lookup in memory through the keys that the index uses.
struct KeyLookup: LinkLookup {
    private var names: [NoteKind: [ByteString: [LinkedNote]]] = [:]
    private var tails: [(key: ByteString, folded: ByteString, note: LinkedNote, kind: NoteKind)] = []
    private var aliases: [ByteString: [LinkedNote]] = [:]
    private var titles: [ByteString: [LinkedNote]] = [:]
    private var ids: [ByteString: [LinkedNote]] = [:]
    private var notes: [NoteID: (note: LinkedNote, kind: NoteKind)] = [:]

    init(_ oracle: LinkOracle) {
        for note in oracle.notes {
            let (labels, kind) = (note.labels, note.isFile ? NoteKind.file : .text)
            let linked = LinkedNote(id: note.id, name: labels.name)
            notes[note.id] = (linked, kind)
            for alias in Set(labels.aliases.map(NameFolding.fold)) { aliases[alias, default: []].append(linked) }
            if !labels.title.isEmpty { titles[NameFolding.fold(labels.title), default: []].append(linked) }
            guard let name = labels.name else { continue }
            names[kind, default: [:]][NameFolding.fold(name), default: []].append(linked)
            tails.append((LinkPath.key(name), NameFolding.fold(name), linked, kind))
            if kind == .text, let id = labels.leadingID { ids[id, default: []].append(linked) }
        }
        tails.sort { ($0.key, $0.note.id) < ($1.key, $1.note.id) }
    }

    func note(_ id: NoteID, of kind: NoteKind?) -> LinkedNote? {
        notes[id].flatMap { kind == nil || kind == $0.kind ? $0.note : nil }
    }
    func notes(named folded: ByteString, of kind: NoteKind) -> [LinkedNote] { names[kind]?[folded] ?? [] }
    func notes(endingIn folded: ByteString, of kind: NoteKind) -> [LinkedNote] {
        let ending = bytes("/") + folded.utf8
        let key = LinkPath.key(folded)
        return tails.filter { $0.kind == kind && $0.key.hasPrefix(key) && $0.folded.utf8.suffix(ending.count) == ending[...] }
            .map(\.note)
    }
    func notes(aliased folded: ByteString) -> [LinkedNote] { aliases[folded] ?? [] }
    func notes(titled folded: ByteString) -> [LinkedNote] { titles[folded] ?? [] }
    func notes(withLeadingID id: ByteString) -> [LinkedNote] { ids[id] ?? [] }
    func isFolder(_ folded: ByteString) -> Bool {
        tails.contains { $0.folded.hasPrefix(ByteString(validUTF8: folded.utf8 + bytes("/"))) }
    }
    func hasFiles() -> Bool { names[.file] != nil }
}

@Suite struct LinkMeaningTests {
    /// The notes of the table of cases, except the linking note `work/here`.
    private static let vault: [(name: String, text: String)] = [
        ("inbox", "root\n"), ("work/inbox", "# In\n"),
        ("work/plan", "---\naliases: [The Plan, roadmap/next]\nid: k7x2\n---\n# Great plan\n"), ("work/sub/deep", ""),
        ("home/sub/deep", ""), ("a b", ""), ("work/c++ (2)", ""), ("Café", ""), ("v1.2", ""), ("what?", ""), ("x#y", ""),
        ("[draft]", ""), ("202301011230 My note", ""), ("old/notes.md.backup", ""), ("docs/README", ""), ("zz/aa/long", ""),
        ("longer-folder/long", ""), ("work/a&b", ""), ("Straße", ""), ("pipe|name", ""), ("10:30 talk", ""), ("a_b", ""),
    ]

    @Test(
        arguments: [
            ("[[inbox]]", .wiki, "inbox"), ("[[work/inbox]]", .wiki, "work/inbox"), ("[[./inbox]]", .wiki, "work/inbox"),
            ("[[../inbox]]", .wiki, "inbox"), ("[[../../inbox]]", .wiki, nil), ("[[/zz/aa/long]]", .wiki, "zz/aa/long"),
            ("[[/plan]]", .wiki, nil), ("[[INBOX.MD]]", .wiki, "inbox"), ("[[plan|shown]]", .wiki, "work/plan"),
            ("[[plan#A#B]]", .wiki, "work/plan"), ("[[plan#^b1\\|s]]", .wiki, "work/plan"), ("[[#Here]]", .wiki, ""),
            ("[[ plan ]]", .wiki, "work/plan"), ("![[plan]]", .embed, "work/plan"), ("[[deep]]", .wiki, "work/sub/deep"),
            ("[[sub/deep]]", .wiki, "work/sub/deep"), ("[[home/sub/deep]]", .wiki, "home/sub/deep"),
            ("[[ub/deep]]", .wiki, nil), ("[[long]]", .wiki, "zz/aa/long"), ("[[the plan]]", .wiki, "work/plan"),
            ("[[roadmap/next]]", .wiki, "work/plan"), ("[[k7x2]]", .wiki, "work/plan"),
            ("[[great plan]]", .wiki, "work/plan"), ("[[202301011230]]", .wiki, "202301011230 My note"),
            ("[[CAFE\u{301}]]", .wiki, "Café"), ("[[strasse]]", .wiki, nil), ("[[a\u{A0}b]]", .wiki, "a b"),
            ("[[a%20b]]", .wiki, nil), ("[[v1.2]]", .wiki, "v1.2"), ("[[notes.md.backup]]", .wiki, "old/notes.md.backup"),
            ("[[a&amp;b]]", .wiki, nil), ("[[x#y]]", .wiki, nil), ("[[pipe|name]]", .wiki, nil),
            ("[[[plan]]]", .wiki, "work/plan"), ("[[/[draft].md]]", .wiki, "[draft]"), ("[[ [[plan]]", .wiki, "work/plan"),
            ("[[work/]]", .wiki, nil), ("[[pic.png]]", .wiki, nil), ("[[plan]](inbox.md)", .path, "work/inbox"),
            ("\\[[plan]]", nil, nil), ("[\\[plan]]", nil, nil), ("`[[plan]]`", nil, nil), ("[[pl\nan]]", nil, nil),
            ("[[|x]]", nil, nil), ("[[]]", nil, nil), ("<!-- [[plan]] -->", nil, nil), ("%% [[plan]] %%", .wiki, "work/plan"),
            ("    [[plan]]", .wiki, "work/plan"), ("$[[plan]]$", .wiki, "work/plan"), ("[x](inbox.md)", .path, "work/inbox"),
            ("[x](inbox)", .path, "work/inbox"), ("[x](../inbox.md#h)", .path, "inbox"), ("[x](/inbox.md)", .path, "inbox"),
            ("[x](work/inbox.md)", .path, "work/inbox"), ("[x](sub/deep.md)", .path, "work/sub/deep"),
            ("[x](README.md)", .path, "docs/README"), ("[x](aa/long.md)", .path, "zz/aa/long"),
            ("[x](../a%20b.md)", .path, "a b"), ("[x](<../a b.md>)", .path, "a b"), ("[x](../a b.md)", nil, nil),
            ("[x](c++%20(2).md)", .path, "work/c++ (2)"), ("[x](../what?.md)", .path, "what?"),
            ("[x](plan.md?plain=1#L3)", .path, "work/plan"), ("[x](../x%23y.md)", .path, "x#y"),
            ("[x](../pipe%7Cname.md)", .path, "pipe|name"), ("[x](a&amp;b.md)", .path, "work/a&b"),
            ("[x](../a\\_b.md)", .path, "a_b"), ("[x](../Cafe%CC%81.md)", .path, "Café"),
            ("[x](../10:30%20talk.md)", .path, "10:30 talk"), ("[x](the%20plan)", .path, nil), ("[x](sub/)", .path, nil),
            ("[x](..)", .path, nil), ("[x](https://e.org/inbox.md)", nil, nil), ("[x](//e.org/inbox.md)", nil, nil),
            ("[x](#h)", nil, nil), ("<inbox.md>", nil, nil), ("<a href=\"inbox.md\">x</a>", nil, nil),
            ("[x]: inbox.md \"t\"", .path, "work/inbox"), ("[^1]: inbox.md", nil, nil),
            ("![x](inbox.md)", .path, "work/inbox"), ("[x\ny](inbox.md)", .path, "work/inbox"),
            ("[x](plan.md \"T\")", .path, "work/plan"), ("[x](plan.html)", .path, nil), ("[x](note:ID)", .id, "work/plan"),
            ("---\nup: \"[[plan]]\"\n---\n", .wiki, "work/plan"), ("---\nup: \"[x](plan.md)\"\n---\n", nil, nil),
        ] as [(String, Link.Kind?, String?)])
    func cases_haveTheirMeaning(text: String, kind: Link.Kind?, meaning: String?) throws {
        let notes = Self.vault.enumerated().map {
            LinkOracle.Note(id: noteID(UInt64($0.offset)), name: $0.element.name, text: $0.element.text)
        }
        let names = Dictionary(uniqueKeysWithValues: notes.map { ($0.id, $0.name) })
        let plan = try #require(notes.first { $0.name == "work/plan" })
        let text = text.contains("note:") ? text.replacing("ID", with: "\(plan.id)") : text
        let links = Links.of(bytes(text))
        #expect(links.map(\.kind) == (kind.map { [$0] } ?? []))
        guard let link = links.first, let kind else { return }
        if kind == .wiki || kind == .embed { #expect(Array(bytes(text)[link.range]) == link.target.utf8) }
        if meaning == "" {
            #expect(link.target.isEmpty)
            return
        }
        let oracle = LinkOracle(notes + [LinkOracle.Note(id: noteID(1_000), name: "work/here", text: text)])
        let target = LinkTarget(link)
        var lookup = KeyLookup(oracle)
        let found = target.meaning(in: "work", among: &lookup)
        #expect(found.flatMap { names[$0.id] ?? nil } == meaning)
        #expect(oracle.meaning(of: target, inNoteNamed: "work/here") == found?.id, "the oracle disagrees")
    }

    @Test(arguments: [
        ("[[work/]]", true), ("[[pic.png]]", true), ("[x](sub/)", true), ("[x](..)", true), ("[x](plan.html)", true),
        ("[x](pic.PNG?raw=1)", true), ("[[nowhere]]", false), ("[x](nowhere.md)", false), ("[x](note:nowhere)", false),
        ("[x](../longer-folder)", true), ("[x](longer-folder)", true), ("[[WORK]]", true), ("[[../nowhere/]]", false),
        ("[x](/work)", true), ("[x](/sub)", false), ("[[sub]]", false), ("[x](a.b)", false),
    ])
    func attachmentsAndFolders_areNotMissing(text: String, isNoNote: Bool) throws {
        let notes = Self.vault.enumerated().map {
            LinkOracle.Note(id: noteID(UInt64($0.offset)), name: $0.element.name, text: $0.element.text)
        }
        var lookup = KeyLookup(LinkOracle(notes))
        let target = LinkTarget(try #require(Links.of(bytes(text)).first))
        #expect(target.meaning(in: "work", among: &lookup) == nil)
        #expect(target.isAttachmentOrFolder(in: "work", among: &lookup) == isNoNote)
    }

    /// A link means a file by its whole name, and only if it means no text.
    @Test(
        arguments: [
            ("![[a.png]]", "work/a.png"), ("![[a.png|300]]", "work/a.png"), ("[[A.PNG]]", "work/a.png"),
            ("![[pics/a.png]]", "pics/a.png"), ("![x](a.png)", "work/a.png"), ("![x](./a.png)", "work/a.png"),
            ("![x](../pics/a.png)", "pics/a.png"), ("![x](/pics/a.png)", "pics/a.png"), ("![x](a%20b.pdf)", "pics/a b.pdf"),
            ("![x](<../pics/a b.pdf#page=2>)", "pics/a b.pdf"), ("![x](a.png?raw=1)", "work/a.png"),
            ("[x](note:ID)", "pics/a.png"),
            ("![[b.png]]", "work/b.png"), ("![x](b.png)", "work/b.png"), ("[[20240101]]", "20240101 t"), ("[[a]]", nil),
            ("[[caption]]", nil), ("[[title.png]]", "titled"), ("![x](title.png)", "pics/title.png"), ("![x](c.png)", nil),
        ] as [(String, String?)])
    func fileOfItsName_isMeantAfterTexts(text: String, meaning: String?) throws {
        let pointer = "notesd-file sha256:\(String(repeating: "ab", count: 32)) 7"
        let vault = [
            ("pics/a.png", pointer), ("work/a.png", pointer), ("pics/a b.pdf", pointer + "\n\n# caption\n"),
            ("work/b.png", "text"),
            ("b.png", pointer), ("20240101 t", ""), ("20240101 u.png", pointer), ("titled", "# title.png\n"),
            ("pics/title.png", pointer),
        ]
        let notes = vault.enumerated().map { LinkOracle.Note(id: noteID(UInt64($0)), name: $1.0, text: $1.1) }
        let link = try #require(Links.of(bytes(text.replacing("ID", with: "\(noteID(0))"))).first)
        var lookup = KeyLookup(LinkOracle(notes))
        let target = LinkTarget(link)
        #expect(target.meaning(in: "work", among: &lookup)?.name?.description == meaning)
        #expect(
            LinkOracle(notes).meaning(of: target, inNoteNamed: "work/here") == notes.first { $0.name == meaning }?.id,
            "the oracle disagrees")
        for kind in NoteKind.allCases {
            let ofKind = target.candidates(in: "work", among: &lookup, of: kind)
            let all = target.candidates(in: "work", among: &lookup)
            #expect(ofKind == all.filter { note in notes.contains { $0.id == note.id && $0.isFile == (kind == .file) } })
        }
        #expect(!target.isAttachmentOrFolder(in: "work", among: &lookup), "a picture without a file is missing")
    }

    @Test func theNoteBeneathTheLinkingFolder_isPreferred() {
        let notes = [("en/ui/views/map", ""), ("de/map", ""), ("x/map", "")].enumerated().map {
            LinkOracle.Note(id: noteID(UInt64($0.offset)), name: $0.element.0, text: $0.element.1)
        }
        var lookup = KeyLookup(LinkOracle(notes))
        let target = LinkTarget(kind: .wiki, text: "map", beforeQuery: nil)
        #expect(target.meaning(in: "en", among: &lookup)?.name == "en/ui/views/map")
        #expect(target.meaning(in: "", among: &lookup)?.name == "x/map", "the shortest")
        let all = target.candidates(in: "", among: &lookup).map { $0.name?.description }
        #expect(all == ["x/map", "de/map", "en/ui/views/map"])
    }

    @Test func amongNotesOfOneName_theOlderIDDecides() {
        let notes = [2, 1].map { LinkOracle.Note(id: noteID($0), name: "a", text: "") }
        var lookup = KeyLookup(LinkOracle(notes))
        #expect(LinkTarget(kind: .wiki, text: "a", beforeQuery: nil).meaning(in: "", among: &lookup)?.id == noteID(1))
    }

    /// The lookup through keys agrees with the rules applied to all notes, in either order of the notes.
    @Test(arguments: seeds(60))
    func meaning_isThatOfTheRulesOverAllNotes(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let oracle = LinkOracle.random(25, using: &generator)
        var lookup = KeyLookup(oracle)
        var reversed = KeyLookup(LinkOracle(oracle.notes.reversed()))
        var found = 0
        for note in oracle.notes {
            let folder = note.noteName.map { LinkPath.folder(of: $0.bytes) } ?? ""
            for link in Links.of(bytes(note.text)) where !link.target.isEmpty {
                let target = LinkTarget(link)
                let meaning = target.meaning(in: folder, among: &lookup)
                let expected = oracle.meaning(of: target, inNoteNamed: note.name)
                #expect(meaning?.id == expected, "seed \(seed): \(link) in \(note)")
                #expect(target.meaning(in: folder, among: &reversed) == meaning, "seed \(seed): the order of notes counts")
                #expect(target.candidates(in: folder, among: &lookup).first == meaning, "seed \(seed): \(link)")
                if meaning != nil { found += 1 }
            }
        }
        #expect(found > 0 || !isUsual(seed, of: 60), "seed \(seed)")
    }

    /// A label through which a link means a note has the link's key as a prefix, so `links.to` finds it.
    @Test(arguments: seeds(60))
    func keyOfALink_isAPrefixOfAKeyOfItsNote(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let oracle = LinkOracle.random(25, using: &generator)
        var lookup = KeyLookup(oracle)
        for note in oracle.notes {
            let folder = note.noteName.map { LinkPath.folder(of: $0.bytes) } ?? ""
            for link in Links.of(bytes(note.text)) where !link.target.isEmpty {
                guard let meaning = LinkTarget(link).meaning(in: folder, among: &lookup),
                    let target = oracle.notes.first(where: { $0.id == meaning.id })
                else { continue }
                let keys = NoteLabels(name: target.noteName, text: bytes(target.text)).keys
                let own = [link.target, link.targetBeforeQuery].compactMap { $0.map(LinkPath.key) }
                #expect(own.contains { keys.contains($0) }, "seed \(seed): \(link) means \(target)")
            }
        }
    }
}
