import Causality
import Dependents
import NoteText
import NotesModel
import NotesWire
import TestKit
import Testing

@testable import NotesEngine
@testable import NotesServer

/// A change for many dependents is encoded once, and each line has the values of its own watch.
@Suite struct EncodedChangesTests {
    private let replica = ReplicaID(bits: 2)

    private func state(_ sequence: UInt64, _ text: String) -> NoteState {
        let time = Timestamp(milliseconds: 0)
        let head = Head(
            id: testNoteID, name: nil, version: Version(Dot(replica, sequence)), vector: VersionVector(), title: "", tags: [],
            created: time, modified: time, author: Author(user: "ada", label: nil), bytes: text.utf8.count, isDeleted: false)
        return NoteState(sequence: sequence, head: head, text: Array(text.utf8))
    }

    private func cursor(_ sequence: UInt64, behind: UInt64 = 0) -> Cursor {
        let commit = CommitPosition(sequence: sequence, replica: replica)
        return Cursor(commit, newest: CommitPosition(sequence: sequence + behind, replica: replica))
    }

    private func line(_ changed: ChangeNotification, behind: UInt64 = 0, of changes: inout EncodedChanges) -> [UInt8] {
        changes.change(changed, encoding: .utf8)
            .line(watch: 1, seq: 2, cursor: cursor(changed.state.sequence, behind: behind))
    }

    /// Lines do not depend on what the encoder encoded before.
    @Test(arguments: seeds(20))
    func encoderCache_changesNoLine(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var changes = EncodedChanges()
        let states = (1...5).map { state(UInt64($0), String(repeating: "x", count: $0 == 5 ? 40_000 : $0)) }
        for _ in 0..<300 {
            let origin = Origin(dependent: DependentID(4), label: "vim")
            let changed = ChangeNotification(
                kind: random.pick([.edited, .created, .left, .deleted]), state: random.pick(states),
                include: random.pick([.meta, .text, .edits]), base: random.chance(0.5) ? random.pick(states) : nil,
                coalesced: 1 + random.below(3), origin: random.chance(0.7) ? origin : nil)
            var fresh = EncodedChanges()
            let behind = UInt64(random.below(3))
            let kept = line(changed, behind: behind, of: &changes)
            #expect(kept == line(changed, behind: behind, of: &fresh), "seed \(seed)")
            if random.chance(0.1) { changes.deliveryEnded() }
        }
    }

    /// A batch encodes to the same lines as its changes one by one.
    @Test(arguments: [0, 1, 9, 10, 12_345, UInt64.max - 9]) func batchedChanges_matchSingleLines(seq: UInt64) {
        let told = (1...9).map { number in
            (
                cursor(UInt64(number)),
                ChangeNotification(
                    kind: .edited, state: state(UInt64(number), String(repeating: "x", count: number * number)), include: .text,
                    base: nil, coalesced: number % 3 + 1, origin: nil)
            )
        }
        var changes = EncodedChanges()
        for watch: UInt64 in [1, 77] {
            let sequence = changes.changes(RenderedChanges(told, cursor: cursor(9)), encoding: .utf8)
            let written = [UInt8](unsafeUninitializedCapacity: sequence.byteCountMax) { buffer, count in
                count = sequence.write(watch: watch, seq: seq, to: UnsafeMutableRawBufferPointer(buffer))
            }
            let lines = told.enumerated().flatMap { index, change in
                changes.change(change.1, encoding: .utf8).line(watch: watch, seq: seq + UInt64(index), cursor: change.0)
            }
            #expect(written == lines)
        }
    }

    @Test func change_isEncodedOnceForAll() {
        var changes = EncodedChanges()
        func changed(_ text: String) -> ChangeNotification {
            ChangeNotification(kind: .edited, state: state(1, text), include: .text, base: nil, coalesced: 1, origin: nil)
        }
        // The encoder may assume that states of the same note and commit are equal. A different
        // state here shows that the first one was cached.
        #expect(line(changed("a"), of: &changes) == line(changed("b"), of: &changes))
    }
}
