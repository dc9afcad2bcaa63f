import Causality
import NoteText
import NotesModel
import TestKit
import Testing
import TextMerge

@testable import NotesStore

/// The contract of a journal with compaction.
@Suite struct CompactionConformance {
    /// Compacts in steps with restarts in between. From the floor up, everything reads as before;
    /// below it nothing can be read.
    @Test(arguments: JournalKind.allCases, seeds(6))
    func readsFromTheFloor_areUnchanged(kind: JournalKind, seed: UInt64) throws {
        var generator = HistoryGenerator(seed: seed)
        generator.notesMax = 4
        generator.basesAmongLast = 4
        let subject = try JournalUnderTest(kind, replica: generator.replica)
        var naive = NaiveStore()
        let commits = generator.commits(240)
        try subject.journal.append(commits.map { .commit($0, operation: nil) })
        for commit in commits { naive.append(commit) }
        for round in 0..<6 {
            let place = "seed \(seed), round \(round), \(kind)"
            for id in generator.ids where generator.random.chance(0.6) {
                let bound = UInt64(generator.random.below(commits.count + 1))
                guard let result = try plan(id, subject.journal, &generator.random).result(within: bounds(through: bound))
                else { continue }
                let part = Array(result.removed.prefix(1 + generator.random.below(result.removed.count)))
                let step = Compaction(
                    note: id, compactionFloor: result.compactionFloor, floorBytes: result.floorBytes, removed: part)
                try subject.journal.append([.compacted(step)])
                naive.feet[id] = result.compactionFloor
                naive.compacted.formUnion(part)
            }
            if generator.random.chance(0.5) { while try subject.journal.maintain() {} }
            if generator.random.chance(0.5) { try subject.reopen(replica: ReplicaID(bits: seed << 32 + UInt64(round))) }
            #expect(subject.journal.compactedThrough == naive.feet.values.max() ?? 0, "\(place)")
            for id in generator.ids { try compare(id, subject.journal, naive, &generator, place) }
            try compareExchange(subject.journal, naive, &generator, place)
        }
        #expect(!naive.compacted.isEmpty, "seed \(seed)")
    }

    private func bounds(through bound: UInt64) -> CompactionPlan.Bounds {
        CompactionPlan.Bounds(until: Timestamp(milliseconds: .max), through: bound, peers: [])
    }

    private func plan(_ id: NoteID, _ journal: any Journal, _ random: inout SeededGenerator) throws -> CompactionPlan {
        var plan = CompactionPlan()
        var before: UInt64?
        while plan.wantsMore {
            let rows = try journal.plannable(of: id, before: before, limit: 1 + random.below(20))
            guard let last = rows.last else { break }
            for row in rows { plan.add(row) }
            before = last.sequence
        }
        return plan
    }

