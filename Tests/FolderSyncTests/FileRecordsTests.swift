import Causality
import Console
import Glibc
import NoteText
import NotesModel
import NotesSQL
import TestKit
import Testing

@testable import FolderSync
@testable import NoteTasks

/// Tests of the record of files, and of what import and export do because of it.
struct FileRecordsTests {
    private let id = NoteID(at: Timestamp(milliseconds: 0), random: (0, 1))
    private let version = Version(Dot(ReplicaID(bits: 7), 3))
    private let place = FileRecords.Place(directory: Array("/notes".utf8), store: ReplicaID(bits: 1))

    private func head(_ name: String?, _ number: UInt64 = 1) -> Head {
        Head(
            id: NoteID(at: Timestamp(milliseconds: 0), random: (0, number)), name: name.flatMap { try? NoteName(ByteString($0)) },
            version: version, vector: VersionVector(), title: "", tags: [], created: Timestamp(milliseconds: 0),
            modified: Timestamp(milliseconds: 0), author: Author(user: "ada", label: nil), bytes: 0, isDeleted: false)
    }

    private func record(_ text: String) -> FileRecord {
        FileRecord(note: id, version: version, showing: Array(text.utf8))
    }

    private func file(_ path: String) throws -> ImportPlan.File {
        try #require(ImportPlan(paths: [Array(path.utf8)]).taken.first)
    }

    /// Runs a body with the path of an empty database.
    private func withDatabase(_ body: (String) throws -> Void) throws {
        let directory = try TemporaryDirectory()
        defer { withExtendedLifetime(directory) {} }
        try DatabaseFile.make(directory.path + "/files.sqlite3")
        try body(directory.path + "/files.sqlite3")
    }

