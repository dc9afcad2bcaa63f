import Causality
import Foundation
import Logging
import NoteText
import NotesModel
import NotesSQL
import TestKit
import Testing

@testable import NotesSearch

@Suite struct SearchIndexTests {
    private static let store = replica("F")

    static func open(_ folder: TemporaryDirectory, store: ReplicaID = store) throws -> SearchIndex {
        try SearchIndex(directory: folder.path, store: store, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    static func query(_ text: String) throws -> SearchQuery { try SearchQuery(parsing: ByteString(text)) }

    static func entry(_ number: UInt64, _ note: SearchableNote?, at commit: UInt64) throws -> SearchIndex.Entry {
        SearchIndex.Entry(
            id: noteID(number), commit: commit,
            contents: try note.map { note in
                SearchIndex.Entry.Contents(
                    name: try note.name.map { try NoteName(ByteString($0)) }, text: bytes(note.text),
                    tags: Tags.of(bytes(note.text)))
            })
    }

    static func batch(_ entries: [SearchIndex.Entry], after: UInt64, through: UInt64) -> SearchIndex.Batch {
        SearchIndex.Batch(
            after: after, through: Cursor(CommitPosition(sequence: through, replica: replica("A"))), entries: entries)
    }

    /// An index of these notes, numbered from 1.
    static func index(_ folder: TemporaryDirectory, _ texts: [String]) throws -> SearchIndex {
        let index = try open(folder)
        let entries = try texts.enumerated().map {
            try entry(UInt64($0 + 1), SearchableNote(name: nil, text: $1), at: UInt64($0 + 1))
        }
        try index.add(batch(entries, after: 0, through: UInt64(texts.count)))
        return index
    }

    static func found(
        _ index: SearchIndex, _ text: String, _ kind: NoteKind? = .text, limit: Int = 100
    ) throws -> [NoteID] {
        try index.find(try query(text), kind, limit: limit, after: nil, through: 0).hits.map(\.id)
    }

    // MARK: - What is found

    /// Creates, changes and deletes notes in random batches and sometimes reopens the index. Every
    /// query finds what a search through all texts finds, in pages of any size, each note once.
    @Test(arguments: seeds(30))
    func queries_matchFullScan(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let folder = try TemporaryDirectory()
        var index = try Self.open(folder)
        var notes: [UInt64: SearchableNote] = [:]
        var commit: UInt64 = 0
        for _ in 0..<12 {
            let after = commit
            var changed: [UInt64: (SearchableNote?, UInt64)] = [:]
            for _ in 0..<random.below(12) {
                commit += 1
                let number = 1 + UInt64(random.below(25))
                let note =
                    random.chance(0.2)
                    ? nil : SearchableNote(name: random.searchableName(number), text: random.searchableText(pieces: 12))
                notes[number] = note
                changed[number] = (note, commit)
            }
            let entries = try changed.sorted { $0.value.1 < $1.value.1 }.map {
                try Self.entry($0.key, $0.value.0, at: $0.value.1)
            }
            try index.add(Self.batch(entries, after: after, through: commit))
            if random.chance(0.2) {
                index.close()
                index = try Self.open(folder)
                #expect(index.position?.commit.sequence ?? 0 == commit, "seed \(seed)")
            }
            // Thresholds so low that there are posting sets: complete, partial and behind.
            index.thresholds = SelectivityThresholds(notesMin: Double(random.below(12)), timesMin: 1)
            for _ in 0..<8 {
                while index.isUnprepared, random.chance(0.6) { try index.prepare() }
                try expectRight(index, notes, random.query(), pages: 1 + random.below(9), seed)
            }
        }
        #expect(try index.check() == [], "seed \(seed)")
    }

    private func expectRight(
        _ index: SearchIndex, _ notes: [UInt64: SearchableNote], _ text: String, pages: Int, _ seed: UInt64
    ) throws {
        let query = try Self.query(text)
        var found: [NoteID] = []
        var scores: [UInt64] = []
        var place: SearchPosition?
        repeat {
            let page = try index.find(query, limit: pages, after: place, through: 0)
            #expect(page.hits.count <= pages && (page.next == nil || page.hits.count == pages) && !page.isTruncated)
            found += page.hits.map(\.id)
            place = page.next
            if let place { scores.append(place.scoreBits) }
        } while place != nil
        let expected = notes.filter { $0.value.matches(query.root) }.map { noteID($0.key) }
        #expect(Set(found) == Set(expected) && found.count == expected.count, "seed \(seed): \(text)")
        #expect(scores == scores.sorted(by: >), "seed \(seed): \(text)")
    }

    @Test func newestTenThousand_areRanked_andReportedTruncated() throws {
        let folder = try TemporaryDirectory()
        let index = try Self.index(folder, ["milk milk milk"] + (2...10_001).map { "milk \($0)" })
        let all = try index.find(try Self.query("milk"), limit: 100, after: nil, through: 10_001)
        #expect(
            all.isTruncated && all.hits.count == 100 && !all.hits.contains { $0.id == noteID(1) },
            "the oldest is the best, and not ranked")
        let most = try index.find(try Self.query("milk -9999"), limit: 1, after: nil, through: 10_001)
        #expect(!most.isTruncated && most.hits.map(\.id) == [noteID(1)], "of exactly so many all are")
    }

    /// The set of a common phrase changes neither the results nor their order, even for notes that
    /// were added or removed after it was built.
    @Test(arguments: [
        "rare common", "common rare", "rare -common", "(rare OR tea) common", "\"rare word\" common -often", "common common rare",
        "\"rare common\"", "\"common rare\" often", "tea -\"common often\"",
    ])
    func cachedPhraseSets_changeNoResult(query: String) throws {
        let folder = try TemporaryDirectory()
        var random = SeededGenerator(seed: 7)
        let count = UInt64(PostingSetCache.pieceRows + 3_000)
        func text(_ number: UInt64) -> String {
            let words = number % 5 == 0 ? ["rare"] : number % 7 == 0 ? ["rare word"] : number % 11 == 0 ? ["tea"] : ["other"]
            let common = (0..<random.below(3)).map { _ in "common" } + (random.chance(0.6) ? ["often"] : [])
            return (words + common).shuffled(using: &random).joined(separator: " ")
        }
        let index = try Self.index(folder, (1...count).map(text))
        index.thresholds = SelectivityThresholds(notesMin: 3_000, timesMin: 1)
        func pages(_ limit: Int = 1_000) throws -> [NoteID] {
            var found: [NoteID] = []
            var place: SearchPosition?
            repeat {
                let page = try index.find(try Self.query(query), limit: limit, after: place, through: count)
                (found, place) = (found + page.hits.map(\.id), page.next)
            } while place != nil
            return found
        }
        let before = try pages()
        #expect(index.isUnprepared && before.count > 100)
        var steps = 0
        while index.isUnprepared {
            try index.prepare()
            steps += 1
        }
        let again = try pages()
        #expect(steps >= 1 && again == before)
        // Some notes are deleted, some return with other words.
        let changed = (1...200).map { number in
            try? Self.entry(number, number % 3 == 0 ? nil : SearchableNote(name: nil, text: text(number)), at: count + number)
        }
        try index.add(Self.batch(changed.compactMap { $0 }, after: count, through: count + 200))
        let after = try pages()
        #expect(!index.isUnprepared, "what came since is little")
        index.thresholds.notesMin = .infinity
        let plain = try pages()
        #expect(after != before && after.count == plain.count && Set(after) == Set(plain))
        index.close()
        let anew = try Self.open(folder)
        anew.thresholds = SelectivityThresholds(notesMin: 3_000, timesMin: 1)
        #expect(
            try anew.find(try Self.query(query), limit: 50, after: nil, through: count).hits.map(\.id) == Array(after.prefix(50)))
    }

