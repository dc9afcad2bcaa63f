import Causality
import NoteText
import NotesClient
import NotesMethods
import NotesModel
import NotesWire
import TestKit
import Testing
import TextMerge

extension EndToEnd {
    /// Replays a trace of two people writing one story at the same time; each keystroke is based on
    /// what its writer saw.
    @Suite(.long) struct ConcurrentTraceTests {
        @Test func replayedTrace_endsWithItsText_withoutConflict() async throws {
            let trace = try ConcurrentTrace.friendsforever()
            try await DaemonProcess.run { daemon in
                let client = try await daemon.client("judge")
                let head = try await client.create(text: []).note.head
                // One daemon commits all edits, so the test can predict its dots.
                let events = trace.events(after: try #require(head.version.single))
                try await within("the trace's end", seconds: 600) {
                    try await Self.replay(events.dropFirst(), on: head.id, RawConnection.registered(daemon.socket))
                }
                let shown = try await client.note(.id(head.id))
                #expect(shown.text == trace.end)
                #expect(shown.head.version == Version(events.suffix(1).map(\.dot)))
                #expect(shown.conflicts == [])
                await client.close()
            }
        }

        /// Sends many edits without waiting for responses.
        private static func replay(_ events: ArraySlice<Event>, on note: NoteID, _ connection: RawConnection) async throws {
            var rest = events
            while !rest.isEmpty {
                let batch = rest.prefix(200)
                rest = rest.dropFirst(batch.count)
                let lines = batch.flatMap { event in
                    let edits = event.edits.map { PositionedEdit(start: $0.start, end: $0.end, text: $0.replacement) }
                    let params = EditNote(id: note, base: event.parents, edits: edits)
                    return Call.write(.editNote(params)).line(id: .integer(Int64(event.dot.counter)))
                }
                try await connection.send(lines)
                for event in batch {
                    guard case .result(_, let result) = try await connection.answer() else {
                        throw RawConnection.Ended(what: "the edit \(event.dot) was refused")
                    }
                    #expect(try OutcomeResult(reading: result).dot == event.dot)
                }
            }
        }
    }
}
