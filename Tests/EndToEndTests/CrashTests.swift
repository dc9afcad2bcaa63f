import Causality
import Glibc
import NoteText
import NotesClient
import NotesModel
import NotesWire
import Synchronization
import TestKit
import Testing

extension EndToEnd {
    @Suite struct CrashTests {
        /// Writers and watchers survive repeated crashes: unacknowledged writes are sent again
        /// under the same operation name, and watches resume from their cursors.
        @Test(.long) func repeatedKills_loseNoAcknowledgedWrite() async throws {
            let crashes = seeds(8).count
            let seed = seeds(1)[0]
            try await DaemonProcess.run { daemon in
                let fleet = Fleet(daemon: daemon, seed: seed)
                let isOver = Flag()
                let resumptions = try await within("seed \(seed): \(crashes) crashes", seconds: 120 + crashes * 30) {
                    try await fleet.run(goesOn: { _ in !isOver.isSet }) {
                        defer { isOver.set() }
                        var random = SeededGenerator(seed: seed)
                        var crash = 0
                        var wanted = 40
                        for await count in fleet.log.counts where count >= wanted {
                            try await daemon.restart(after: SIGKILL)
                            crash += 1
                            if crash == crashes { return }
                            wanted = fleet.log.count + 1 + random.below(80)
                        }
                    }
                }
                #expect(resumptions.count == 5 && resumptions.allSatisfy { $0 > 0 }, "seed \(seed): \(resumptions)")
            }
        }

        /// A write sent both before and after a crash is made once, wherever the crash happened.
        @Test func opResentAfterCrash_isExecutedOnce() async throws {
            try await DaemonProcess.run { daemon in
                let note = noteID(1)
                let setup = try await daemon.client("setup")
                var version = try await setup.create(text: bytes("a\n"), id: note).note.head.version
                await setup.close()
                for round in 0..<seeds(6).count {
                    let line =
                        #"{"jsonrpc":"2.0","id":7,"method":"note.save","params":{"id":"\#(note)","base":"\#(version)","#
                        + #""text":"round \#(round)\n","op":"round-\#(round)"}}"#
                    let before = try await RawConnection.registered(daemon.socket)
                    try await before.send(line + "\n")
                    if round % 2 == 1 { _ = try await before.answer() }
                    try await daemon.restart(after: SIGKILL)
                    let after = try await RawConnection.registered(daemon.socket)
                    guard case .result(_, let value) = try await after.call(line) else {
                        Issue.record("round \(round): refused")
                        return
                    }
                    let outcome = try OutcomeResult(reading: value)
                    if round % 2 == 1 { #expect(outcome.isReplayed, "round \(round): an acknowledged write exists") }
                    version = outcome.version
                }
                let judge = try await daemon.client("judge")
                let history = try await judge.history(ReadHistory(id: note, limit: 1_000)).revisions
                #expect(history.count == 1 + seeds(6).count)
                #expect(history.map(\.parents.dots.count) == Array(repeating: 1, count: history.count - 1) + [0])
                await judge.close()
            }
        }
    }
}

/// A flag that one task sets once and others read.
final class Flag: Sendable {
    private let value = Atomic<Bool>(false)

    var isSet: Bool { value.load(ordering: .acquiring) }

    func set() { value.store(true, ordering: .releasing) }
}
