import NoteText
import NotesModel
import TestKit
import Testing

@testable import NotesSearch

@Suite struct LinkIndexTests {
    /// A link as a response names it.
    private struct Place: Hashable {
        let note: NoteID
        let start: Int
    }

    private static func entry(_ note: LinkOracle.Note, at commit: UInt64, isDeleted: Bool = false) -> SearchIndex.Entry {
        SearchIndex.Entry(
            id: note.id, commit: commit,
            contents: isDeleted ? nil : SearchIndex.Entry.Contents(name: note.noteName, text: bytes(note.text), tags: []))
    }

    /// All links that mean a note, read in pages.
    private static func incoming(_ index: SearchIndex, _ id: NoteID, limit: Int) throws -> [Place] {
        var places: [Place] = []
        var after: LinkPosition?
        repeat {
            guard
                case .incoming(let page, let next) = try index.links(
                    .incoming(ListIncomingLinks(id: id, limit: limit, after: after)), through: 0)
            else { throw SearchFault.failed("another answer") }
            #expect(page.count <= limit)
            places += page.map { Place(note: $0.note, start: $0.start.utf8) }
            after = next
        } while after != nil
        return places
    }

    private static func missing(_ index: SearchIndex, limit: Int) throws -> [MissingTarget] {
        var targets: [MissingTarget] = []
        var after: MissingLinkPosition?
        repeat {
            guard
                case .missing(let page, let next) = try index.links(
                    .missing(ListMissingLinks(limit: limit, after: after)), through: 0)
            else { throw SearchFault.failed("another answer") }
            #expect(page.count <= limit)
            targets += page
            after = next
        } while after != nil
        return targets
    }

    /// Creates, renames, changes and deletes notes. The index lists the links that mean each note as the
    /// rules over all notes do, in pages of any size, and counts the links that mean nothing.
    @Test(arguments: seeds(12))
    func links_areThoseOfTheRulesOverAllNotes(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let folder = try TemporaryDirectory()
        let index = try SearchIndexTests.open(folder)
        var oracle = LinkOracle.random(20, using: &random)
        var commit: UInt64 = 0
        var order: [NoteID: UInt64] = [:]
        func add(_ note: LinkOracle.Note, isDeleted: Bool = false) throws {
            let entry = Self.entry(note, at: commit + 1, isDeleted: isDeleted)
            try index.add(SearchIndexTests.batch([entry], after: commit, through: commit + 1))
            commit += 1
            order[note.id] = commit
        }
        for note in oracle.notes { try add(note) }
        for _ in 0..<8 {
            let place = random.below(oracle.notes.count)
            switch random.below(3) {
            case 0: try add(oracle.notes.remove(at: place), isDeleted: true)
            case 1:
                oracle.notes[place].name = "a/\(random.pick(["x", "index", "new"]))\(commit)"
                try add(oracle.notes[place])
            default:
                oracle.notes[place].text = LinkOracle.randomText(oracle.notes.compactMap(\.name), using: &random)
                try add(oracle.notes[place])
            }
        }
        var expected: [NoteID: Set<Place>] = [:]
        var links = 0
        for note in oracle.notes {
            for link in Links.of(bytes(note.text)) where !link.target.isEmpty {
                links += 1
                let meaning = oracle.meaning(of: LinkTarget(link), inNoteNamed: note.name)
                guard let meaning, meaning != note.id else { continue }
                expected[meaning, default: []].insert(Place(note: note.id, start: link.range.lowerBound))
            }
        }
        for note in oracle.notes {
            let found = try Self.incoming(index, note.id, limit: 1 + random.below(4))
            #expect(Set(found) == expected[note.id] ?? [], "seed \(seed): links to \(note)")
            #expect(found.count == Set(found).count, "seed \(seed): a link is on two pages")
            #expect(zip(found, found.dropFirst()).allSatisfy { ($1.note, $0.start) < ($0.note, $1.start) || $0.note > $1.note })
        }
        for note in oracle.notes {
            guard let name = note.name, !name.contains("\"") else { continue }
            let target = oracle.meaning(of: LinkTarget(kind: .wiki, decoded: ByteString(name)), inNoteNamed: nil)
            let linking = oracle.notes.filter { note in
                Links.of(bytes(note.text)).contains {
                    !$0.target.isEmpty && target != nil && oracle.meaning(of: LinkTarget($0), inNoteNamed: note.name) == target
                }
            }
            let found = try SearchIndexTests.found(index, "link:\"\(name)\"", nil)
            #expect(found == linking.map(\.id).sorted { order[$0, default: 0] > order[$1, default: 0] }, "seed \(seed): \(name)")
            let others = try SearchIndexTests.found(index, "link:\"\(name)\" -link:\"\(name)\"", nil)
            #expect(others.isEmpty, "seed \(seed): \(name)")
        }
        let missing = try Self.missing(index, limit: 1 + random.below(4))
        #expect(missing.map(\.target) == missing.map(\.target).sorted(), "seed \(seed)")
        #expect(try Self.missing(index, limit: 1_000) == missing, "seed \(seed): pages differ from the whole list")
        let without = oracle.notes.reduce(0) { sum, note in
            sum
                + Links.of(bytes(note.text)).count {
                    !$0.target.isEmpty && oracle.meaning(of: LinkTarget($0), inNoteNamed: note.name) == nil
                }
        }
        let counted = missing.reduce(0) { $0 + $1.links }
        #expect(counted <= without && counted <= links, "seed \(seed)")
        #expect(try index.check().isEmpty, "seed \(seed)")
    }

