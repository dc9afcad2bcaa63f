import Causality
import NoteText
import NotesModel
import TestKit
import Testing

@testable import NotesStore

/// Compares every journal with `NaiveStore` on random histories.
@Suite struct JournalConformance {
    @Test(arguments: JournalKind.allCases, seeds(8))
    func journal_matchesTheContract(kind: JournalKind, seed: UInt64) throws {
        var generator = HistoryGenerator(seed: seed)
        let subject = try JournalUnderTest(kind, replica: generator.replica)
        var naive = NaiveStore()
        for round in 0..<12 {
            let commits = generator.commits(1 + generator.random.below(25))
            try subject.journal.append(commits.map { .commit($0, operation: nil) })
            for commit in commits { naive.append(commit) }
            if generator.random.chance(0.3) { while try subject.journal.maintain() {} }
            if generator.random.chance(0.3) {
                generator.restart()
                try subject.reopen(replica: generator.replica)
            }
            try compare(subject.journal, naive, &generator, "seed \(seed), round \(round), \(kind)")
        }
    }

    private func compare(
        _ journal: any Journal, _ naive: NaiveStore, _ generator: inout HistoryGenerator, _ place: String
    ) throws {
        #expect(journal.lastSequence == UInt64(naive.commits.count), "\(place)")
        let stranger = NoteID(at: Timestamp(milliseconds: 77), random: (1, 2))
        for id in generator.ids + [stranger] {
            try compareNote(id, journal, naive, &generator, place)
        }
        for _ in 0..<6 { try compareLists(journal, naive, &generator, place) }
        let statistics = try journal.statistics()
        let heads = naive.heads
        #expect(statistics.notes == heads.filter { !$0.head.isDeleted }.count, "\(place)")
        #expect(statistics.tombstones == heads.filter(\.head.isDeleted).count, "\(place)")
        #expect(statistics.conflicted == heads.filter { !$0.head.conflicts.isEmpty }.count, "\(place)")
        #expect(statistics.revisions == naive.commits.count && statistics.commits == journal.lastSequence, "\(place)")
        #expect(statistics.lastCommit == naive.commits.last?.revision.time, "\(place)")
        for commit in naive.commits where generator.random.chance(0.1) {
            #expect(try journal.dot(ofCommit: commit.sequence) == commit.revision.dot, "\(place)")
            #expect(try journal.replica(ofCommit: commit.sequence) == commit.revision.dot.replica, "\(place)")
        }
        for sequence in [0, journal.lastSequence + 1, .max] {
            #expect(try journal.dot(ofCommit: sequence) == nil, "\(place)")
        }
        #expect(try journal.replica(ofCommit: 0) == nil, "\(place)")
        #expect(try journal.replica(ofCommit: journal.lastSequence + 1) == nil, "\(place)")
        #expect(try journal.replica(ofCommit: .max) == nil, "\(place)")
    }

