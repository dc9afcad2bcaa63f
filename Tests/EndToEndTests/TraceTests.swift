import NoteText
import NotesClient
import NotesModel
import NotesWire
import TestKit
import Testing

extension EndToEnd {
    /// Replays two real traces, keystroke by keystroke: each is one `note.edit` based on the
    /// version that the previous one made.
    @Suite(.long) struct TraceTests {
        @Test func replayedTraces_endWithTheirTexts() async throws {
            let traces = [
                try Trace(await Fixture.unzipped("trace-sequential-rustcode.json.gz")),
                try Trace(await Fixture.unzipped("trace-sequential-friendsforever_flat.json.gz")),
            ]
            try await DaemonProcess.run { daemon in
                try await within("the traces' ends", seconds: 1_800) {
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        for trace in traces + [traces[1].widened(first: 6_000)] {
                            for encoding in PositionEncoding.allCases {
                                group.addTask { try await replay(trace, encoding, daemon) }
                            }
                        }
                        try await group.waitForAll()
                    }
                }
            }
        }

        private func replay(_ trace: Trace, _ encoding: PositionEncoding, _ daemon: DaemonProcess) async throws {
            let client = try await daemon.client("writer", encodings: [encoding])
            let head = try await client.create(text: []).note.head
            var version = head.version
            var text = TracedText(encoding)
            for patch in trace.patches {
                let outcome = try await client.edit(head.id, base: version, edits: [text.apply(patch)])
                version = outcome.version
                // There are no other writers, so each response shows the keystroke as it was made.
                guard outcome.note == nil else {
                    Issue.record("\(encoding.rawValue): \(outcome.outcome)")
                    break
                }
            }
            let shown = try await client.note(.id(head.id))
            #expect(shown.text == trace.end, "\(encoding.rawValue): \(trace.patches.count) keystrokes")
            #expect(shown.head.version == version)
            await client.close()
        }
    }
}