    /// A condition on links joins other terms, excludes, and is refused where it cannot be evaluated.
    @Test func linkTerms_joinOtherTerms() throws {
        let folder = try TemporaryDirectory()
        let index = try SearchIndexTests.open(folder)
        let texts = ["target", "tea [[n0]]", "milk [x](n0.md)", "tea", "tea and milk ![[N0]]"]
        let entries = texts.enumerated().map { number, text in
            Self.entry(LinkOracle.Note(id: noteID(UInt64(number)), name: "n\(number)", text: text), at: UInt64(number + 1))
        }
        try index.add(SearchIndexTests.batch(entries, after: 0, through: UInt64(texts.count)))
        let expected: [(String, Set<UInt64>)] = [
            ("link:n0", [1, 2, 4]), ("link:n0.md", [1, 2, 4]), ("link:n0 tea", [1, 4]), ("tea -link:n0", [3]),
            ("link:n0 -milk", [1]), ("(link:n0)", [1, 2, 4]), ("link:n0 link:nothing", []), ("tea -link:nothing", [1, 3, 4]),
        ]
        for (query, numbers) in expected {
            #expect(Set(try SearchIndexTests.found(index, query)) == Set(numbers.map { noteID($0) }), "\(query)")
        }
        // Pages of one hit list each note once, newest first.
        var (found, place) = ([NoteID](), SearchPosition?.none)
        repeat {
            let page = try index.find(SearchIndexTests.query("link:n0"), limit: 1, after: place, through: 0)
            found += page.hits.map(\.id)
            place = page.next
        } while place != nil
        #expect(found == [noteID(4), noteID(2), noteID(1)])
        for query in ["link:n0 OR tea", "milk (tea link:n0)"] {
            #expect(throws: SearchFault.self) { _ = try SearchIndexTests.found(index, query) }
        }
        // Too many links to read: a search for them says so, and excluding them is refused.
        index.linkBytesMax = 1
        #expect(try index.find(SearchIndexTests.query("link:n0"), limit: 10, after: nil, through: 0).isTruncated)
        #expect(throws: SearchFault.self) { _ = try SearchIndexTests.found(index, "tea -link:n0") }
    }