    private func compareNote(
        _ id: NoteID, _ journal: any Journal, _ naive: NaiveStore, _ generator: inout HistoryGenerator, _ place: String
    ) throws {
        #expect(try journal.head(of: id) == naive.heads.first { $0.head.id == id }, "\(place)")
        let own = generator.dots(of: id)
        var asked: [Dot] = []
        for _ in 0..<generator.random.below(3) { if let dot = generator.anyDot() { asked.append(dot) } }
        for _ in 0..<generator.random.below(3) where !own.isEmpty { asked.append(generator.random.pick(own)) }
        if generator.random.chance(0.2) { asked.append(Dot(ReplicaID(bits: 5), 5)) }
        let asOf = generator.random.chance(0.5) ? nil : UInt64(generator.random.below(naive.commits.count + 2))
        for depth in [LoadDepth.newest, .start, .dots(Version(asked)), .dots(.nothing)] {
            let record = try journal.note(id, downTo: depth, asOf: asOf).map(ComparableRecord.init)
            #expect(record == naive.note(id, downTo: depth, asOf: asOf), "\(place), \(id) \(depth) as of \(asOf ?? 0)")
            try naive.compareReadings(id, downTo: depth, of: Version(asked), journal, &generator.random, place)
        }
        try naive.compareDescents(id, journal, &generator.random, place)
        let past = UInt64(generator.random.below(naive.commits.count + 2))
        let withText = generator.random.chance(0.7)
        #expect(
            try journal.past(id, asOf: past, withText: withText).map(ComparablePast.init)
                == naive.past(id, asOf: past, withText: withText), "\(place), \(id) as it was as of \(past)")
        let after = UInt64(generator.random.below(naive.commits.count + 2))
        let counted = naive.commits.filter { $0.revision.note == id && $0.sequence > after && $0.sequence <= past }.count
        #expect(try journal.countCommits(of: id, after: after, through: past) == counted, "\(place), \(id)")
        let limit = 1 + generator.random.below(30)
        let before = generator.random.chance(0.5) ? nil : generator.anyDot()
        #expect(
            try journal.history(of: id, before: before, limit: limit) == naive.history(of: id, before: before, limit: limit),
            "\(place)")
        for dot in asked { #expect(try journal.contains(dot, of: id) == own.contains(dot), "\(place)") }
    }

    /// All pages of a list in the order of commits.
    private func newestHeads(
        _ journal: any Journal, matching filter: Filter, before: UInt64?, limit: Int
    ) throws -> [StoredHead] {
        var page = try journal.newestHeads(matching: filter, before: before, limit: limit)
        var all = page.heads
        while let next = page.next {
            page = try journal.newestHeads(matching: filter, before: next, limit: limit)
            #expect(page.heads.count <= limit)
            all += page.heads
        }
        return all
    }

    /// All pages of tags.
    private func tags(
        _ journal: any Journal, startingWith prefix: ByteString, after: ByteString?, limit: Int
    ) throws -> [TagCount] {
        var page = try journal.tags(startingWith: prefix, after: after, limit: limit)
        var all = page.tags
        while let next = page.next {
            page = try journal.tags(startingWith: prefix, after: next, limit: limit)
            #expect(page.tags.count <= limit)
            all += page.tags
        }
        return all
    }

    /// All pages of revisions.
    private func revisions(
        _ journal: any Journal, matching filter: RevisionFilter, before: UInt64?, limit: Int
    ) throws -> [NoteRevision] {
        var page = try journal.revisions(matching: filter, before: before, limit: limit)
        var all = page.entries
        while let next = page.next {
            page = try journal.revisions(matching: filter, before: next, limit: limit)
            #expect(page.entries.count <= limit)
            all += page.entries
        }
        return all
    }

    private func compareLists(
        _ journal: any Journal, _ naive: NaiveStore, _ generator: inout HistoryGenerator, _ place: String
    ) throws {
        var filter = Filter(deleted: generator.random.chance(0.2))
        if generator.random.chance(0.4) { filter.tag = ByteString("tag\(generator.random.below(6))") }
        if generator.random.chance(0.4) {
            filter.prefix = ByteString(generator.random.pick(["work", "work/", "", "e", "z/", "\u{FFFF}"]))
        }
        if generator.random.chance(0.2) { filter.ids = Set((0..<4).map { _ in generator.random.pick(generator.ids) }) }
        if generator.random.chance(0.3) { filter.conflicted = generator.random.chance(0.5) }
        var position: ListPosition?
        if generator.random.chance(0.5) {
            position = ListPosition(
                name: generator.random.chance(0.3) ? nil : generator.anyName(), id: generator.random.pick(generator.ids))
        }
        let limit = 1 + generator.random.below(8)
        #expect(
            try journal.heads(matching: filter, after: position, limit: limit)
                == naive.heads(matching: filter, after: position, limit: limit), "\(place), \(filter)")
        let before = generator.random.chance(0.5) ? nil : UInt64(generator.random.below(naive.commits.count + 2))
        #expect(
            try newestHeads(journal, matching: filter, before: before, limit: limit)
                == naive.newestHeads(matching: filter, before: before ?? .max),
            "\(place), \(filter), newest before \(before ?? 0)")
        let tagPrefix = ByteString(generator.random.pick(["", "t", "tag", "tag3", "x"]))
        let afterTag = generator.random.chance(0.5) ? nil : ByteString("tag\(generator.random.below(6))")
        #expect(
            try tags(journal, startingWith: tagPrefix, after: afterTag, limit: limit)
                == naive.tags(startingWith: tagPrefix, after: afterTag), "\(place), tags \(tagPrefix) after \(afterTag ?? "")")
        let after = UInt64(generator.random.below(naive.commits.count + 1))
        let through = generator.random.chance(0.3) ? .max : after + UInt64(generator.random.below(40))
        #expect(
            try journal.changed(after: after, through: through, limit: limit)
                == naive.changed(after: after, through: through, limit: limit), "\(place), changed \(after) to \(through)")
        let times = naive.commits.map(\.revision.time)
        let revisions = RevisionFilter(
            author: generator.random.chance(0.5)
                ? nil : ByteString(generator.random.pick(["box", "box/label 1", "box/label 11", "bo", "", "nobody"])),
            since: generator.random.chance(0.3) && !times.isEmpty ? generator.random.pick(times) : nil)
        #expect(
            try self.revisions(journal, matching: revisions, before: before, limit: limit)
                == naive.revisions(matching: revisions, before: before ?? .max), "\(place), \(revisions)")
        let name = generator.anyName()
        let named = naive.heads.map(\.head).filter { $0.name == name && !$0.isDeleted }.map(\.id).sorted()
        #expect(try journal.existingNotes(named: name) == named, "\(place), \(name)")
    }

    @Test(arguments: JournalKind.allCases)
    func pagedLists_areComplete(kind: JournalKind) throws {
        var generator = HistoryGenerator(seed: 7)
        generator.notesMax = 300
        let subject = try JournalUnderTest(kind, replica: generator.replica)
        var naive = NaiveStore()
        for _ in 0..<20 {
            let commits = generator.commits(40)
            try subject.journal.append(commits.map { .commit($0, operation: nil) })
            for commit in commits { naive.append(commit) }
        }
        var listed: [StoredHead] = []
        while true {
            let page = try subject.journal.heads(matching: Filter(), after: listed.last?.head.position, limit: 7)
            guard !page.isEmpty else { break }
            listed += page
        }
        #expect(listed == naive.heads(matching: Filter(), after: nil, limit: .max))
        var changed: [StoredHead] = []
        while true {
            let page = try subject.journal.changed(after: changed.last?.sequence ?? 0, through: .max, limit: 7)
            guard !page.isEmpty else { break }
            changed += page
        }
        #expect(changed == naive.changed(after: 0, through: .max, limit: .max))
    }
}
