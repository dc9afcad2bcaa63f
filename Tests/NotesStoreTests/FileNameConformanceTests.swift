import Causality
import Foundation
import NoteText
import NotesModel
import NotesSQL
import StoreTestKit
import TestKit
import Testing
import TextMerge

@testable import NotesStore

/// The contract of a journal for the names of files.
@Suite struct FileNameConformance {
    private static let files = (0..<5).map { FileContent(hash: hash(of: [UInt8($0)]), bytes: 1_000 + $0) }

    /// Histories with commits, compaction, purges and restarts, against names that are computed from all commits.
    @Test(arguments: seeds(12))
    func names_areThoseOfTheKeptRevisions(seed: UInt64) throws {
        var generator = HistoryGenerator(seed: seed)
        generator.notesMax = 4
        generator.basesAmongLast = 4
        generator.files = Self.files
        let subjects = try JournalKind.allCases.map { try JournalUnderTest($0, replica: generator.replica) }
        var naive = NaiveNames()
        var (compactions, recorded, kept) = (0, 0, 0)
        for round in 0..<25 {
            let place: Comment = "seed \(seed), round \(round)"
            var entries = generator.commits(1 + generator.random.below(8)).map { JournalEntry.commit($0, operation: nil) }
            var purge: UInt64?
            if generator.random.chance(0.4), let commit = generator.purge(generator.random.pick(generator.ids)) {
                entries.append(.commit(commit, operation: nil))
                purge = commit.sequence
            }
            var erasures: [FileErasure] = []
            for case .commit(let commit, _) in entries { naive.append(commit) }
            if let purge { erasures = [naive.purge(purge)] }
            for subject in subjects {
                try subject.journal.append(entries)
                #expect(subject.journal.fileErasures == erasures, place)
            }
            (recorded, kept) = (
                recorded + erasures.reduce(0) { $0 + $1.recorded.count }, kept + erasures.reduce(0) { $0 + $1.kept.count }
            )
            if generator.random.chance(0.9), let step = try compaction(subjects[0].journal, &generator) {
                for subject in subjects { try subject.journal.append([.compacted(step)]) }
                naive.compact(step)
                compactions += 1
            }
            if generator.random.chance(0.2) {
                let forgotten = naive.toErase.filter { _ in generator.random.chance(0.5) } + [Self.files[0].hash]
                naive.toErase.subtract(forgotten)
                for subject in subjects { try subject.journal.forgetErased(forgotten) }
            }
            if generator.random.chance(0.3) {
                generator.restart()
                for subject in subjects { try subject.reopen(replica: generator.replica) }
            }
            for subject in subjects { try compare(subject.journal, naive, &generator.random, place) }
        }
        #expect(!isUsual(seed, of: 12) || compactions + recorded + kept > 0, "seed \(seed)")
    }

    private func compaction(_ journal: any Journal, _ generator: inout HistoryGenerator) throws -> Compaction? {
        let id = generator.random.pick(generator.ids)
        var plan = CompactionPlan()
        var (before, commits) = (UInt64?.none, [UInt64]())
        while plan.wantsMore {
            let rows = try journal.plannable(of: id, before: before, limit: 20)
            guard let last = rows.last else { break }
            for row in rows { plan.add(row) }
            commits += rows.map(\.sequence)
            before = last.sequence
        }
        // The generator writes on each of the newest four.
        guard commits.count > 4 else { return nil }
        let through = UInt64(generator.random.below(Int(commits[4]) + 1))
        let bounds = CompactionPlan.Bounds(until: Timestamp(milliseconds: .max), through: through, peers: [])
        guard let result = plan.result(within: bounds) else { return nil }
        let removed = Array(result.removed.prefix(1 + generator.random.below(result.removed.count)))
        return Compaction(note: id, compactionFloor: result.compactionFloor, floorBytes: result.floorBytes, removed: removed)
    }

