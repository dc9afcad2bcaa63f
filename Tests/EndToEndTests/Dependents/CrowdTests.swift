import NoteText
import NotesClient
import NotesModel
import NotesWire
import TestKit
import Testing

extension EndToEnd {
    /// Checks all watches of a crowd against the responses that the writers received.
    /// Deliveries of changes to watchers. `make soak` sets ten million.
    @Suite(.long) struct CrowdTests {
        private static let events = environment("NOTESD_EVENTS").flatMap { Int($0) } ?? 200_000

        /// Old texts are compacted during the test, and little is buffered for each watch, so that
        /// one that stops reading is reset.
        private static let config = """
            [limits]
            outbox_bytes_max = 65536
            [history]
            keep_days = 0
            """

        @Test(arguments: seeds(1)) func everyWatchLine_matchesTheWritersResponses(seed: UInt64) async throws {
            try await DaemonProcess.run(config: Self.config) { daemon in
                let plan = Self.plan(seed)
                let report = try await blocking { try Crowd(plan, path: daemon.socket).run() }
                let faults = report.faults.prefix(10)
                #expect(faults.isEmpty, "seed \(seed): \(report.faults.count) faults in \(report.counts)")
                #expect(report.counts.events >= Self.events)
                // The situations that the test is for must have occurred.
                let hasHappened = report.counts.coalesced > 0 && report.counts.resets > 0 && report.counts.resumptions > 0
                #expect(hasHappened, "seed \(seed): \(report.counts)")
                let judge = try await daemon.client("judge")
                #expect(
                    try await judge.status().store.commits == report.counts.commits,
                    "seed \(seed): each acknowledged write is a commit")
                #expect(try await judge.audit().report.findings == [], "seed \(seed)")
                await judge.close()
            }
        }

        private static func plan(_ seed: UInt64) -> Crowd.Plan {
            let writers = 16
            let notesEach = 24
            let some = (0..<writers).map { Crowd.note(seed, writer: $0, 0) } + [Crowd.last(seed)]
            let paces: [CrowdWatcher.Pace] = [
                .eager, .eager, .eager, .eager, .slow(bytes: 2_048), .stopping(commits: 2_500), .leaving(lines: 400),
            ]
            var watchers: [(WatchChecker.Terms, CrowdWatcher.Pace)] = []
            for (index, pace) in (0..<9).flatMap({ _ in paces }).enumerated() {
                watchers.append((WatchChecker.Terms(label: "\(index), \(pace)"), pace))
            }
            for encoding in PositionEncoding.allCases {
                for (index, pace) in paces[3...].enumerated() {
                    let label = "\(encoding) \(index), \(pace)"
                    watchers.append((WatchChecker.Terms(label: "edits, \(label)", include: .edits, encoding: encoding), pace))
                }
            }
            for pace in paces[3...] { watchers.append((WatchChecker.Terms(label: "text, \(pace)", include: .text), pace)) }
            for pace in paces[4...] { watchers.append((WatchChecker.Terms(label: "some, \(pace)", ids: some), pace)) }
            return Crowd.Plan(
                seed: seed, goal: .events(events), writers: writers, notesEach: notesEach, shared: 12, watchers: watchers)
        }
    }
}
