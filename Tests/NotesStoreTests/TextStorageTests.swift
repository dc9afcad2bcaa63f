import Causality
import NoteText
import NotesModel
import NotesSQL
import TestKit
import Testing
import TextMerge

@testable import NotesStore

/// Texts are returned byte for byte, and are stored as edits where that takes less space.
@Suite struct TextStorage {
    /// One note with a linear history.
    private struct Typist {
        let journal: SQLiteJournal
        let id = NoteID(at: Timestamp(milliseconds: 1), random: (3, 4))
        var text: [UInt8] = []
        var head: Head?
        var newest: UInt64 = 0

        mutating func commit(_ edits: [Edit], tags: [ByteString] = []) -> Commit {
            let replica = journal.identity.replica
            let dot = Dot(replica, newest + 1)
            let author = Author(user: "ada", label: "laptop/vim")
            let time = Timestamp(milliseconds: 1_700_000_000_000 + Int64(newest) * 90)
            let revision = Revision(
                note: id, dot: dot, parents: head?.version ?? .nothing, edits: edits, origin: .stated, author: author, time: time)
            text = edits.applied(to: text)
            let head = Head(
                id: id, name: nil, version: Version(dot), vector: VersionVector([replica: dot.counter]), title: "", tags: [],
                created: time, modified: time, author: author, bytes: text.count, isDeleted: false)
            defer {
                self.head = head
                newest += 1
            }
            return Commit(
                sequence: newest + 1, previous: newest, revision: revision, coversAll: true, text: text, name: nil, head: head)
        }

        mutating func save(_ new: [UInt8]) throws {
            try journal.append([.commit(commit([Edit(start: 0, end: text.count, replacement: new)]), operation: nil)])
        }
    }

    static let nasty: [[UInt8]] = [
        [], Array("\n".utf8), Array("no final newline".utf8), Array("a\r\nb\rc\n".utf8), Array("e\u{301}".utf8),
        Array("\u{e9}".utf8),
        Array("\u{FFFF}\u{FEFF}\u{10FFFF}\u{0}\u{1F468}\u{200D}\u{1F469}".utf8), Array("\u{FEFF}starts with a BOM".utf8),
        Array("'; DROP TABLE revision; --".utf8), [UInt8](repeating: 0, count: 5), Array("\u{202E}right to left\u{202C}".utf8),
        (0..<4 << 20).map { UInt8(($0 &* 31 ^ $0 >> 7) & 0x7F) },
    ]

    @Test func everyText_isReturnedExactly() throws {
        let directory = try TemporaryDirectory()
        var typist = Typist(journal: try openStore(directory.path, replica: ReplicaID(bits: 1)))
        for text in Self.nasty + Self.nasty.reversed() {
            try typist.save(text)
            let record = try #require(try typist.journal.note(typist.id, downTo: .newest, asOf: nil))
            #expect(record.floor?.state.text == text)
            let all = try #require(try typist.journal.note(typist.id, downTo: .start, asOf: nil))
            #expect(all.tail.reduce([]) { $1.edits.applied(to: $0) } == text)
        }
    }

    /// One step reads a version of a history in which each revision builds on the one before it,
    /// however many follow.
    @Test func versionOfALongHistory_isReadWithoutTheRest() throws {
        let directory = try TemporaryDirectory()
        var typist = Typist(journal: try openStore(directory.path, replica: ReplicaID(bits: 1)))
        var texts: [[UInt8]] = []
        for number in 0..<200 {
            try typist.save(Array("text \(number)".utf8))
            texts.append(typist.text)
        }
        for index in stride(from: 0, to: 200, by: 9) {
            let version = Version(Dot(typist.journal.identity.replica, UInt64(index) + 1))
            var reading = RecordRead(typist.id, downTo: .dots(version), end: .dots(version))
            try typist.journal.read(&reading, rowsMax: 1)
            guard case .record(let record?) = reading.result else {
                Issue.record("version \(index) takes more than one row")
                continue
            }
            #expect(record.floor?.state.text == texts[index] && record.tail.isEmpty)
        }
    }