    private func compare(
        _ journal: any Journal, _ naive: NaiveNames, _ random: inout SeededGenerator, _ place: Comment
    ) throws {
        let names = naive.names
        #expect(journal.filesToErase == naive.toErase.sorted(), place)
        for file in Self.files {
            let namings = names.filter { $0.value.contains(file) }.keys.sorted(by: >)
            #expect(try journal.isNamed(file.hash) == !namings.isEmpty, place)
            let (before, limit) = (random.chance(0.3) ? nil : UInt64(random.below(80)), random.below(6))
            let expected = namings.filter { $0 < before ?? .max }.prefix(limit)
            let found = try journal.namings(of: file.hash, before: before, limit: limit)
            #expect(found == expected.map { FileNaming(sequence: $0, note: naive.note(of: $0), dot: naive.dot(of: $0)) }, place)
            var notes: [NoteID] = []
            for sequence in namings where !notes.contains(naive.note(of: sequence)) { notes.append(naive.note(of: sequence)) }
            let listed = ListedFile(
                content: file, notes: Array(notes.prefix(ListedFile.notesMax)), revisions: DotSet(namings.map(naive.dot)))
            #expect(try journal.listed(file) == listed, place)
        }
        let all = Set(names.values.joined()).sorted { $0.hash < $1.hash }
        var paged: [FileContent] = []
        while true {
            let page = try journal.namedFiles(after: paged.last?.hash, limit: 1 + random.below(3))
            guard !page.isEmpty else { break }
            paged += page
        }
        #expect(paged == all, place)
        for note in Set(naive.commits.map(\.revision.note)) {
            #expect(try journal.stored(of: note, before: nil, limit: .max).misnamed.isEmpty, place)
        }
    }

    /// Two revisions that state different sizes for one hash: the smaller counts.
    @Test(arguments: JournalKind.allCases)
    func otherSizes_giveTheSmallest(kind: JournalKind) throws {
        var generator = HistoryGenerator(seed: 2)
        generator.files = [7, 3, 9].map { FileContent(hash: Self.files[0].hash, bytes: $0) }
        let subject = try JournalUnderTest(kind, replica: generator.replica)
        try subject.journal.append(generator.commits(60).map { .commit($0, operation: nil) })
        #expect(try subject.journal.namedFiles(after: nil, limit: 10) == [FileContent(hash: Self.files[0].hash, bytes: 3)])
    }

    /// The first commit of a note whose text is that of a file, and a purge of it after another content.
    private func purged(_ generator: inout HistoryGenerator) throws -> ([JournalEntry], purge: Commit, gone: FileContent) {
        while true {
            let commits = generator.commits(20)
            let named = commits.flatMap { commit in
                FileContent.isFile(commit.text) ? NamedFiles.named(by: commit.revision.edits, at: nil) : []
            }
            for id in generator.ids {
                guard let purge = generator.purge(id) else { continue }
                let shown = FileContent.all(of: purge.text)
                // Another text may quote the line, and the title of a merged text, too.
                let others = commits.filter { $0.revision.note != id }.flatMap { [$0.text, $0.shown?.text ?? []] }
                if let gone = named.first(where: { file in
                    let name = Data("\(file.hash)".utf8)
                    return !shown.contains(file) && Data(purge.text).range(of: name) == nil
                        && !others.contains { Data($0).range(of: name) != nil }
                }) {
                    return (commits.map { .commit($0, operation: nil) }, purge, gone)
                }
                break
            }
            generator = HistoryGenerator(seed: generator.random.next())
            generator.files = Self.files
        }
    }

    /// After a purge is scrubbed, no file of the store has the hash, in either form.
    @Test(arguments: seeds(6))
    func purgedHash_leavesNoTrace(seed: UInt64) throws {
        var generator = HistoryGenerator(seed: seed)
        generator.files = Self.files
        let (entries, purge, gone) = try purged(&generator)
        let subject = try JournalUnderTest(.sqlite, replica: generator.replica)
        try subject.journal.append(entries)
        #expect(try traces(of: gone.hash, in: subject.directory) > 0)
        try subject.journal.append([.commit(purge, operation: nil)])
        #expect(subject.journal.filesToErase.contains(gone.hash))
        try subject.journal.forgetErased(subject.journal.filesToErase)
        while try subject.journal.maintain() {}
        #expect(try subject.journal.scrubLog())
        #expect(try traces(of: gone.hash, in: subject.directory) == 0)
    }