    @Test func snippet_isTheLineAroundTheLink_withPositionsOfEachEncoding() throws {
        let folder = try TemporaryDirectory()
        let index = try SearchIndexTests.open(folder)
        let long = String(repeating: "é", count: 400)
        let notes = [
            LinkOracle.Note(id: noteID(1), name: "to", text: ""),
            LinkOracle.Note(id: noteID(2), name: "a", text: "x\n  👍 see [[to#h]] there  \nz"),
            LinkOracle.Note(id: noteID(3), name: "b", text: "\(long)[[to]]\(long)"),
        ]
        let entries = notes.enumerated().map { Self.entry($0.element, at: UInt64($0.offset + 1)) }
        try index.add(SearchIndexTests.batch(entries, after: 0, through: 3))
        guard
            case .incoming(let links, nil) = try index.links(
                .incoming(ListIncomingLinks(id: noteID(1), limit: 10, after: nil)), through: 3)
        else {
            Issue.record("no page")
            return
        }
        #expect(links.map(\.note) == [noteID(3), noteID(2)], "the newest note first")
        #expect(string(links[1].snippet) == "👍 see [[to#h]] there")
        #expect(links[1].start == TextPosition(utf8: 15, utf16: 13, utf32: 12) && links[1].fragment == "h")
        #expect(links[0].snippet.count <= LinkReader.snippetMax && string(links[0].snippet).contains("[[to]]"))
    }

    /// A note with more links than a page examines is read to its end in several pages.
    @Test func manyLinks_takeSeveralPages() throws {
        let folder = try TemporaryDirectory()
        let index = try SearchIndexTests.open(folder)
        let text = String(repeating: "[[to]] [[no]]\n", count: LinkLimits.linksMax / 2)
        let notes = ["to", "a", "b", "c"].enumerated().map {
            LinkOracle.Note(id: noteID(UInt64($0.offset)), name: $0.element, text: $0.offset == 0 ? "" : text)
        }
        let entries = notes.enumerated().map { Self.entry($0.element, at: UInt64($0.offset + 1)) }
        try index.add(SearchIndexTests.batch(entries, after: 0, through: 4))
        #expect(try Self.incoming(index, noteID(0), limit: 1_000).count == 3 * LinkLimits.linksMax / 2)
        guard
            case .missing(let page, next: _?) = try index.links(
                .missing(ListMissingLinks(limit: 1_000, after: nil)), through: 4)
        else {
            Issue.record("there are more links than one page examines")
            return
        }
        #expect(page.map(\.links) == [LinkReader.missingLinksMax])
        let missing = try Self.missing(index, limit: 1_000)
        #expect(Set(missing.map(\.target)) == ["no"])
        #expect(missing.reduce(0) { $0 + $1.links } == 3 * LinkLimits.linksMax / 2)
    }

    /// Long targets of links to one note end a page early, and every link is on one page.
    @Test func longTargetsOfOneNote_takeSeveralPages() throws {
        let folder = try TemporaryDirectory()
        let index = try SearchIndexTests.open(folder)
        // A tenth of the bytes and of the links, so that the test is quick.
        index.linkBytesMax = LinkReader.rowBytesMax / 10
        let count = 90
        let link = "é [x](" + String(repeating: "./", count: 1_700) + "to.md)\n"
        let notes = [
            LinkOracle.Note(id: noteID(0), name: "to", text: ""),
            LinkOracle.Note(id: noteID(1), name: "a", text: String(repeating: link, count: count)),
        ]
        try index.add(
            SearchIndexTests.batch(
                notes.enumerated().map { Self.entry($0.element, at: UInt64($0.offset + 1)) }, after: 0, through: 2))
        var all: [LinkFindings.Incoming] = []
        var (pages, after) = (0, LinkPosition?.none)
        repeat {
            guard
                case .incoming(let page, let next) = try index.links(
                    .incoming(ListIncomingLinks(id: noteID(0), limit: 1_000, after: after)), through: 2)
            else { throw SearchFault.failed("another answer") }
            try #require(!page.isEmpty || next == nil)
            all += page
            (pages, after) = (pages + 1, next)
        } while after != nil
        #expect(pages > 1 && all.count == count)
        // Each line has one scalar of two bytes.
        #expect(all.indices.allSatisfy { all[$0].start.utf8 - all[$0].start.utf16 == $0 + 1 })
        #expect(all.allSatisfy { $0.end.utf32 - $0.start.utf32 == $0.target.utf8.count })
    }