    @Test func phraseSetsOverLimit_areDropped() throws {
        let folder = try TemporaryDirectory()
        let index = try Self.index(folder, (1...300).map { "rare a\($0 % 2) b\($0 % 3) \($0 % 50 == 0 ? "x" : "y")" })
        index.thresholds = SelectivityThresholds(notesMin: 60, timesMin: 1)
        index.common = PostingSetCache(bytesMax: 0)
        for query in ["x a0", "x b0", "x a0", "x b1"] {
            _ = try Self.found(index, query)
            while index.isUnprepared { try index.prepare() }
            #expect(try Self.found(index, query).count == (query == "x a0" ? 6 : 2), "\(query)")
        }
    }

    /// A write between two pages changes the mean length and the frequency of words, and so every
    /// score. Notes that nobody changed still appear exactly once.
    @Test(arguments: seeds(10)) func laterPages_keepRankingOfTheFirst(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        func text() -> String {
            let words = (0...random.below(4)).map { _ in "milk" } + (0..<random.below(5)).map { _ in "bread" }
            let others = (0..<random.below(60)).map { _ in "other" }
            return (words + others).shuffled(using: &random).joined(separator: " ")
        }
        let count = 120
        let index = try Self.index(try TemporaryDirectory(), (0..<count).map { _ in text() })
        var (found, place, commit): ([NoteID], SearchPosition?, UInt64) = ([], nil, UInt64(count))
        repeat {
            let page = try index.find(try Self.query("milk OR bread"), limit: 7, after: place, through: commit)
            found += page.hits.map(\.id)
            place = page.next
            let long = String(repeating: random.pick(["bread ", "other ", "milk "]), count: 1 + random.below(400))
            let new = try (1...5).map { try Self.entry(commit + $0, SearchableNote(name: nil, text: long), at: commit + $0) }
            try index.add(Self.batch(new, after: commit, through: commit + 5))
            commit += 5
        } while place != nil && found.count < 1_000
        for number in 1...UInt64(count) {
            let times = found.filter { $0 == noteID(number) }.count
            #expect(times == 1, "seed \(seed): note \(number) came \(times) times")
        }
    }

