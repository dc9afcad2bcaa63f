import EditSession
import SessionTestKit
import Testing

@testable import EditorHost

/// Events that wait while an editor does not read.
struct HostInboxTests {
    /// Of many events about one note, the first few arrive and one more. Responses all do.
    @Test func eventsAboutOneNote_areBounded() async {
        let inbox = HostInbox {}
        let note = OneNoteDaemon("a").object()
        for _ in 0..<1_000 {
            inbox.put(.noted(1, note, .watched(note)))
            inbox.put(.noted(2, note, nil))
        }
        inbox.put(.ended)
        var (watched, others) = (0, 0)
        for await entry in inbox.events {
            inbox.handled(entry)
            if case .noted(1, _, _) = entry.event { watched += 1 }
            if case .noted(2, _, _) = entry.event { others += 1 }
            if watched == HostInbox.eventsMax + 1 { break }
        }
        #expect(watched == HostInbox.eventsMax + 1 && others == 1_000)
    }
}
