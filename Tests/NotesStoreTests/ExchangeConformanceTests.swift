import Causality
import NoteText
import NotesModel
import TestKit
import Testing
import TextMerge

@testable import NotesStore

/// The contract of a journal for stores that exchange revisions.
@Suite struct ExchangeConformance {
    /// The revisions that a peer lacks arrive completely, in commit order and in pages, whatever it
    /// knows.
    @Test(arguments: JournalKind.allCases, seeds(10))
    func missingRevisions_areThoseUnknownToPeer(kind: JournalKind, seed: UInt64) throws {
        var generator = HistoryGenerator(seed: seed)
        let subject = try JournalUnderTest(kind, replica: generator.replica)
        var commits: [Commit] = []
        for round in 0..<8 {
            let fresh = generator.commits(1 + generator.random.below(30))
            try subject.journal.append(fresh.map { .commit($0, operation: nil) })
            commits += fresh
            if generator.random.chance(0.5) { while try subject.journal.maintain() {} }
            if generator.random.chance(0.5) {
                generator.restart()
                try subject.reopen(replica: generator.replica)
            }
            let place: Comment = "seed \(seed), round \(round), \(kind)"
            #expect(try subject.journal.knownDots() == DotSet(commits.map(\.revision.dot)), place)
            for commit in commits where generator.random.chance(0.1) {
                #expect(try subject.journal.revision(commit.revision.dot) == commit.revision, place)
            }
            #expect(try subject.journal.revision(Dot(ReplicaID(bits: 5), 5)) == nil, place)
            let part = generator.random.pick([0, 0.5, 0.9, 1])
            let known = DotSet(commits.map(\.revision.dot).filter { _ in generator.random.chance(part) })
            let after = UInt64(generator.random.chance(0.5) ? 0 : generator.random.below(commits.count + 2))
            let limit = PageLimit(revisionsMax: 1 + generator.random.below(9), bytesMax: 1 + generator.random.below(2_000))
            let missingRevisions = commits.filter { $0.sequence > after && !known.contains($0.revision.dot) }.map(\.revision)
            let sent = try pages(of: subject.journal, known, after, limit, place)
            #expect(sent.map(\.content) == missingRevisions, place)
            #expect(Set(sent).isSubset(of: linked(commits.map(\.revision))), place)
        }
    }

    private func pages(
        of journal: any Journal, _ known: DotSet, _ after: UInt64, _ limit: PageLimit, _ place: Comment
    ) throws -> [LinkedRevision] {
        var revisions: [LinkedRevision] = []
        var after = after
        while true {
            let page = try journal.missingRevisions(by: known, after: after, limit: limit)
            let bytes = page.revisions.map { EditCodec.bytes(of: $0.content.edits).count + PageLimit.revisionOverheadBytes }
            #expect(page.revisions.count <= limit.revisionsMax, place)
            #expect(page.revisions.count == 1 || bytes.reduce(0, +) <= limit.bytesMax, place)
            #expect(page.isLast || !page.revisions.isEmpty, place)
            revisions += page.revisions
            guard !page.isLast else { return revisions }
            after = page.through
        }
    }

