import NotesModel
import NotesWire
import Testing

@testable import Browse

/// Tests of the limit of the inbox, from which nobody takes events while an editor runs.
struct BrowserInboxTests {
    private func changes(_ events: [BrowserEvent]) -> [NoteChanged] {
        events.compactMap { if case .changed(let change) = $0 { change } else { nil } }
    }

    @Test func manyChangesOfOneNote_becomeTheNewest() throws {
        let inbox = BrowserInbox()
        inbox.put(try BrowserSession.change(BrowserSession.head(1, counter: 1), .created))
        for counter in 2...20_000 as ClosedRange<UInt64> {
            inbox.put(try BrowserSession.change(BrowserSession.head(1, counter: counter)))
        }
        let events = try inbox.take()
        let changes = changes(events)
        #expect(events.count < BrowserInbox.eventsMax && changes.count == events.count)
        #expect(changes.first?.change == .created)
        guard case .shown(let note) = try #require(changes.last).note else { return #expect(Bool(false)) }
        #expect(note.head.version == BrowserSession.head(1, counter: 20_000).version)
        #expect(try inbox.take().isEmpty)
    }

    @Test func changesOfManyNotes_becomeAReset() throws {
        let inbox = BrowserInbox()
        for number in 1...10_000 as ClosedRange<UInt64> { inbox.put(try BrowserSession.change(BrowserSession.head(number))) }
        inbox.put(.counted(7))
        let events = try inbox.take()
        #expect(events.count < BrowserInbox.eventsMax)
        #expect(events.contains { if case .connected(_, _, isReset: true) = $0 { true } else { false } })
        #expect(events.contains { if case .counted(7) = $0 { true } else { false } })
    }
}