    @Test func stepOfAReading_readsAsManyRowsAsAskedFor() throws {
        let directory = try TemporaryDirectory()
        var typist = Typist(journal: try openStore(directory.path, replica: ReplicaID(bits: 1)))
        for number in 0..<200 { try typist.save(Array("text \(number)".utf8)) }
        var reading = RecordRead(typist.id, downTo: .start)
        for count in 1...28 {
            try typist.journal.read(&reading, rowsMax: 7)
            #expect(reading.parts.map(\.count) == Array(repeating: 7, count: count) && reading.rows == 7 * count)
        }
        try typist.journal.read(&reading, rowsMax: 7)
        guard case .record(let record?) = reading.result else {
            Issue.record("the reading does not end with the first revision")
            return
        }
        #expect(record.tail.map(\.dot.counter) == Array(1...200) && reading.parts.isEmpty)
    }

    /// Reads the text at every commit, however it is stored.
    @Test(arguments: seeds(4))
    func everyEarlierText_isReadable(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let directory = try TemporaryDirectory()
        var typist = Typist(journal: try openStore(directory.path, replica: ReplicaID(bits: 1)))
        try typist.save([UInt8](repeating: 7, count: 6_000))
        var texts = [typist.text]
        for _ in 0..<400 {
            let start = random.boundary(in: typist.text)
            let edit = Edit(
                start: start, end: random.boundary(in: typist.text, from: start, to: start + 3),
                replacement: random.utf8(random.below(random.chance(0.05) ? 3_000 : 4)))
            try typist.journal.append([.commit(typist.commit([edit]), operation: nil)])
            texts.append(typist.text)
        }
        for (index, text) in texts.enumerated() {
            let record = try typist.journal.note(typist.id, downTo: .newest, asOf: UInt64(index + 1))
            #expect(record?.floor?.state.text == text, "seed \(seed), commit \(index + 1)")
        }
    }

    /// Stored merged texts are verified like texts of revisions.
    @Test(arguments: [(byte: 0xFF as UInt8, more: 0, says: "is not UTF-8"), (0x41, 1, "bytes, but should have")])
    func damagedMergedText_isNotReturned(byte: UInt8, more: Int, says: String) throws {
        let directory = try TemporaryDirectory()
        let journal = try openStore(directory.path, replica: ReplicaID(bits: 1))
        var generator = HistoryGenerator(seed: 1)
        let commits = generator.commits(200)
        try journal.append(commits.map { .commit($0, operation: nil) })
        let commit = try #require(commits.last { $0.shown.map { !$0.text.isEmpty } ?? false })
        let length = try #require(commit.shown).text.count
        func read() throws -> [UInt8]? {
            guard
                case .shown(commit.sequence, _, let text) = try journal.past(
                    commit.revision.note, asOf: commit.sequence, withText: true)
            else { return nil }
            return text
        }
        #expect(try read() == commit.shown?.text)
        try journal.connections.writing { database throws(SQLFault) in
            try database.run(
                "UPDATE merged SET chain = 0, text = ?, sum = NULL WHERE sequence = ?",
                .blob([UInt8](repeating: byte, count: length + more)), .number(commit.sequence))
        }
        let error = #expect(throws: JournalError.self) { try read() }
        #expect("\(try #require(error))".contains(says))
    }

    /// Types 20,000 keystrokes into a text that grows to 20 kB. Each takes its row, and full texts
    /// take at most as much again; and no text is further from a full one than the bound allows.
    @Test func keystroke_costsFewBytes() throws {
        let directory = try TemporaryDirectory()
        var random = SeededGenerator(seed: 1)
        var typist = Typist(journal: try openStore(directory.path, replica: ReplicaID(bits: 1)))
        let count = 20_000
        for _ in 0..<count / 100 {
            let entries = (0..<100).map { _ in
                let place = max(0, typist.text.count - random.below(50))
                return JournalEntry.commit(
                    typist.commit([Edit(start: place, end: place, replacement: [UInt8(97 + random.below(26))])]), operation: nil)
            }
            try typist.journal.append(entries)
        }
        while try typist.journal.maintain() {}
        try typist.journal.connections.reading { database throws(SQLFault) in
            let rows = try database.first("SELECT sum(pgsize) FROM dbstat WHERE name = 'revision'") { Int($0.integer(0)) } ?? 0
            #expect(rows > 0 && rows < count * 90, "\(rows / count) bytes a keystroke")
            let texts = try database.first(
                "SELECT count(*), max(chain - max(bytes, \(TextChain.floor))) FROM revision WHERE text IS NOT NULL OR chain > 0"
            ) {
                (Int($0.integer(0)), Int($0.integer(1)))
            }
            #expect(texts?.0 == count - 1)
            #expect(texts?.1 ?? 1 <= 0)
        }
    }
}
