import Foundation
import TestKit
import Testing

extension EndToEnd {
    /// Programs in a folder, clients of a daemon, and a mirror that is killed between its calls, in random
    /// order. The judge knows which lines were written and which were removed by somebody who had seen
    /// them, and nothing about how the mirror works.
    @Suite struct MirrorSimulationTests {
        private static let steps = 25

        /// The faults after some steps.
        private func faults(
            of steps: [MirrorStep], seed: UInt64, _ daemon: DaemonProcess, in folder: String
        ) async throws -> [String] {
            let root = "\(folder)/\(UUID().uuidString.prefix(8))"
            defer { try? FileManager.default.removeItem(atPath: root) }
            let world = try await MirrorWorld(daemon: daemon, root: root, seed: seed)
            for step in steps { try await world.perform(step) }
            let faults = try await world.judged()
            try await world.clear()
            return faults
        }

        /// Removes steps from a failing list as long as it still fails.
        private func shrunk(
            _ steps: [MirrorStep], whileFails fails: ([MirrorStep]) async throws -> Bool
        ) async throws -> [MirrorStep] {
            var steps = steps
            var place = steps.count - 1
            while place >= 0 {
                var rest = steps
                rest.remove(at: place)
                if try await fails(rest) { steps = rest }
                place -= 1
            }
            return steps
        }

        /// A mirror is killed at each of its calls while it takes a save, and the file is saved again before
        /// the next start. No line is in the note twice, or lost.
        @Test func saveWithoutARecordedAnswer_isNotAppliedTwice() async throws {
            try await DaemonProcess.run { daemon in
                for call in 0..<4 {
                    for (first, second) in [(0, 0), (0, 1), (1, 1), (1, 2), (2, 3), (3, 3)] {
                        let steps: [MirrorStep] = [
                            .make(name: 0, lines: 3), .run(between: [:], killedAt: nil, isBeforeCall: false),
                            .change(file: 0, line: first, .byRename),
                            .run(between: [:], killedAt: call, isBeforeCall: false),
                            .insert(note: 0, line: second), .change(file: 0, line: second, .inPlace),
                        ]
                        let faults = try await faults(of: steps, seed: 0, daemon, in: daemon.scratch.path)
                        #expect(faults.isEmpty, "killed at call \(call), lines \(first) and \(second)")
                    }
                }
            }
        }

        /// A mirror is killed at each of its calls after a client has renamed a note, so that the note may have two
        /// files. A program renames one onto the other, and the note stays.
        @Test func renameOfASecondFile_deletesNoNote() async throws {
            try await DaemonProcess.run { daemon in
                for seed in UInt64(0)..<2 {
                    for call in 0..<5 {
                        let steps: [MirrorStep] = [
                            .create(name: 1), .run(between: [:], killedAt: nil, isBeforeCall: false),
                            .renameNote(note: 0, name: 0), .run(between: [:], killedAt: call, isBeforeCall: false),
                            .replace(file: 0, other: 1),
                        ]
                        let faults = try await faults(of: steps, seed: seed, daemon, in: daemon.scratch.path)
                        #expect(faults.isEmpty, "killed at call \(call)")
                    }
                }
            }
        }

        @Test func folderAndDaemon_areInStep_andNothingIsLost() async throws {
            let fast = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
            let folder = "\(fast)/notesd-mirror-\(getpid())"
            defer { try? FileManager.default.removeItem(atPath: folder) }
            try await DaemonProcess.run(data: "\(folder)/data") { daemon in
                for seed in seeds(200) {
                    var random = SeededGenerator(seed: seed)
                    let steps = (0..<Self.steps).map { _ in MirrorStep.random(&random) }
                    let faults = try await faults(of: steps, seed: seed, daemon, in: folder)
                    guard !faults.isEmpty else { continue }
                    var least = faults
                    let short = try await shrunk(steps) { steps in
                        let faults = try await self.faults(of: steps, seed: seed, daemon, in: folder)
                        if !faults.isEmpty { least = faults }
                        return !faults.isEmpty
                    }
                    Issue.record("seed \(seed): \(least.joined(separator: "\n"))\nafter \(short.map { "\n  \($0)" }.joined())")
                }
            }
        }
    }
}
