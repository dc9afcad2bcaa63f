import Causality
import NotesModel
import TestKit
import Testing

@testable import notesctl

/// What `op` reads back.
struct OperationJournalTests {
    private let store = ReplicaID(bits: 7)

    private func line(
        _ operation: String, _ command: String, note: UInt64, dot: UInt64, store: UInt64 = 7, more: String = ""
    ) -> String {
        #"{"op":"\#(operation)","time":"2026-11-21T10:00:00.000Z","command":"\#(command)"\#(more),"store":"\#(ReplicaID(bits: store))","#
            + #""note":"\#(Canned.id(note))","dot":"\#(Canned.replica):\#(dot)"}"# + "\n"
    }

    @Test func commandsAreGrouped_newestFirst_andOnlyThoseOfTheStore() {
        let text =
            line("a", "new", note: 1, dot: 1) + line("b", "rm", note: 1, dot: 2) + line("other", "new", note: 9, dot: 9, store: 8)
            + line("b", "rm", note: 2, dot: 3) + line("c", "op undo", note: 1, dot: 4, more: #","undoes":"b""#)
        let entries = OperationJournal.entries(in: bytes(text), store: store)
        #expect(entries.map(\.operation) == ["c", "b", "a"])
        #expect(entries[1].command == "rm" && entries[1].changes.map(\.dot.counter) == [2, 3])
        #expect(entries[0].undoes == "b" && entries[1].notes == [Canned.id(1), Canned.id(2)])
    }

    /// A line that was cut off, or that somebody else wrote, is left out, and no other.
    @Test func whatCannotBeRead_isLeftOut() {
        let good = line("a", "new", note: 1, dot: 1)
        for wrong in ["{", "[]", "\u{0}\u{1}", String(good.dropLast(4)), good.replacing("2026", with: "now"), "{\"op\":3}"] {
            let text = wrong.replacing("\n", with: "") + "\n" + line("b", "rm", note: 1, dot: 2)
            #expect(OperationJournal.entries(in: bytes(text), store: store).map(\.operation) == ["b"], "\(wrong)")
        }
        #expect(OperationJournal.entries(in: [], store: store).isEmpty)
    }
}

/// What `doctor` makes of what it sees.
struct DiagnosisTests {
    private let now = Timestamp(milliseconds: 1_790_000_000_000)

    private func later(_ seconds: Int64) -> Timestamp { Timestamp(milliseconds: now.milliseconds + seconds * 1_000) }

    @Test func aClock_thatIsBehindTheNotes_isAFault() {
        func standing(_ lastCommit: Timestamp?, _ isSynchronised: Bool? = nil, now: Timestamp? = nil) -> Finding.Standing {
            Diagnosis.clock(now: now ?? self.now, lastCommit: lastCommit, isSynchronised: isSynchronised).standing
        }
        #expect(standing(nil) == .ok && standing(later(-10), true) == .ok && standing(later(60)) == .ok)
        #expect(standing(later(3_600)) == .fault)
        #expect(standing(nil, false) == .note)
        #expect(standing(nil, now: Timestamp(milliseconds: 0)) == .fault)
    }

    @Test func littleRoom_isAFault() {
        #expect(Diagnosis.disk("/x", free: 10_000_000).standing == .fault)
        #expect(Diagnosis.disk("/x", free: .max).standing == .ok)
    }

    @Test func aFolder_thatOthersWrite_isAFault_unlessItIsSticky() {
        #expect(Diagnosis.folder("/run/x", mode: 0o700, isOwn: true).standing == .ok)
        #expect(Diagnosis.folder("/tmp", mode: 0o1777, isOwn: true).standing == .ok)
        #expect(Diagnosis.folder("/x", mode: 0o777, isOwn: true).standing == .fault)
        #expect(Diagnosis.folder("/x", mode: 0o700, isOwn: false).standing == .fault)
    }

    @Test func everyFaultSaysWhatToDo() {
        for finding in [
            Diagnosis.disk("/x", free: 1), Diagnosis.folder("/x", mode: 0o777, isOwn: true),
            Diagnosis.clock(now: now, lastCommit: later(9_999), isSynchronised: nil),
        ] {
            #expect(finding.todo != nil && finding.lines(Style(isOn: false)).last?.contains("do: ") == true, "\(finding)")
        }
    }
}