    @Test func relevantNotes_comeFirst() throws {
        let folder = try TemporaryDirectory()
        let padding = String(repeating: "other words stand here. ", count: 20)
        let index = try Self.index(
            folder, [padding + "milk", "milk", "milk milk bread " + padding, "tea"] + (0..<20).map { "bread \($0)" })
        #expect(try Self.found(index, "milk").first == noteID(2), "a short note that is about it")
        #expect(try Self.found(index, "milk").last == noteID(1), "a long note that mentions it")
        #expect(try Self.found(index, "tea OR bread").first == noteID(4), "the rarer word")
        let named = try Self.entry(30, SearchableNote(name: "milk", text: padding), at: 25)
        try index.add(Self.batch([named], after: 24, through: 25))
        #expect(try Self.found(index, "milk").prefix(2).contains(noteID(30)), "the name counts for more")
        #expect(try Self.found(index, "bread").prefix(3) == [noteID(24), noteID(23), noteID(22)], "among equals the newest")
    }

    @Test(arguments: [("&", 0), ("milk ++", 5), ("🎉", 0), ("a*", 0), ("milk 日*x", 6)])
    func unsearchableWords_areRefusedAtTheirOffset(text: String, offset: Int) throws {
        let index = try Self.index(try TemporaryDirectory(), ["milk"])
        do {
            _ = try Self.found(index, text)
            Issue.record("\(text) is looked for")
        } catch SearchFault.query(let fault) {
            #expect(fault.offset == offset)
        } catch let fault as SearchQueryFault {
            #expect(text == "milk 日*x" && fault.offset == 8)
        }
    }

    /// User input reaches FTS5 as words, whatever it looks like.
    @Test(arguments: seeds(300))
    func anyQuery_isExecutedOrRefused(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let index = try Self.index(try TemporaryDirectory(), ["milk near bread", "日本語"])
        let pieces = [
            "milk", "NEAR", "^", "{", "}", ":", "+", ",", "name", "body", "'", ";", "\\", "\"", " ", "*", "日", "(", ")", "-",
            "words",
        ]
        let text = (0..<1 + random.below(9)).map { _ in random.pick(pieces) }.joined()
        do {
            _ = try Self.found(index, text)
        } catch let fault as SearchQueryFault {
            #expect(fault.offset <= text.utf8.count)
        } catch SearchFault.query(let fault) {
            #expect(fault.offset <= text.utf8.count)
        }
    }

    // MARK: - Excerpts