    @Test func records_outlastTheConnection_andBelongToOnePlace() throws {
        try withDatabase { path in
            let records = try FileRecords(path: path, place, boot: [1])
            try records.record(Array("a.md".utf8), record("one"))
            try records.record(Array("b.md".utf8), record("b"))
            try records.record(Array("a.md".utf8), record("two"))
            try records.forget(Array("b.md".utf8))
            #expect(try FileRecords(path: path, place, boot: [1]).files == [Array("a.md".utf8): record("two")])
            var others = [place, place]
            others[0].prefix = Array("help/".utf8)
            others[1] = FileRecords.Place(directory: place.directory, store: ReplicaID(bits: 2))
            for other in others { #expect(try FileRecords(path: path, other, boot: [1]).files.isEmpty) }
        }
    }

    /// What a file showed is kept for some days after it has gone, and what another file of its path showed
    /// then replaces it.
    @Test func goneFile_countsForSomeDays() throws {
        try withDatabase { path in
            let (a, b) = (Array("a.md".utf8), Array("b.md".utf8))
            let texts = ["a text that is gone\n", "another text\n"].map { LineMarks(Array($0.utf8)) }
            let start = Timestamp(milliseconds: 1_000_000_000_000)
            let week = FileRecords.goneTime
            do {
                let records = try FileRecords(path: path, place, boot: [1])
                #expect(try records.gone(a, at: start) == nil)
                for text in texts {
                    try records.record(a, record("one"), ShownTexts(version, text, at: 0))
                    try records.forget(a, isByProgram: text == texts[0], at: start)
                    #expect(records.files.isEmpty)
                }
                try records.forget(b, isByProgram: true, at: start)
                #expect(try records.gone(b, at: start) == nil, "it had no record")
            }
            let records = try FileRecords(path: path, place, boot: [2])
            let gone = GoneFile(note: id, version: version, text: texts[1], isByProgram: false)
            for (time, isThere) in [(start.milliseconds + week, true), (start.milliseconds + week + 1, false)] {
                // Also while no other file goes, as in a mirror that runs for weeks.
                #expect(try records.gone(a, at: Timestamp(milliseconds: time)) == (isThere ? gone : nil))
                try records.removeOldGone(at: Timestamp(milliseconds: time))
            }
        }
    }

    @Test func onlyTheNewestGoneFiles_areKept() throws {
        try withDatabase { path in
            let records = try FileRecords(path: path, place, boot: [1])
            let count = FileRecords.goneMax + 3
            let paths = (0..<count).map { Array("\($0).md".utf8) }
            for (number, path) in paths.enumerated() {
                try records.record(path, record("one"))
                try records.forget(path, isByProgram: true, at: Timestamp(milliseconds: Int64(number)))
            }
            try records.removeOldGone(at: Timestamp(milliseconds: 0))
            #expect(try paths.map { try records.gone($0, at: Timestamp(milliseconds: 0)) != nil } == (0..<count).map { $0 >= 3 })
        }
    }

    /// A text that has nothing of the newest file of its path is based on what the file before it showed, if that
    /// is of the same note, and otherwise on nothing.
    @Test func fileThatComesAgain_hasNotShownAllToEveryone() throws {
        try withDatabase { path in
            let a = Array("a.md".utf8)
            let start = Timestamp(milliseconds: 1_000_000_000_000)
            func marks(_ text: String) -> LineMarks { LineMarks(Array(text.utf8)) }
            let newer = Version(Dot(ReplicaID(bits: 7), 4))
            let others = NoteID(at: Timestamp(milliseconds: 0), random: (0, 2))
            for (note, base) in [(id, version), (others, nil)] as [(NoteID, Version?)] {
                let records = try FileRecords(path: path, place, boot: [1])
                try records.record(a, record("old"), ShownTexts(version, marks("an old line\nand more\n"), at: 0))
                try records.forget(a, isByProgram: false, at: start)
                let new = FileRecord(note: note, version: newer, showing: Array("a new line\n".utf8))
                try records.recordAnew(a, new, ShownTexts(newer, marks("a new line\n"), at: 0), at: start)
                let shown = try #require(records.shown[a].flatMap { ShownTextsCodec.shown($0) })
                let soon = start.milliseconds + 60_000
                for (text, expected) in [("an old line\nand typed\n", base), ("a new line\nand typed\n", newer)] {
                    let rule = BaseRule(of: Array(text.utf8), in: shown, at: soon, how: .other)
                    #expect(shown[rule.base { _ in nil }]?.version == expected)
                }
                try records.forget(a)
            }
        }
    }

    /// After a power failure, a file may be older than its record.
    @Test func recordOfAnotherBoot_counts_onlyIfItWasSettled() throws {
        try withDatabase { path in
            let root = try Descriptor.open(Array("/tmp".utf8), O_RDONLY | O_DIRECTORY)
            let records = try FileRecords(path: path, place, boot: [1])
            try records.record(Array("a.md".utf8), record("one"))
            #expect(try FileRecords(path: path, place, boot: [2]).files.isEmpty)
            // A later run of the same boot settles what an interrupted run left.
            try FileRecords(path: path, place, boot: [1]).settle(root.number)
            #expect(try FileRecords(path: path, place, boot: [2]).files.count == 1)
        }
    }

    @Test func importStep_followsFromRecordAndNotes() throws {
        let notes = ImportedNotes([head("a")])
        let text = Array("one".utf8)
        #expect(notes.step(for: try file("a.md"), content: FileContent(of: text), record: record("one")) == .leave(id))
        #expect(
            notes.step(for: try file("a.md"), content: FileContent(of: text), record: record("two")) == .save(record("two")))
        // The record says which note it is, whatever its name.
        #expect(notes.step(for: try file("b.md"), content: FileContent(of: text), record: record("one")) == .leave(id))
        #expect(
            ImportedNotes([]).step(for: try file("a.md"), content: FileContent(of: text), record: record("one"))
                == .findOut(id))
        #expect(notes.step(for: try file("a.md"), content: FileContent(of: text), record: nil) == .compare(head("a")))
        #expect(notes.step(for: try file("b.md"), content: FileContent(of: text), record: nil) == .create)
        #expect(notes.step(withoutRecord: try file("b.md"), note: id) == .compare(head("a")))
    }

    @Test func fileOfID_isNoteWithoutName_andNoOther() throws {
        let file = try file("\(id).md")
        #expect(ImportedNotes([head(nil)]).step(withoutRecord: file) == .compare(head(nil)))
        #expect(ImportedNotes([head("a")]).step(withoutRecord: file) == .create)
        #expect(ImportedNotes([head(nil)], isWithNameless: false).step(withoutRecord: file) == .create)
    }

    /// The search finds what a comparison with every id finds.
    @Test func beginningOfID_isFoundAmongMany() throws {
        let heads = (0..<50).map { number in
            let id = NoteID(
                at: Timestamp(milliseconds: Int64(0x019a_0000_0000 + number * 0x0300_0000)), random: (0, UInt64(number)))
            return Head(
                id: id, name: nil, version: .nothing, vector: VersionVector(), title: "", tags: [],
                created: Timestamp(milliseconds: 0), modified: Timestamp(milliseconds: 0),
                author: Author(user: "ada", label: nil),
                bytes: 0, isDeleted: false)
        }
        let notes = ImportedNotes(heads.shuffled())
        let ids = heads.map(\.id.description)
        let words = ids.flatMap { id in [4, 5, 7, 9, 20, 36].map { String(id.prefix($0)) } }
        for word in words + ["0000", "019b", "0fff", "019", "a", "cafe", "019a0"] {
            let found = notes.note(whoseIDBeginsWith: try NoteName(ByteString(word)))?.id.description
            let isBeginning = word.utf8.count >= NoteReference.prefixBytesMin && ids.contains { $0.hasPrefix(word) }
            #expect(found?.hasPrefix(word) == (isBeginning ? true : nil), "\(word)")
        }
    }

    @Test func exportReplaces_onlyWhatIsRecorded() {
        let bytes = FileTree.Look.file(FileContent(of: Array("one".utf8)))
        #expect(Exporter.obstacle(.nothing, nil) == nil)
        #expect(Exporter.obstacle(bytes, record("one")) == nil)
        #expect(Exporter.obstacle(bytes, record("two"))?.contains("no import has taken") == true)
        #expect(Exporter.obstacle(bytes, nil)?.contains("no record") == true)
        #expect(Exporter.obstacle(.other, record("one")) != nil)
        for record in [record("one"), nil] {
            #expect(Exporter.obstacle(.link, record)?.contains("is a symbolic link") == true)
            #expect(Exporter.obstacle(.link, record, isMirroring: true)?.hasPrefix("is a symbolic link") == true)
        }
        // A mirror has no --force.
        for record in [record("two"), nil] {
            #expect(Exporter.obstacle(bytes, record, isMirroring: true)?.contains("if it is a folder, rename it") == true)
        }
    }

    @Test func fileTree_writesAndRemoves_onlyOverWhatIsExpected() throws {
        let place = try TemporaryDirectory()
        defer { withExtendedLifetime(place) {} }
        let root = try Descriptor.open(Array(place.path.utf8), O_RDONLY | O_DIRECTORY)
        let tree = FileTree(root)
        let (path, one, two) = (Array("d/a.md".utf8), Array("one".utf8), Array("two".utf8))
        func content() throws -> FileTree.Content { try tree.content(of: path, sizes: [3]) }
        #expect(symlink("elsewhere", place.path + "/link.md") == 0)
        #expect(try tree.content(of: Array("link.md".utf8), sizes: [3]) == .link)
        #expect(try !tree.write(one, to: Array("link.md".utf8), over: .link, serial: 0))
        #expect(unlink(place.path + "/link.md") == 0)
        #expect(try content() == .nothing)
        #expect(try tree.write(one, to: path, over: .nothing, serial: 1))
        #expect(try !tree.write(two, to: path, over: .nothing, serial: 2))
        #expect(try !tree.write(one, to: path, over: .file(FileContent(of: two)), serial: 3))
        #expect(try content() == .bytes(one))
        #expect(try tree.write(two, to: path, over: .file(FileContent(of: one)), serial: 4))
        #expect(try content() == .bytes(two))
        #expect(try tree.content(of: path, sizes: [4]) == .other)
        #expect(try !tree.remove(path, with: FileContent(of: one), serial: 5))
        #expect(try content() == .bytes(two))
        #expect(try tree.remove(path, with: FileContent(of: two), serial: 6))
        #expect(try content() == .nothing)
        let names = NoteFiles.below(root, NoteFiles.Selection(isWithHidden: true))
        #expect(names.paths.isEmpty && names.others.summary == nil, "no temporary file is left")
    }
}
