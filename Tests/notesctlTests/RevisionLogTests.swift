import Causality
import ClientTestKit
import NotesClient
import NotesModel
import NotesWire
import TestKit
import Testing

@testable import NoteTasks
@testable import notesctl

/// Tests of the revisions of many notes, as `log` lists them.
struct RevisionLogTests {
    private func revision(_ name: String, at time: Int64) -> RevisionSummary {
        RevisionSummary(
            dot: dot(name), parents: Version([]), author: ada, time: Timestamp(milliseconds: time), bytes: 0, isDeleted: false,
            name: nil, isStated: false)
    }

    private func head(_ number: UInt64, modified: Int64) -> Head {
        var head = Canned.note(number).head
        head.modified = Timestamp(milliseconds: modified)
        return head
    }

    /// Notes 3 and 1 show the times of files.
    @Test func histories_mergeByTimeOfTheirWrites_andAreReadLazily() async throws {
        let histories: [NoteID: [RevisionSummary]] = [
            Canned.id(1): [revision("A9", at: 90), revision("A5", at: 50), revision("A1", at: 10)],
            Canned.id(2): [revision("A8", at: 80), revision("A7", at: 70), revision("A2", at: 20)],
            Canned.id(3): [revision("A3", at: 30)],
        ]
        let reads = Reads()
        var log = RevisionLog([head(3, modified: 99), head(1, modified: 5), head(2, modified: 80)], pageSize: 2) { params in
            await reads.add(params.id)
            let all = histories[params.id] ?? []
            let start = params.before.flatMap { before in all.firstIndex { $0.dot == before } }.map { $0 + 1 } ?? 0
            let page = Array(all[start...].prefix(params.limit))
            return HistoryResult(revisions: page, next: start + page.count < all.count ? page.last?.dot : nil)
        }
        var taken: [Dot] = []
        for _ in 0..<3 { if let entry = try await log.next() { taken.append(entry.revision.dot) } }
        #expect(taken == [dot("A9"), dot("A8"), dot("A7")])
        #expect(await reads.notes == [3, 1, 2, 2].map(Canned.id), "the rest of the first note is not read")
        while let entry = try await log.next() {
            taken.append(entry.revision.dot)
            if entry.revision.dot == dot("A5") { #expect(entry.older?.dot == dot("A1") && entry.note?.id == Canned.id(1)) }
        }
        #expect(taken.dropFirst(3) == [dot("A5"), dot("A3"), dot("A2"), dot("A1")])
    }

    private actor Reads {
        private(set) var notes: [NoteID] = []

        func add(_ note: NoteID) { notes.append(note) }
    }
}