    @Test(arguments: seeds(300))
    func excerpts_arePiecesOfTheText_withMatchesMarked(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let text = random.searchableText(pieces: 120)
        let index = try Self.index(try TemporaryDirectory(), [text])
        let words = ["milk", "mil*", "creme", "日本", "本語", "\"milk bread\"", "привет"]
        for word in words {
            let query = try Self.query(word)
            guard let hit = try index.find(query, limit: 1, after: nil, through: 0).hits.first else { continue }
            let excerpt = hit.excerpt
            #expect(
                text.utf8.count < excerpt.text.count + 1 || bytes(text).firstRange(of: excerpt.text) != nil,
                "seed \(seed): \(word)")
            #expect(
                String(validating: excerpt.text, as: UTF8.self) != nil && excerpt.text.count <= 4 * 256, "seed \(seed): \(word)")
            #expect(!excerpt.ranges.isEmpty, "seed \(seed): \(word)")
            for (range, next) in zip(excerpt.ranges, excerpt.ranges.dropFirst()) {
                #expect(range.upperBound < next.lowerBound, "seed \(seed): \(word)")
            }
            for range in excerpt.ranges {
                let piece = SearchableNote(name: nil, text: String(decoding: excerpt.text[range], as: UTF8.self))
                #expect(piece.matches(query.root), "seed \(seed): \(word) in \(piece.text)")
            }
        }
    }

    @Test func excerpts_beginAndEndAroundTheFirstMatch() throws {
        let long = String(repeating: "word ", count: 1_000)
        let index = try Self.index(try TemporaryDirectory(), [long + "milk and milk " + long, "tag only #milk"])
        let hit = try #require(try index.find(try Self.query("milk and"), limit: 9, after: nil, through: 0).hits.first)
        let text = String(decoding: hit.excerpt.text, as: UTF8.self)
        #expect(text.hasPrefix("word ") && text.contains("milk and milk") && text.utf8.count <= 256)
        #expect(hit.excerpt.ranges.map { String(decoding: hit.excerpt.text[$0], as: UTF8.self) } == ["milk", "and", "milk"])
        let tagged = try #require(try index.find(try Self.query("tag:milk"), limit: 9, after: nil, through: 0).hits.first)
        #expect(tagged.excerpt == SearchExcerpt(text: bytes("tag only #milk"), ranges: []))
    }

    /// Searching a long text for matches takes long if they are at its end. The search can be
    /// cancelled at any time, and compares only words that can come next.
    @Test func excerpts_beginAfterFrontMatter_unlessTheMatchIsInIt() throws {
        let folder = try TemporaryDirectory()
        let matter = "---\ndate: 2026-02-04\ntags: [daily]\nkind: 日記\n---\n"
        let index = try Self.index(folder, [matter + "Bought oat milk.\n", matter, "---\nno end, milk\n"])
        func excerpts(_ query: String) throws -> [String] {
            try index.find(try Self.query(query), limit: 9, after: nil, through: 0).hits.sorted { $0.id < $1.id }
                .map { String(decoding: $0.excerpt.text, as: UTF8.self) }
        }
        #expect(try excerpts("milk") == ["Bought oat milk.\n", "---\nno end, milk\n"])
        #expect(try excerpts("tag:daily") == ["Bought oat milk.\n", ""])
        #expect(try excerpts("date milk") == [matter + "Bought oat milk.\n"])
        let hit = try #require(try index.find(try Self.query("oat"), limit: 9, after: nil, through: 0).hits.first)
        #expect(hit.excerpt.ranges.map { String(decoding: hit.excerpt.text[$0], as: UTF8.self) } == ["oat"])
    }

    @Test func excerpts_canBeStopped() throws {
        let text = String(repeating: "a b ", count: 32 << 10) + "milk"
        let phrase = "\"" + String(repeating: "a b ", count: 20) + "milk\""
        let index = try Self.index(try TemporaryDirectory(), [text])
        var asked = 0
        let hits = try index.find(try Self.query(phrase), limit: 1, after: nil, through: 0) {
            asked += 1
            return false
        }.hits
        #expect(hits.count == 1 && asked > 50, "\(asked)")
        var left = 40
        #expect(throws: SearchFault.cancelled) {
            try index.find(try Self.query(phrase), limit: 1, after: nil, through: 0) {
                left -= 1
                return left < 0
            }
        }
    }

    /// A corrupt posting list of a common word must not allocate a set as long as the numbers in
    /// it.
    @Test func damagedPostingList_isReported() throws {
        let folder = try TemporaryDirectory()
        let index = try Self.index(folder, (1...300).map { "rare a\($0 % 2) \($0 % 50 == 0 ? "x" : "y")" })
        index.close()
        for number in [UInt64(1) << 58, UInt64(301) << 5] {
            let raw = try Database(path: folder.path + "/search.sqlite3")
            try FoldingTokenizer.register(on: raw)
            try raw.run("INSERT INTO words (rowid, name, body, tags) VALUES (?, '', 'a0', '')", .number(number))
            try raw.close()
            let damaged = try Self.open(folder)
            damaged.thresholds = SelectivityThresholds(notesMin: 60, timesMin: 1)
            _ = try Self.found(damaged, "x a0")
            #expect(damaged.isUnprepared)
            do throws(SearchFault) {
                try damaged.prepare()
                Issue.record("a set of \(number) was made")
            } catch {
                guard case .damaged = error else {
                    Issue.record("\(error)")
                    return
                }
            }
            damaged.close()
        }
    }

    /// Matches of any length: a phrase whose words are far apart, or one endless word.
    @Test(arguments: [
        ("\"milk bread\"", "milk" + String(repeating: " ", count: 200 << 10) + "bread"),
        ("milk*", "a milk" + String(repeating: "é", count: 100 << 10) + " milk"),
        ("\"日本\"", "日" + String(repeating: "、", count: 50 << 10) + "本"),
    ])
    func excerpts_areBounded(query: String, text: String) throws {
        let index = try Self.index(try TemporaryDirectory(), [text])
        let hits = try index.find(try Self.query(query), limit: 1, after: nil, through: 0).hits
        let excerpt = try #require(hits.first).excerpt
        #expect(excerpt.text.count <= 1 << 10 && excerpt.text.count > 1_000)
        #expect(String(validating: excerpt.text, as: UTF8.self) != nil)
        #expect(bytes(text).starts(with: excerpt.text))
        let range = try #require(excerpt.ranges.first)
        #expect(excerpt.ranges.count == 1 && range.lowerBound <= 2 && range.upperBound == excerpt.text.count)
    }
}
