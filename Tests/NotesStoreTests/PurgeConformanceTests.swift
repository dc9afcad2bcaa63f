import Causality
import NoteText
import NotesModel
import StoreTestKit
import TestKit
import Testing
import TextMerge

@testable import NotesStore

/// The contract of a journal for purges, and the form of their records.
@Suite struct PurgeConformance {
    /// The journals in memory and in SQLite read alike after purges and restarts, in between commits and
    /// revisions of other stores with erased dots.
    @Test(arguments: seeds(12))
    func journals_agreeAfterPurges(seed: UInt64) throws {
        var generator = HistoryGenerator(seed: seed)
        generator.notesMax = 4
        let subjects = try JournalKind.allCases.map { try JournalUnderTest($0, replica: generator.replica) }
        var commits: [Commit] = []
        var (purges, held) = (0, 0)
        for round in 0..<12 {
            var entries = generator.commits(1 + generator.random.below(12)).map { JournalEntry.commit($0, operation: nil) }
            if generator.random.chance(0.6), let purge = generator.purge(generator.random.pick(generator.ids)) {
                entries.append(.commit(purge, operation: nil))
                purges += 1
            }
            if let old = commits.randomElement(using: &generator.random) {
                let late = LinkedRevision(
                    old.revision, parentHashes: old.revision.parents.dots.map { _ in RevisionHash(bits: 7) })
                entries.insert(.quarantined(Quarantined(revision: late, reason: .dotIsTaken)), at: 0)
            }
            if generator.random.chance(0.6) {
                held += 1
                let other = foreign(Dot(ReplicaID(bits: 1 << 40), UInt64(held)), of: generator.random.pick(generator.ids))
                entries.insert(
                    generator.random.chance(0.5)
                        ? .waiting(other) : .quarantined(Quarantined(revision: other, reason: .editOutsideText)), at: 0)
            }
            for case .commit(let commit, _) in entries { commits.append(commit) }
            for subject in subjects { try subject.journal.append(entries) }
            if generator.random.chance(0.3) { for subject in subjects { while try subject.journal.maintain() {} } }
            if generator.random.chance(0.3) {
                generator.restart()
                for subject in subjects { try subject.reopen(replica: generator.replica) }
            }
            let place: Comment = "seed \(seed), round \(round)"
            let (memory, rest) = (subjects[0].journal, subjects.dropFirst())
            for other in rest {
                for id in generator.ids { try compareNote(id, memory, other.journal, &generator, place) }
                try compareExchange(commits.map(\.revision.dot), memory, other.journal, place)
            }
        }
        #expect(purges > 0, "seed \(seed)")
    }

    private func compareNote(
        _ id: NoteID, _ memory: any Journal, _ other: any Journal, _ generator: inout HistoryGenerator, _ place: Comment
    ) throws {
        #expect(try memory.head(of: id) == other.head(of: id), place)
        #expect(try memory.history(of: id, before: nil, limit: .max) == other.history(of: id, before: nil, limit: .max), place)
        let asked = generator.dots(of: id).prefix(2) + [generator.anyDot()].compactMap { $0 }
        for depth in [LoadDepth.newest, .start, .dots(Version(Array(asked))), .dots(.nothing)] {
            let expected = try memory.note(id, downTo: depth, asOf: nil).map(ComparableRecord.init)
            #expect(try other.note(id, downTo: depth, asOf: nil).map(ComparableRecord.init) == expected, place)
        }
        let (mine, theirs) = (
            try memory.stored(of: id, before: nil, limit: .max), try other.stored(of: id, before: nil, limit: .max)
        )
        #expect(mine.commits == theirs.commits && mine.unreadable.isEmpty && theirs.unreadable.isEmpty, place)
    }

    private func compareExchange(_ dots: [Dot], _ memory: any Journal, _ other: any Journal, _ place: Comment) throws {
        #expect(try memory.knownDots() == other.knownDots(), place)
        #expect(
            try memory.knownDots().subtracting(DotSet(memory.waiting(after: 0, limit: .max).map(\.revision.dot))) == DotSet(dots),
            place)
        #expect(memory.erasedFromHolding == other.erasedFromHolding && memory.heldAmounts == other.heldAmounts, place)
        let (kept, same) = (try memory.quarantined(after: 0, limit: .max), try other.quarantined(after: 0, limit: .max))
        #expect(kept.map(\.dot) == same.map(\.dot), place)
        #expect(try memory.quarantinedDots() == other.quarantinedDots(), place)
        #expect(memory.compactedThrough == other.compactedThrough, place)
        for dot in dots { #expect(try memory.committed(dot) == other.committed(dot), place) }
        let (mine, theirs) = (
            try memory.missingRevisions(by: DotSet(), after: 0, limit: PageLimit()),
            try other.missingRevisions(by: DotSet(), after: 0, limit: PageLimit())
        )
        #expect(mine == theirs, place)
    }

