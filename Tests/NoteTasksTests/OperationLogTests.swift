import Causality
import ClientTestKit
import Console
import NotesModel
import TestKit
import Testing

@testable import NoteTasks

/// Tests of the log that `op` reads.
struct OperationLogTests {
    private let store = ReplicaID(bits: 7)

    private func line(
        _ operation: String, _ command: String, note: UInt64, dot: UInt64, store: UInt64 = 7, more: String = ""
    ) -> String {
        #"{"op":"\#(operation)","time":"2026-11-21T10:00:00.000Z","command":"\#(command)"\#(more),"store":"\#(ReplicaID(bits: store))","#
            + #""note":"\#(Canned.id(note))","dot":"\#(Canned.replica):\#(dot)"}"# + "\n"
    }

    @Test func commandsOfTheStore_areGroupedNewestFirst() {
        let text =
            line("a", "new", note: 1, dot: 1) + line("b", "rm", note: 1, dot: 2) + line("other", "new", note: 9, dot: 9, store: 8)
            + line("b", "rm", note: 2, dot: 3) + line("c", "op undo", note: 1, dot: 4, more: #","undoes":"b""#)
        let entries = OperationLog.entries(in: bytes(text), store: store)
        #expect(entries.map(\.operation) == ["c", "b", "a"])
        #expect(entries[1].command == "rm" && entries[1].changes.map(\.dot.counter) == [2, 3])
        #expect(entries[0].undoes == "b" && entries[1].notes == [Canned.id(1), Canned.id(2)])
    }

    /// Skips a truncated or foreign line, and no other.
    @Test func unreadableLine_isSkipped() {
        let good = line("a", "new", note: 1, dot: 1)
        for wrong in ["{", "[]", "\u{0}\u{1}", String(good.dropLast(4)), good.replacing("2026", with: "now"), "{\"op\":3}"] {
            let text = wrong.replacing("\n", with: "") + "\n" + line("b", "rm", note: 1, dot: 2)
            #expect(OperationLog.entries(in: bytes(text), store: store).map(\.operation) == ["b"], "\(wrong)")
        }
        #expect(OperationLog.entries(in: [], store: store).isEmpty)
    }

    @Test func partlyUndoneCommand_isNotUndone() {
        let undo = { (operation: String, note: UInt64, dot: UInt64) in
            self.line(operation, "op undo", note: note, dot: dot, more: #","undoes":"b""#)
        }
        let made = line("a", "new", note: 1, dot: 1) + line("b", "rm", note: 1, dot: 2) + line("b", "rm", note: 2, dot: 3)
        func undone(_ more: String) -> (wholly: Set<String>, partly: Set<String>) {
            OperationLog.undone(OperationLog.entries(in: bytes(made + more), store: store))
        }
        #expect(undone("").wholly.isEmpty && undone("").partly.isEmpty)
        let half = undo("c", 2, 4)
        #expect(undone(half).wholly.isEmpty && undone(half).partly == ["b"])
        #expect(undone(half + undo("d", 2, 5)).wholly.isEmpty, "the same note again is not the other one")
        let all = undone(half + undo("d", 1, 5))
        #expect(all.wholly == ["b"] && all.partly.isEmpty)
        let session = line("m", "mcp", note: 3, dot: 6) + line("m", "mcp", note: 3, dot: 7)
        let once = undone(session + line("u", "op undo", note: 3, dot: 8, more: #","undoes":"m""#))
        #expect(once.wholly == ["m"], "one write undoes both")
    }

    @Test func redo_takesBackUndos_andNoRedo() {
        func undo(_ operation: String, _ more: String) -> String {
            line(operation, "op undo", note: 1, dot: 4, more: ",\(more)")
        }
        func redoable(_ text: String) -> [String] {
            OperationLog.redoable(OperationLog.entries(in: bytes(text), store: store)).map(\.operation)
        }
        let (byID, byAuthor) = (undo("b", #""undoes":"a""#), undo("c", #""author":"box/mcp""#))
        let made = line("a", "mcp", note: 1, dot: 1)
        #expect(redoable(made).isEmpty)
        #expect(redoable(made + byID + byAuthor) == ["c", "b"])
        let redone = made + byID + byAuthor + undo("d", #""undoes":"c""#)
        #expect(redoable(redone) == ["b"], "neither what is redone nor the redo")
        #expect(redoable(redone + undo("e", #""undoes":"b""#)).isEmpty)
    }
}

/// Tests of the findings of `doctor`.
struct DiagnosisTests {
    private let now = Timestamp(milliseconds: 1_790_000_000_000)

    private func later(_ seconds: Int64) -> Timestamp { Timestamp(milliseconds: now.milliseconds + seconds * 1_000) }

    @Test func clockEarlierThanNotes_isAFault() {
        func severity(_ lastCommit: Timestamp?, _ isSynchronised: Bool? = nil, now: Timestamp? = nil) -> Finding.Severity {
            Diagnosis.clock(now: now ?? self.now, lastCommit: lastCommit, isSynchronised: isSynchronised).severity
        }
        #expect(severity(nil) == .ok && severity(later(-10), true) == .ok && severity(later(60)) == .ok)
        #expect(severity(later(3_600)) == .fault)
        #expect(severity(nil, false) == .note)
        #expect(severity(nil, now: Timestamp(milliseconds: 0)) == .fault)
    }

    @Test func littleDiskSpace_isAFault() {
        #expect(Diagnosis.disk("/x", free: 10_000_000).severity == .fault)
        #expect(Diagnosis.disk("/x", free: .max).severity == .ok)
    }

    @Test func sharedFolder_isAFaultUnlessSticky() {
        #expect(Diagnosis.folder("/run/x", mode: 0o700, isOwn: true).severity == .ok)
        #expect(Diagnosis.folder("/tmp", mode: 0o1777, isOwn: true).severity == .ok)
        #expect(Diagnosis.folder("/x", mode: 0o777, isOwn: true).severity == .fault)
        #expect(Diagnosis.folder("/x", mode: 0o700, isOwn: false).severity == .fault)
    }

    @Test func everyFault_hasAnAction() {
        for finding in [
            Diagnosis.disk("/x", free: 1), Diagnosis.folder("/x", mode: 0o777, isOwn: true),
            Diagnosis.clock(now: now, lastCommit: later(9_999), isSynchronised: nil),
            Diagnosis.compaction(days: "365", peers: 1),
        ] {
            #expect(finding.todo != nil && finding.lines(Style(isOn: false)).last?.contains("do: ") == true, "\(finding)")
        }
    }
}
