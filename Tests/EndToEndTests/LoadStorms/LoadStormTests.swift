import NoteText
import NotesClient
import NotesModel
import NotesWire
import TestKit
import Testing

extension EndToEnd {
    /// Several clients type into one paragraph at once, thousands of edits each.
    @Suite(.long) struct LoadStormTests {
        struct Storm: Sendable, CustomStringConvertible {
            let typists: Int
            let writesEach: Int
            var saves = 0.0

            var description: String { "\(typists) typists, \(writesEach) writes each, \(saves) of them saves" }
        }

        @Test(arguments: [
            Storm(typists: 2, writesEach: 2_000), Storm(typists: 3, writesEach: 1_500), Storm(typists: 6, writesEach: 1_000),
            Storm(typists: 3, writesEach: 500, saves: 0.02), Storm(typists: 6, writesEach: 300, saves: 0.02),
        ])
        func load_convergesWithoutLossDuplicatesOrRevivals(storm: Storm) async throws {
            for seed in seeds(1) {
                let name = "seed \(seed), \(storm)"
                try await DaemonProcess.run { daemon in
                    let typists = try await within(name, seconds: 600) { try await Self.run(storm, seed, daemon) }
                    try await Self.check(typists, daemon, name)
                }
            }
        }

        private static func run(_ storm: Storm, _ seed: UInt64, _ daemon: DaemonProcess) async throws -> [LoadTypist] {
            var typists: [LoadTypist] = []
            let judge = try await daemon.client("judge")
            let text = bytes((0..<8).map { "line \($0) of a paragraph\n" }.joined())
            let start = try await judge.create(text: text).note
            for number in 0..<storm.typists {
                let client = try await daemon.client(ByteString("typist \(number)"), encodings: [.utf32])
                let habits = LoadTypist.Habits(saves: storm.saves)
                typists.append(
                    LoadTypist(client: client, start: start, text: text, number: number, habits: habits, seed: seed))
            }
            await judge.close()
            return try await withThrowingTaskGroup(of: LoadTypist.self) { group in
                for typist in typists {
                    group.addTask {
                        var typist = typist
                        for _ in 0..<storm.writesEach { try await typist.write() }
                        return typist
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
        }

        private static func check(_ typists: [LoadTypist], _ daemon: DaemonProcess, _ name: String) async throws {
            let judge = try await daemon.client("judge")
            let shown = try await judge.note(.id(typists[0].note))
            for typist in typists {
                var typist = typist
                let end = try await typist.lookAtLast()
                #expect(end.text == shown.text, "\(name): typist \(typist.number) sees the same text as all others")
                #expect(end.version == shown.head.version, "\(name): typist \(typist.number)")
                await typist.client.close()
            }
            await judge.close()
            var counts: [Unicode.Scalar: Int] = [:]
            for scalar in String(decoding: shown.text ?? [], as: UTF8.self).unicodeScalars { counts[scalar, default: 0] += 1 }
            let inserted = typists.reduce(into: Set<Unicode.Scalar>()) { $0.formUnion($1.record.inserted) }
            let removed = typists.reduce(into: Set<Unicode.Scalar>()) { $0.formUnion($1.record.removed) }
            // A save rewrites whole lines, which others may have changed concurrently; of those the
            // test requires only that nothing is lost.
            let rewritten = typists.reduce(into: Set<Unicode.Scalar>()) { $0.formUnion($1.record.rewritten) }
            let kept = inserted.subtracting(removed)
            #expect(kept.filter { counts[$0] == nil } == [], "\(name): lost")
            #expect(kept.subtracting(rewritten).filter { counts[$0, default: 0] > 1 } == [], "\(name): doubled")
            #expect(removed.subtracting(rewritten).filter { counts[$0] != nil } == [], "\(name): brought back")
            #expect(kept.count > 100, "\(name): there was something to judge")
        }
    }
}