    private func compare(
        _ id: NoteID, _ journal: any Journal, _ naive: NaiveStore, _ generator: inout HistoryGenerator, _ place: String
    ) throws {
        let own = generator.dots(of: id)
        let asked = (0..<generator.random.below(4)).compactMap { _ in generator.anyDot() } + [generator.random.pick(own)]
        let asOf = generator.random.chance(0.5) ? nil : UInt64(generator.random.below(naive.commits.count + 2))
        for depth in [LoadDepth.newest, .start, .dots(Version(asked)), .dots(.nothing)] {
            let record = try journal.note(id, downTo: depth, asOf: asOf).map(ComparableRecord.init)
            #expect(record == naive.note(id, downTo: depth, asOf: asOf), "\(place), \(id) \(depth) as of \(asOf ?? 0)")
            try naive.compareReadings(id, downTo: depth, of: Version(asked), journal, &generator.random, place)
        }
        try naive.compareDescents(id, journal, &generator.random, place)
        let past = UInt64(generator.random.below(naive.commits.count + 2))
        #expect(
            try journal.past(id, asOf: past, withText: true).map(ComparablePast.init)
                == naive.past(id, asOf: past, withText: true), "\(place), \(id) as it was as of \(past)")
        #expect(
            try journal.history(of: id, before: nil, limit: .max) == naive.history(of: id, before: nil, limit: .max), "\(place)")
        let stored = try journal.stored(of: id, before: nil, limit: .max)
        let rows = naive.commits.filter { $0.revision.note == id }
        let linked = TestKit.linked(naive.commits.map(\.revision))
        #expect(stored.commits == rows.map(\.sequence).reversed() && stored.unreadable.isEmpty, "\(place)")
        for (commit, row) in zip(rows.reversed(), stored.revisions) {
            let linked = linked[Int(commit.sequence) - 1]
            let isCompacted = naive.compacted.contains(commit.sequence)
            #expect(row.isCompacted == isCompacted && row.hash == RevisionHash(of: linked), "\(place)")
            #expect(row.parentHashes == linked.parentHashes, "\(place)")
            #expect(isCompacted ? row.revision.edits.isEmpty && row.text == nil : row.revision == commit.revision, "\(place)")
            #expect((row.shown == nil) == (isCompacted || commit.shown == nil), "\(place)")
            #expect(row.bytes == commit.text.count && row.name == commit.name, "\(place)")
            #expect(row.revision.parents == commit.revision.parents, "\(place)")
            if naive.feet[id] == commit.sequence { #expect(row.isCompactionFloor && (row.text ?? []) == commit.text, "\(place)") }
        }
    }

    private func compareExchange(
        _ journal: any Journal, _ naive: NaiveStore, _ generator: inout HistoryGenerator, _ place: String
    ) throws {
        let all = naive.commits.map(\.revision.dot)
        #expect(try journal.knownDots() == DotSet(all), "\(place)")
        let known = DotSet(all.filter { _ in generator.random.chance(0.5) })
        let linked = TestKit.linked(naive.commits.map(\.revision))
        let missingRevisions = naive.commits.filter { !known.contains($0.revision.dot) }
        var (revisions, beginnings, begun, after) = ([LinkedRevision](), [NoteBeginning](), DotSet(), UInt64(0))
        while true {
            let limit = PageLimit(revisionsMax: 1 + generator.random.below(30), bytesMax: 1 + generator.random.below(4_000))
            let page = try journal.missingRevisions(by: known.union(begun), after: after, limit: limit)
            #expect(page.revisions.count + page.beginnings.count <= limit.revisionsMax && page.gone.isEmpty, "\(place)")
            revisions += page.revisions
            beginnings += page.beginnings
            for beginning in page.beginnings { begun.formUnion(beginning.dots) }
            after = page.through
            if page.isLast { break }
        }
        let whole = missingRevisions.filter { !begun.contains($0.revision.dot) }
        #expect(revisions == whole.map { linked[Int($0.sequence) - 1] }, "\(place)")
        // A note of which a compacted revision is missing begins at its compaction floor.
        let compacted = Set(missingRevisions.filter { naive.compacted.contains($0.sequence) }.map(\.revision.note))
        #expect(beginnings.count == compacted.count && Set(beginnings.map(\.note)) == compacted, "\(place)")
        for beginning in beginnings {
            guard let floor = naive.feet[beginning.note] else { continue }
            let commits = naive.commits.filter { $0.revision.note == beginning.note && $0.sequence < floor }
            let commit = naive.commits[Int(floor) - 1]
            #expect(beginning.below == DotSet(commits.map(\.revision.dot)), "\(place)")
            #expect(beginning.floor == linked[Int(floor) - 1] && beginning.text == commit.text, "\(place)")
            #expect(beginning.isDeleted == commit.isDeleted && beginning.name == commit.name, "\(place)")
        }
        for commit in naive.commits where generator.random.chance(0.2) {
            let revision = linked[Int(commit.sequence) - 1]
            let isCompacted = naive.compacted.contains(commit.sequence)
            #expect(try journal.revision(revision.dot, of: revision.note) == (isCompacted ? nil : revision.content), "\(place)")
            switch try journal.committed(revision.dot) {
            case .whole(let whole): #expect(!isCompacted && whole == revision, "\(place)")
            case .compacted(let compacted): #expect(isCompacted && compacted.isOf(revision), "\(place)")
            case nil: Issue.record("\(place): \(revision.dot) is unknown")
            }
        }
    }

    /// One note with many critical versions.
    private func chain(_ kind: JournalKind) throws -> (JournalUnderTest, [Commit]) {
        var generator = HistoryGenerator(seed: 5)
        generator.notesMax = 1
        generator.basesAmongLast = 4
        let subject = try JournalUnderTest(kind, replica: generator.replica)
        let commits = generator.commits(40)
        try subject.journal.append(commits.map { .commit($0, operation: nil) })
        return (subject, commits)
    }

    /// A step that cannot be carried out completely has no effect, and neither have the entries
    /// next to it.
    @Test(arguments: JournalKind.allCases)
    func invalidCompactionStep_changesNothing(kind: JournalKind) throws {
        let (subject, commits) = try chain(kind)
        let id = commits[0].revision.note
        let compactionFloor = try #require(commits.last { $0.coversAll && $0.sequence > 10 }).sequence
        func compaction(_ compactionFloor: UInt64, _ removed: [UInt64]) -> JournalEntry {
            .compacted(Compaction(note: id, compactionFloor: compactionFloor, floorBytes: 100, removed: removed))
        }
        let besides = try #require(commits.last { !$0.coversAll }).sequence
        let peer = try #require(PeerName("p"))
        for wrong in [
            compaction(compactionFloor, [1, compactionFloor]), compaction(compactionFloor, [1, compactionFloor + 1]),
            compaction(compactionFloor, [1, 1_000]), compaction(besides, [1]),
            compaction(2_000, [1]),
        ] {
            #expect(throws: JournalError.self) {
                try subject.journal.append([.heard(peer, knows: DotSet()), compaction(compactionFloor, [2]), wrong])
            }
            #expect(subject.journal.peers.isEmpty && subject.journal.compactedThrough == 0)
            #expect(try subject.journal.history(of: id, before: nil, limit: .max)?.allSatisfy { !$0.isCompacted } == true)
        }
        try subject.journal.append([compaction(compactionFloor, [1, 2])])
        #expect(throws: JournalError.self) { try subject.journal.append([compaction(compactionFloor, [2])]) }
        // No revision can be written on a compacted one.
        let last = commits[commits.count - 1]
        let late = Revision(
            note: id, dot: Dot(ReplicaID(bits: 9), 1), parents: Version(commits[1].revision.dot), edits: [], origin: .stated,
            author: last.revision.author, time: last.revision.time)
        let commit = Commit(
            sequence: last.sequence + 1, previous: last.sequence, revision: late, coversAll: false, text: [], name: nil,
            head: last.head)
        #expect(throws: JournalError.self) { try subject.journal.append([.commit(commit, operation: nil)]) }
        #expect(subject.journal.lastSequence == last.sequence)
    }

    @Test(arguments: JournalKind.allCases, seeds(4))
    func peers_areKept(kind: JournalKind, seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let subject = try JournalUnderTest(kind, replica: ReplicaID(bits: 1))
        var peers: [PeerName: DotSet] = [:]
        for round in 0..<40 {
            let name = try #require(PeerName(ByteString("peer \(random.below(6))")))
            if random.chance(0.2) {
                try subject.journal.append([.forgotten(name)])
                peers[name] = nil
            } else {
                let replicas = (0..<3).map { ReplicaID(bits: 1 + UInt64($0) << 62) }
                var dots = DotSet((0..<random.below(60)).map { _ in Dot(random.pick(replicas), 1 + UInt64(random.below(90))) })
                if random.chance(0.2) { dots.insert(Dot(replicas[0], Dot.counterMax)) }
                try subject.journal.append([.heard(name, knows: dots)])
                peers[name] = dots
            }
            if random.chance(0.3) { try subject.reopen(replica: ReplicaID(bits: 100 + UInt64(round))) }
            #expect(subject.journal.peers == peers, "seed \(seed), round \(round)")
        }
    }

    @Test(arguments: JournalKind.allCases)
    func peers_areBounded(kind: JournalKind) throws {
        let subject = try JournalUnderTest(kind, replica: ReplicaID(bits: 1))
        let names = (0...PeerName.countMax).compactMap { PeerName(ByteString("\($0)")) }
        try subject.journal.append(names.dropLast().map { .heard($0, knows: DotSet()) })
        #expect(throws: JournalError.self) { try subject.journal.append([.heard(names[PeerName.countMax], knows: DotSet())]) }
        try subject.journal.append([.heard(names[0], knows: DotSet([Dot(ReplicaID(bits: 2), 2)]))])
        #expect(subject.journal.peers.count == PeerName.countMax)
        #expect(PeerName("") == nil && PeerName(ByteString(String(repeating: "x", count: 65))) == nil)
    }
}