    /// A revision of another store whose parent never arrives.
    private func foreign(_ dot: Dot, of note: NoteID) -> LinkedRevision {
        let revision = Revision(
            note: note, dot: dot, parents: Version(Dot(ReplicaID(bits: 1 << 41), dot.counter)),
            edits: [Edit(start: 0, end: 0, replacement: bytes("x"))], origin: .stated,
            author: Author(user: "eve", label: nil), time: Timestamp(milliseconds: 1))
        return LinkedRevision(revision, parentHashes: [RevisionHash(bits: 7)])
    }

    private func record(_ random: inout SeededGenerator) -> MarkTable.Record {
        func dot() -> Dot { Dot(ReplicaID(bits: random.next()), 1 + UInt64(random.below(1 << 20))) }
        var below = DotSet()
        for _ in 0..<random.below(6) { _ = below.insert(dot()) }
        let text = [UInt8](repeating: 97, count: random.chance(0.2) ? 0 : random.below(1_000))
        return MarkTable.Record(
            floor: dot(), below: below, text: text, name: random.chance(0.5) ? try? NoteName("work/é") : nil,
            isDeleted: random.chance(0.5), covers: DotSet())
    }

    /// Older daemons stored which revisions each part of the text is from.
    @Test func recordWithOrigins_isRead() {
        let (floor, parts) = (Dot(ReplicaID(bits: 9), 3), [(2, [1, 2]), (1, []), (3, [2])] as [(UInt64, [UInt64])])
        func bytes(named: Bool, cut: UInt64) -> [UInt8] {
            var writer = ByteWriter(capacity: 256)
            func write(_ counter: UInt64) {
                writer.word(floor.replica.bits)
                writer.number(counter)
            }
            write(floor.counter)
            writer.counted(DotSetCodec.bytes(of: DotSet([floor])))
            writer.counted(Array("abcde\n".utf8))
            writer.byte(0)
            writer.byte(0)
            writer.number(UInt64(parts.count))
            for (length, counters) in parts {
                writer.number(length - cut)
                writer.number(UInt64(counters.count))
                for counter in counters { write(counter) }
            }
            writer.byte(named ? 1 : 0)
            if named { write(2) }
            writer.counted(DotSetCodec.bytes(of: DotSet()))
            return writer.bytes
        }
        let expected = MarkTable.Record(
            floor: floor, below: DotSet([floor]), text: Array("abcde\n".utf8), name: nil, isDeleted: false, covers: DotSet())
        for named in [true, false] {
            #expect(MarkTable.record(from: bytes(named: named, cut: 0)) == expected)
            #expect(MarkTable.record(from: bytes(named: named, cut: 1)) == nil)
        }
    }

    @Test(arguments: seeds(50))
    func record_decodesToItself(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let record = record(&random)
        #expect(MarkTable.record(from: MarkTable.bytes(of: record)) == record, "seed \(seed)")
    }

    /// Changed, cut and lengthened records, and random bytes: nothing, or a record that decodes to itself.
    @Test(arguments: seeds(50))
    func otherBytes_areRefusedOrAValidRecord(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            var bytes = MarkTable.bytes(of: record(&random))
            switch random.below(4) {
            case 0: bytes = (0..<random.below(200)).map { _ in UInt8(random.below(256)) }
            case 1: bytes.removeLast(1 + random.below(bytes.count))
            case 2: bytes.append(UInt8(random.below(256)))
            default: for _ in 0...random.below(3) { bytes[random.below(bytes.count)] = UInt8(random.below(256)) }
            }
            guard let decoded = MarkTable.record(from: bytes) else { continue }
            #expect(MarkTable.record(from: MarkTable.bytes(of: decoded)) == decoded, "seed \(seed)")
        }
    }
}