    /// Long targets end a page before the limits of links and targets do.
    @Test func longTargets_takeSeveralPages() throws {
        let folder = try TemporaryDirectory()
        let index = try SearchIndexTests.open(folder)
        // A hundredth of the bytes and of the links, so that the test is quick.
        index.linkBytesMax = LinkReader.rowBytesMax / 100
        let long = String(repeating: "x", count: LinkLimits.targetBytesMax - 10)
        let linksMax = index.linkBytesMax / LinkLimits.targetBytesMax
        let text = (0..<linksMax).map { "[[\(10_000 + $0)\(long)]]\n" }.joined()
        let note = LinkOracle.Note(id: noteID(0), name: "a", text: text)
        try index.add(SearchIndexTests.batch([Self.entry(note, at: 1)], after: 0, through: 1))
        guard
            case .missing(let page, let next) = try index.links(
                .missing(ListMissingLinks(limit: linksMax, after: nil)), through: 1)
        else {
            Issue.record("another answer")
            return
        }
        #expect(page.count < linksMax && next != nil)
        let missing = try Self.missing(index, limit: linksMax)
        #expect(missing.map(\.target.utf8.count) == Array(repeating: long.utf8.count + 5, count: linksMax))
        #expect(Set(missing.map(\.target)).count == linksMax)
    }

    /// Targets with very many possible meanings are resolved in several requests, each of which makes
    /// progress, and a repeated target costs nothing.
    @Test func manyMeanings_takeSeveralRequests() throws {
        let folder = try TemporaryDirectory()
        let index = try SearchIndexTests.open(folder)
        let count = LinkReader.workMax / 90
        let entries = (0..<count).map {
            Self.entry(LinkOracle.Note(id: noteID(UInt64($0)), name: "\($0)/abcdefg", text: ""), at: UInt64($0 + 1))
        }
        try index.add(SearchIndexTests.batch(entries, after: 0, through: UInt64(count)))
        func resolve(_ targets: [LinkTarget]) throws -> [LinkFindings.Resolved] {
            guard
                case .resolved(let found) = try index.links(
                    .resolve(ResolveLinks(targets: targets, from: nil)), through: UInt64(count))
            else {
                throw SearchFault.failed("another answer")
            }
            return found
        }
        // The spellings of one name in small and capital letters.
        let targets = (0..<100).map { number in
            let letters = "abcdefg".enumerated().map { number >> $0.offset & 1 == 0 ? "\($0.element)" : $0.element.uppercased() }
            return LinkTarget(kind: .wiki, decoded: ByteString(letters.joined()))
        }
        var found: [LinkFindings.Resolved] = []
        var requests = 0
        while found.count < targets.count {
            let part = try resolve(Array(targets[found.count...]))
            try #require(!part.isEmpty)
            found += part
            requests += 1
        }
        #expect(requests == 2)
        #expect(found.allSatisfy { $0.more == count - LinkReader.candidatesMax && $0.notes.first?.id == noteID(0) })
        #expect(try resolve(Array(repeating: targets[0], count: 100)).count == 100)
    }