    /// Number of files in a directory that have the bytes of a hash or its text.
    private func traces(of hash: FileHash, in directory: TemporaryDirectory) throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: directory.path).count { name in
            let data = FileManager.default.contents(atPath: directory.path + "/" + name) ?? Data()
            return data.range(of: Data(hash.bytes)) != nil || data.range(of: Data("\(hash)".utf8)) != nil
        }
    }

    @Test func wrongNames_areReported() throws {
        var generator = HistoryGenerator(seed: 4)
        generator.files = Self.files
        let subject = try JournalUnderTest(.sqlite, replica: generator.replica)
        let commits = generator.commits(80)
        try subject.journal.append(commits.map { .commit($0, operation: nil) })
        let file = try #require(try subject.journal.namedFiles(after: nil, limit: 1).first)
        let naming = try #require(try subject.journal.namings(of: file.hash, before: nil, limit: 1).first)
        let plain = try #require(commits.first { !FileContent.isFile($0.text) })
        try subject.journal.close()
        do {
            let database = try Database(path: subject.directory.path + "/notes.sqlite3")
            let table = FileNameTable(database: database)
            try table.remove(naming.sequence)
            try table.insert([file], at: plain.sequence)
            try database.close()
        }
        let journal = try openStore(subject.directory.path, replica: ReplicaID(bits: 5))
        let wrong = try generator.ids.flatMap { try journal.stored(of: $0, before: nil, limit: .max).misnamed }
        let dots = [commits[Int(naming.sequence) - 1].revision.dot, plain.revision.dot]
        #expect(Set(wrong.map(\.dot)) == Set(dots))
        #expect(wrong.contains { $0.dot == dots[0] && $0.what.contains("lacks \(file.hash)") })
        #expect(wrong.contains { $0.dot == dots[1] && $0.what.contains("has \(file.hash)") })
    }
}

/// The names of files, computed from all commits whose texts are kept.
private struct NaiveNames {
    private(set) var commits: [Commit] = []
    private var gone: Set<UInt64> = []
    private var floors: Set<UInt64> = []
    var toErase: Set<FileHash> = []

    func note(of sequence: UInt64) -> NoteID { commits[Int(sequence) - 1].revision.note }
    func dot(of sequence: UInt64) -> Dot { commits[Int(sequence) - 1].revision.dot }

    mutating func append(_ commit: Commit) {
        commits.append(commit)
    }

    mutating func compact(_ step: Compaction) {
        floors.insert(step.compactionFloor)
        gone.formUnion(step.removed)
    }

    mutating func purge(_ sequence: UInt64) -> FileErasure {
        let before = names
        let below = commits.filter { $0.revision.note == note(of: sequence) && $0.sequence < sequence }.map(\.sequence)
        gone.formUnion(below)
        floors.insert(sequence)
        let erased = Set(below.flatMap { before[$0] ?? [] }.map(\.hash))
        let named = Set(names.values.joined().map(\.hash))
        toErase.formUnion(erased.subtracting(named))
        return FileErasure(
            purge: sequence, recorded: erased.subtracting(named).sorted(), kept: erased.intersection(named).sorted())
    }

    var names: [UInt64: Set<FileContent>] {
        var names: [UInt64: Set<FileContent>] = [:]
        for commit in commits where !gone.contains(commit.sequence) && isPointer(lines(commit.text).first ?? []) {
            var sources = commit.revision.edits.map(\.replacement)
            if floors.contains(commit.sequence) { sources.append(commit.text) }
            let found = sources.flatMap(lines).compactMap { FileContent(line: $0) }
            if !found.isEmpty { names[commit.sequence] = Set(found) }
        }
        return names
    }

    private func lines(_ text: [UInt8]) -> [ArraySlice<UInt8>] {
        text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    }

    private func isPointer(_ line: ArraySlice<UInt8>) -> Bool { FileContent(line: line) != nil }
}
