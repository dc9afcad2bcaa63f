import Causality
import NoteText
import NotesModel
import TestKit
import Testing
import TextMerge

@testable import NotesStore

/// Refusals, named writes and bounds in the journal's contract.
@Suite struct JournalContract {
    @Test(arguments: JournalKind.allCases)
    func emptyStore_hasNothing(kind: JournalKind) throws {
        let subject = try JournalUnderTest(kind, replica: ReplicaID(bits: 3))
        let journal = subject.journal
        #expect(journal.identity == StoreIdentity(store: testStore, replica: ReplicaID(bits: 3)))
        #expect(journal.lastSequence == 0)
        #expect(try journal.heads(matching: Filter(), after: nil, limit: 10).isEmpty)
        #expect(try journal.changed(after: 0, through: .max, limit: 10).isEmpty)
        #expect(try journal.statistics().notes == 0)
        #expect(try journal.maintain() == false)
        try journal.append([])
        #expect(journal.lastSequence == 0)
    }

    @Test(arguments: JournalKind.allCases)
    func refusedAppend_changesNothing(kind: JournalKind) throws {
        var generator = HistoryGenerator(seed: 3)
        let subject = try JournalUnderTest(kind, replica: generator.replica)
        let journal = subject.journal
        let first = generator.commits(20)
        try journal.append(first.map { .commit($0, operation: nil) })
        let later = generator.commits(3)
        let record = operation("a", user: 1, first[0])
        try journal.append([.operation(record)])
        var broken: [[JournalEntry]] = [
            // A gap in the sequence.
            [.commit(later[1], operation: nil)],
            // The same commit again.
            [.commit(first[19], operation: nil)],
            // A valid entry, then an invalid one.
            [.commit(later[0], operation: nil), .commit(later[2], operation: nil)],
            // A known operation, and one given twice.
            [.commit(later[0], operation: record)],
            [.commit(later[0], operation: operation("b", user: 1, first[0])), .operation(operation("b", user: 1, first[0]))],
            // An unknown parent; a commit that does not follow its note's newest.
            [.commit(altered(later[0], parents: Version(Dot(ReplicaID(bits: 9), 1))), operation: nil)],
            [.commit(altered(later[0], previous: later[0].previous + 1), operation: nil)],
        ]
        // A dot that is already in use.
        broken += first.map { [.commit(altered(later[0], dot: $0.revision.dot), operation: nil)] }
        for (index, entries) in broken.enumerated() {
            let error = try #require(throws: JournalError.self) { try journal.append(entries) }
            guard case .failed = error else {
                Issue.record("case \(index) is \(error)")
                continue
            }
            #expect(journal.lastSequence == 20, "case \(index)")
            #expect(try journal.operation(OperationKey(user: 1, name: "b")) == nil, "case \(index)")
            #expect(
                try journal.head(of: later[0].head.id)
                    == first.last { $0.head.id == later[0].head.id }.map {
                        StoredHead(head: $0.head, sequence: $0.sequence)
                    }, "case \(index)")
        }
        try journal.append(later.map { .commit($0, operation: nil) })
        #expect(journal.lastSequence == 23)
    }

    @Test(arguments: JournalKind.allCases)
    func operations_areFoundAgain(kind: JournalKind) throws {
        var generator = HistoryGenerator(seed: 4)
        let subject = try JournalUnderTest(kind, replica: generator.replica)
        let commits = generator.commits(3)
        let unchanged = OperationRecord(
            key: OperationKey(user: 7, name: "e\u{301}"), fingerprint: [1, 2, 3], note: commits[0].head.id, dot: nil,
            version: Version(commits.map(\.revision.dot) + [Dot(ReplicaID(bits: 99), 4)]))
        let onNothing = OperationRecord(
            key: OperationKey(user: 7, name: "\u{e9}"), fingerprint: [], note: commits[0].head.id, dot: nil, version: .nothing)
        let saved = operation("x", user: .max, commits[1])
        try subject.journal.append([
            .commit(commits[0], operation: nil), .operation(unchanged), .commit(commits[1], operation: saved),
            .operation(onNothing),
        ])
        generator.restart()
        try subject.reopen(replica: generator.replica)
        #expect(try subject.journal.operation(unchanged.key) == unchanged)
        #expect(try subject.journal.operation(onNothing.key) == onNothing)
        #expect(try subject.journal.operation(saved.key) == saved)
        #expect(try subject.journal.operation(OperationKey(user: 1, name: "x")) == nil)
    }

    @Test(arguments: JournalKind.allCases)
    func operations_keepNewestOfEachUser(kind: JournalKind) throws {
        var generator = HistoryGenerator(seed: 5)
        let subject = try JournalUnderTest(kind, replica: generator.replica)
        let commit = generator.next()
        try subject.journal.append([.commit(commit, operation: operation("other", user: 2, commit))])
        let kept = kind.limits.operationsKeptMax
        for number in 0..<kept + 7 {
            try subject.journal.append([.operation(operation("\(number)", user: 1, commit))])
            if number == 10 {
                generator.restart()
                try subject.reopen(replica: generator.replica)
            }
        }
        for number in 0..<kept + 7 {
            let found = try subject.journal.operation(OperationKey(user: 1, name: ByteString("\(number)")))
            #expect((found != nil) == (number >= 7), "operation \(number)")
        }
        #expect(try subject.journal.operation(OperationKey(user: 2, name: "other")) != nil)
        // A pruned name can be used again.
        try subject.journal.append([.operation(operation("0", user: 1, commit))])
    }

    @Test(arguments: JournalKind.allCases)
    func nameHiddenByOwnVersion_isReturned(kind: JournalKind) throws {
        let subject = try JournalUnderTest(kind, replica: ReplicaID(bits: 1))
        let id = NoteID(at: Timestamp(milliseconds: 1), random: (0, 0))
        let author = Author(user: "ada", label: nil)
        let time = Timestamp(milliseconds: 5)
        let name = try NoteName("kept")
        let revision = Revision(
            note: id, dot: Dot(ReplicaID(bits: 1), 1), parents: .nothing, edits: [], origin: .stated, name: .set(name),
            isTombstone: true, author: author, time: time)
        let head = Head(
            id: id, name: nil, version: Version(revision.dot), vector: VersionVector([ReplicaID(bits: 1): 1]), title: "",
            tags: [],
            created: time, modified: time, author: author, bytes: 0, isDeleted: true)
        try subject.journal.append([
            .commit(
                Commit(sequence: 1, previous: 0, revision: revision, coversAll: true, text: [], name: nil, head: head),
                operation: nil)
        ])
        #expect(try subject.journal.note(id, downTo: .start, asOf: nil)?.tail == [revision])
    }

    @Test(arguments: JournalKind.allCases)
    func closedJournal_refusesEverything(kind: JournalKind) throws {
        let subject = try JournalUnderTest(kind, replica: ReplicaID(bits: 1))
        try subject.journal.close()
        #expect(throws: JournalError.self) { try subject.journal.statistics() }
        #expect(throws: JournalError.self) { try subject.journal.append([]) }
        #expect(throws: JournalError.self) { try subject.journal.maintain() }
    }

    private func operation(_ name: String, user: UInt32, _ commit: Commit) -> OperationRecord {
        OperationRecord(
            key: OperationKey(user: user, name: ByteString(name)), fingerprint: [UInt8](repeating: 7, count: 32),
            note: commit.head.id,
            dot: commit.revision.dot, version: Version(commit.revision.dot))
    }

    private func altered(_ commit: Commit, parents: Version? = nil, dot: Dot? = nil, previous: UInt64? = nil) -> Commit {
        let revision = commit.revision
        return Commit(
            sequence: commit.sequence, previous: previous ?? commit.previous,
            revision: Revision(
                note: revision.note, dot: dot ?? revision.dot, parents: parents ?? revision.parents, edits: revision.edits,
                origin: revision.origin, author: revision.author, time: revision.time),
            coversAll: commit.coversAll, text: commit.text, name: commit.name, head: commit.head)
    }
}