    /// A file is known by its name, and its pointer line is not searched. A picture without a file is missing as soon as
    /// there is a file.
    @Test func file_isFoundByItsNameAndDescription() throws {
        let folder = try TemporaryDirectory()
        let index = try SearchIndexTests.open(folder)
        let pointer = "notesd-file sha256:\(String(repeating: "ab", count: 32)) 7"
        let notes = [
            LinkOracle.Note(
                id: noteID(0), name: "trips/here", text: "![[garden.png|300]] ![x](../pics/lost.jpg) [x](a.py) [x](pics/)"),
            LinkOracle.Note(id: noteID(1), name: "pics/garden.png", text: pointer + "\n\nRoses, see [[here]] 日本 #red\n"),
            LinkOracle.Note(id: noteID(2), name: "pics/two.png", text: pointer),
        ]
        try index.add(SearchIndexTests.batch([Self.entry(notes[0], at: 1)], after: 0, through: 1))
        #expect(try Self.missing(index, limit: 9).map(\.target) == ["trips/pics"], "a store without files")
        try index.add(SearchIndexTests.batch([Self.entry(notes[1], at: 2), Self.entry(notes[2], at: 3)], after: 1, through: 3))
        #expect(try Self.missing(index, limit: 9).map(\.target) == ["pics/lost.jpg"])
        #expect(try Self.incoming(index, noteID(1), limit: 9) == [Place(note: noteID(0), start: 3)])
        let inDescription = pointer.utf8.count + "\n\nRoses, see [[".utf8.count
        #expect(try Self.incoming(index, noteID(0), limit: 9) == [Place(note: noteID(1), start: inDescription)])
        let all: [NoteKind?] = [.text, .file, nil]
        func found(_ query: String, _ kind: NoteKind?) throws -> [NoteID] {
            try index.find(SearchIndexTests.query(query), kind, limit: 9, after: nil, through: 3).hits.map(\.id)
        }
        for (query, files) in [("roses", [1]), ("日本", [1]), ("name:png", [2, 1]), ("link:here", [1]), ("sha256", []), ("7", [])] {
            let files = files.map { noteID(UInt64($0)) }
            #expect(try all.map { try Set(found(query, $0)) } == [[], Set(files), Set(files)], "\(query)")
        }
        #expect(try all.map { try found("link:pics/garden.png", $0) } == [[noteID(0)], [], [noteID(0)]])
        let hit = try index.find(SearchIndexTests.query("garden"), .file, limit: 9, after: nil, through: 3).hits.first
        #expect(hit.map { string($0.excerpt.text) } == "Roses, see [[here]] 日本 #red\n")
        for kind in all {
            let query = ResolveLinks(targets: [LinkTarget(kind: .embed, decoded: "garden.png")], from: noteID(0), kind: kind)
            guard case .resolved(let found) = try index.links(.resolve(query), through: 3) else {
                throw SearchFault.failed("another answer")
            }
            #expect(found.map { $0.notes.map(\.id) } == (kind == .text ? [[]] : [[noteID(1)]]))
        }
        #expect(try index.check().isEmpty)
        // A deleted file is not known, and a text can take its name.
        try index.add(
            SearchIndexTests.batch(
                [Self.entry(notes[1], at: 4, isDeleted: true), Self.entry(notes[2], at: 5, isDeleted: true)], after: 3, through: 5
            ))
        #expect(try Self.missing(index, limit: 9).map(\.target) == ["trips/pics"])
        #expect(try index.check().isEmpty)
    }

    @Test func resolve_listsTheMeaningAndOthers() throws {
        let folder = try TemporaryDirectory()
        let index = try SearchIndexTests.open(folder)
        let names = ["a/x", "b/x", "c/x", "d/x", "e/x", "f/x", "b/here"]
        let entries = names.enumerated().map {
            Self.entry(LinkOracle.Note(id: noteID(UInt64($0.offset)), name: $0.element, text: ""), at: UInt64($0.offset + 1))
        }
        try index.add(SearchIndexTests.batch(entries, after: 0, through: 7))
        let targets = [LinkTarget(kind: .wiki, decoded: "X"), LinkTarget(kind: .path, decoded: "y.md")]
        guard case .resolved(let found) = try index.links(.resolve(ResolveLinks(targets: targets, from: noteID(6))), through: 7)
        else {
            Issue.record("another answer")
            return
        }
        #expect(found[0].notes.map(\.id) == [1, 0, 2, 3, 4].map { noteID($0) } && found[0].more == 1)
        #expect(found[0].notes.first?.commit == 2)
        #expect(found[1].notes.isEmpty && found[1].more == 0)
    }
}