    /// Revisions that arrive before their parents are kept until they are committed, even across
    /// restarts.
    @Test(arguments: JournalKind.allCases, seeds(8))
    func waitingRevision_endsWithItsCommit(kind: JournalKind, seed: UInt64) throws {
        var generator = HistoryGenerator(seed: seed)
        let subject = try JournalUnderTest(kind, replica: ReplicaID(bits: seed))
        let all = generator.commits(60)
        let revisions = linked(all.map(\.revision))
        var rest = all[...]
        var committed: [Commit] = []
        // In order of arrival.
        var waiting: [LinkedRevision] = []
        var number = UInt64(0)
        for round in 0..<30 where !rest.isEmpty {
            var entries: [JournalEntry] = []
            for commit in rest {
                let revision = revisions[Int(commit.sequence) - 1]
                guard generator.random.chance(0.2), !waiting.contains(revision) else { continue }
                entries.append(.waiting(revision))
                waiting.append(revision)
            }
            for commit in rest.prefix(generator.random.below(6)) {
                entries.append(.commit(commit, operation: nil))
                committed.append(commit)
                waiting.removeAll { $0.content == commit.revision }
            }
            rest = rest.drop { commit in committed.contains { $0.sequence == commit.sequence } }
            try subject.journal.append(entries)
            if generator.random.chance(0.3) { try subject.reopen(replica: ReplicaID(bits: seed << 32 + UInt64(round))) }
            let place: Comment = "seed \(seed), round \(round), \(kind)"
            let journal = subject.journal
            let page = try journal.waiting(after: 0, limit: .max)
            #expect(page.map(\.revision) == waiting, place)
            if let last = page.last { number = max(number, last.number) }
            #expect(page.map(\.number) == page.map(\.number).sorted(), place)
            for (index, stored) in page.enumerated() where generator.random.chance(0.2) {
                #expect(try journal.waiting(after: stored.number, limit: 2) == Array(page[(index + 1)...].prefix(2)), place)
            }
            for dot in Set(waiting.flatMap(\.content.parents.dots) + committed.map(\.revision.dot))
            where generator.random.chance(0.3) {
                #expect(try journal.waiting(on: dot) == waiting.filter { $0.content.parents.dots.contains(dot) }, place)
            }
            for revision in waiting { #expect(try journal.waiting(revision.dot) == revision, place) }
            for commit in committed { #expect(try journal.waiting(commit.revision.dot) == nil, place) }
            #expect(journal.heldAmounts.waiting == waiting.reduce(HoldingAmount()) { $0 + .of($1) }, place)
            let rows = try journal.held(in: .waiting, after: 0, limit: .max)
            #expect(rows.map(\.number) == page.map(\.number) && rows.map(\.dot) == waiting.map(\.dot), place)
            let held = DotSet(committed.map(\.revision.dot) + waiting.map(\.dot))
            #expect(try journal.knownDots() == held, place)
            #expect(
                try journal.missingRevisions(by: DotSet(), after: 0, limit: PageLimit()).revisions.map(\.content)
                    == committed.map(\.revision),
                place)
        }
    }

    /// Dropping a dot removes each content that is held under it, and nothing else.
    @Test(arguments: JournalKind.allCases)
    func droppedRevisions_areGone(kind: JournalKind) throws {
        var generator = HistoryGenerator(seed: 12)
        let subject = try JournalUnderTest(kind, replica: ReplicaID(bits: 1))
        let commits = generator.commits(6)
        let revisions = linked(commits.map(\.revision))
        let taken = [77, 78].map { Quarantined(revision: altered(revisions[0], time: $0), reason: .dotIsTaken) }
        let kept = Quarantined(revision: revisions[5], reason: .editOutsideText)
        try subject.journal.append(
            [.commit(commits[0], operation: nil), .waiting(revisions[3]), .waiting(revisions[4]), .quarantined(kept)]
                + taken.map(JournalEntry.quarantined))
        try subject.journal.append([revisions[0], revisions[3], revisions[1]].map { .dropped($0.dot) })
        for replica in 2..<4 {
            #expect(try subject.journal.quarantined(after: 0, limit: 9).map(\.quarantined) == [kept])
            #expect(try subject.journal.waiting(after: 0, limit: 9).map(\.revision) == [revisions[4]])
            #expect(try subject.journal.revision(commits[0].revision.dot) == commits[0].revision)
            let amounts = subject.journal.heldAmounts
            #expect(amounts.quarantined == .of(kept.revision) && amounts.waiting == .of(revisions[4]))
            try subject.reopen(replica: ReplicaID(bits: UInt64(replica)))
        }
        // A peer may offer them again.
        try subject.journal.append([.quarantined(taken[0]), .waiting(revisions[3])])
        #expect(try subject.journal.quarantined(after: 0, limit: 9).map(\.quarantined) == [kept, taken[0]])
        #expect(try subject.journal.waiting(revisions[3].dot) == revisions[3])
    }

    @Test(arguments: JournalKind.allCases)
    func quarantine_keepsEachContentOnce(kind: JournalKind) throws {
        var generator = HistoryGenerator(seed: 11)
        let subject = try JournalUnderTest(kind, replica: ReplicaID(bits: 1))
        let commits = generator.commits(6)
        let revisions = linked(commits.map(\.revision))
        try subject.journal.append([.commit(commits[0], operation: nil), .waiting(revisions[5])])
        let taken = Quarantined(revision: altered(revisions[0], time: 77), reason: .dotIsTaken)
        let other = Quarantined(revision: altered(revisions[0], time: 78), reason: .dotIsTaken)
        let waited = Quarantined(revision: revisions[5], reason: .editOutsideText)
        try subject.journal.append([.quarantined(taken)])
        try subject.journal.append([.quarantined(other), .quarantined(taken), .quarantined(waited)])
        for replica in 2..<4 {
            let page = try subject.journal.quarantined(after: 0, limit: 10)
            #expect(page.map(\.quarantined) == [taken, other, waited] && page.map(\.number) == [1, 2, 3])
            let all = [taken, other, waited].map(\.revision)
            #expect(subject.journal.heldAmounts.quarantined == all.reduce(HoldingAmount()) { $0 + .of($1) })
            let rows = try subject.journal.held(in: .quarantine, after: 1, limit: 9)
            #expect(rows.map(\.number) == [2, 3] && rows.map(\.dot) == [other, waited].map(\.revision.dot))
            #expect(try subject.journal.quarantined(after: 1, limit: 1).map(\.quarantined) == [other])
            let contents = try subject.journal.held(in: .quarantine, of: taken.revision.dot, after: 0, limit: 9)
            #expect(contents.map(\.number) == [1, 2])
            // A revision that turned out not to fit its parents stops waiting and is not known.
            #expect(try subject.journal.waiting(after: 0, limit: 1).isEmpty)
            #expect(try subject.journal.knownDots() == DotSet([commits[0].revision.dot]))
            #expect(try subject.journal.revision(commits[0].revision.dot) == commits[0].revision)
            try subject.reopen(replica: ReplicaID(bits: UInt64(replica)))
        }
        // Quarantining other content of a waiting dot does not remove the waiting revision.
        try subject.journal.append([.waiting(revisions[4])])
        let twin = Quarantined(revision: altered(revisions[4], time: 5), reason: .dotIsTaken)
        try subject.journal.append([.quarantined(twin)])
        #expect(try subject.journal.waiting(revisions[4].dot) == revisions[4])
    }

    @Test(arguments: JournalKind.allCases)
    func refusedWaiting_changesNothing(kind: JournalKind) throws {
        var generator = HistoryGenerator(seed: 12)
        let subject = try JournalUnderTest(kind, replica: ReplicaID(bits: 1))
        let commits = generator.commits(5)
        let revisions = linked(commits.map(\.revision))
        try subject.journal.append([.commit(commits[0], operation: nil), .waiting(revisions[3])])
        let overlapping = altered(
            revisions[4], time: 1,
            edits: [Edit(start: 2, end: 4, replacement: []), Edit(start: 1, end: 2, replacement: [])])
        let broken: [[JournalEntry]] = [
            [.waiting(revisions[0])], [.waiting(revisions[3])],
            [.waiting(revisions[4]), .waiting(revisions[4])],
            [.commit(commits[1], operation: nil), .waiting(revisions[1])],
            [.waiting(revisions[4]), .commit(commits[2], operation: nil)],
            [.quarantined(Quarantined(revision: overlapping, reason: .editOutsideText))], [.waiting(overlapping)],
        ]
        for (index, entries) in broken.enumerated() {
            let error = try #require(throws: JournalError.self, "case \(index)") { try subject.journal.append(entries) }
            #expect(error.isFailed, "case \(index)")
            #expect(try subject.journal.waiting(after: 0, limit: 9).map(\.revision) == [revisions[3]], "case \(index)")
            #expect(subject.journal.lastSequence == 1, "case \(index)")
        }
    }

    /// The run that committed a revision differs from the replica that wrote it: cursors identify
    /// runs.
    @Test(arguments: JournalKind.allCases)
    func run_isFoundByCommit(kind: JournalKind) throws {
        var generator = HistoryGenerator(seed: 13)
        let subject = try JournalUnderTest(kind, replica: ReplicaID(bits: 1))
        let commits = generator.commits(9)
        for run in 0..<3 {
            if run > 0 { try subject.reopen(replica: ReplicaID(bits: UInt64(run + 1))) }
            for commit in commits[run * 3..<run * 3 + 3] { try subject.journal.append([.commit(commit, operation: nil)]) }
        }
        try subject.reopen(replica: ReplicaID(bits: 9))
        for commit in commits {
            #expect(try subject.journal.replica(ofCommit: commit.sequence) == ReplicaID(bits: (commit.sequence + 2) / 3))
        }
        #expect(try subject.journal.replica(ofCommit: 10) == nil && subject.journal.replica(ofCommit: 0) == nil)
    }

    /// One store's revisions arrive at another in any order, so a replica's later counters may be
    /// committed before its earlier ones, even in ranges that grow towards each other.
    @Test(arguments: JournalKind.allCases, seeds(12))
    func unorderedDots_areFound(kind: JournalKind, seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let subject = try JournalUnderTest(kind, replica: ReplicaID(bits: 1_000))
        var rest = (1...3).flatMap { replica in (1...20).map { Dot(ReplicaID(bits: replica), $0) } }
        var sequences: [Dot: UInt64] = [:]
        var run = UInt64(1_000)
        while !rest.isEmpty {
            var next = random.below(rest.count)
            var entries: [JournalEntry] = []
            // Some consecutive, some not.
            for _ in 0..<1 + random.below(5) where next < rest.count {
                let dot = rest.remove(at: random.chance(0.8) ? next : 0)
                let sequence = UInt64(sequences.count + 1)
                sequences[dot] = sequence
                entries.append(.commit(floor(dot, note: sequence), operation: nil))
                if random.chance(0.1) { next = random.below(rest.count + 1) }
            }
            try subject.journal.append(entries)
            if random.chance(0.2) {
                run += 1
                try subject.reopen(replica: ReplicaID(bits: run))
            }
            for (dot, sequence) in sequences {
                #expect(try subject.journal.revision(dot)?.note == noteID(sequence), "seed \(seed), \(dot)")
                let again = floor(dot, note: UInt64(sequences.count + 1))
                #expect(throws: JournalError.self) { try subject.journal.append([.commit(again, operation: nil)]) }
            }
            for dot in rest { #expect(try subject.journal.revision(dot) == nil, "seed \(seed), \(dot)") }
            #expect(try subject.journal.knownDots() == DotSet(sequences.keys), "seed \(seed)")
        }
    }

    /// A commit of a note's first and only revision.
    private func floor(_ dot: Dot, note number: UInt64) -> Commit {
        let time = Timestamp(milliseconds: 1)
        let revision = Revision(
            note: noteID(number), dot: dot, parents: .nothing, edits: [], origin: .stated, author: ada, time: time)
        let head = Head(
            id: revision.note, name: nil, version: Version(dot), vector: VersionVector([dot.replica: dot.counter]), title: "",
            tags: [], created: time, modified: time, author: ada, bytes: 0, isDeleted: false)
        return Commit(sequence: number, previous: 0, revision: revision, coversAll: true, text: [], name: nil, head: head)
    }

    private func altered(_ linked: LinkedRevision, time: Int64, edits: [Edit]? = nil) -> LinkedRevision {
        let old = linked.content
        let new = Revision(
            note: old.note, dot: old.dot, parents: old.parents, edits: edits ?? old.edits, origin: old.origin,
            author: old.author, time: Timestamp(milliseconds: time))
        return LinkedRevision(new, parentHashes: linked.parentHashes)
    }
}
