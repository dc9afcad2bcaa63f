import NotesClient
import NotesModel
import NotesWire
import TestKit
import Testing

extension EndToEnd {
    /// Tests that a dependent which does not read costs no more memory than the configuration
    /// allows.
    @Suite(.long) struct StuckDependentsTests {
        private static let count = 300
        /// The smallest configurable limit. Lines that were encoded but not sent count like
        /// responses.
        private static let outboxBytesMax = 65_536
        private static let responseBytesMax = 65_536

        private static let config = """
            [limits]
            outbox_bytes_max = \(outboxBytesMax)
            response_bytes_max = \(responseBytesMax)
            [cache]
            bytes_max = 1048576
            """

        @Test func stuckDependent_staysWithinLimit_andRecovers() async throws {
            try await DaemonProcess.run(config: Self.config) { daemon in
                // Write as much as later, so that the memory which writing takes is not attributed
                // to the dependents.
                let alone = try await blocking { try Crowd(Self.plan(seed: 1, watchers: 0), path: daemon.socket).run() }
                #expect(alone.faults.prefix(3).isEmpty)
                let base = try daemon.residentBytes()
                let (report, stuck) = try await blocking {
                    var held = 0
                    let crowd = Crowd(Self.plan(seed: 2, watchers: Self.count), path: daemon.socket)
                    let report = try crowd.run { held = try daemon.residentBytes() }
                    return (report, held)
                }
                let allowed = Self.count * (Self.outboxBytesMax + Self.responseBytesMax)
                #expect(stuck - base <= allowed, "\((stuck - base) / Self.count) bytes each, \(stuck >> 20) MiB in all")
                let faults = report.faults.prefix(3)
                #expect(faults.isEmpty, "\(report.counts)")
                #expect(report.counts.resets >= Self.count, "each is reset: \(report.counts)")
            }
        }

        /// Writes more notes than an outbox holds, and more bytes than a socket and its buffers
        /// hold.
        private static func plan(seed: UInt64, watchers: Int) -> Crowd.Plan {
            Crowd.Plan(
                seed: seed, goal: .commits(1_500), writers: 16, notesEach: 16, shared: 2,
                watchers: (0..<watchers).map { (WatchChecker.Terms(label: "stuck \($0)", hasSnapshot: false), .stuck) })
        }
    }
}
