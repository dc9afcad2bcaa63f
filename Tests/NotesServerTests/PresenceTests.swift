import Causality
import Dependents
import NoteText
import NotesMethods
import NotesModel
import NotesWire
import TestKit
import Testing

@testable import NotesEngine
@testable import NotesServer

/// Presence as one connection sees it.
@Suite struct PresenceTests {
    private static let note = "01890a5d-ac96-774b-bcce-b302099a8057"
    private let quiet = #"{"jsonrpc":"2.0","method":"presence.set","params":{"note":"\#(note)"}}"# + "\n"

    private func line(_ dependent: UInt64) throws -> PresenceLine {
        var dependents = Dependents(newest: 0)
        let registration = Registration(
            clientName: "c", clientVersion: "", label: "vim", userID: 7, userName: "ada", encoding: .utf8)
        dependents.register(DependentID(dependent), registration)
        dependents.register(DependentID(99), registration)
        _ = try dependents.watch(DependentID(99), filter: Filter(), include: .meta, start: .tail, echo: true)
        _ = dependents.next(for: DependentID(99))
        let place = TextPosition(utf8: 4, utf16: 2, utf32: 1)
        let presence = Presence(
            note: testNoteID, version: .nothing, selection: Presence.Selection(start: place, end: place))
        dependents.place(presence, head: head(), of: DependentID(dependent))
        _ = dependents.spreadPresence()
        guard case .presence(let line) = dependents.next(for: DependentID(99)) else { throw CancellationError() }
        return line
    }

    private func head() -> Head {
        let time = Timestamp(milliseconds: 1)
        return Head(
            id: testNoteID, name: nil, version: .nothing, vector: .init(), title: "", tags: [], created: time, modified: time,
            author: Author(user: "ada", label: nil), bytes: 0, isDeleted: false, conflicts: [])
    }

    @Test func requestWithoutID_isExecutedInOrder_withoutResponse() {
        var connection = DrivenConnection.registered()
        connection.receive(quiet + quiet)
        #expect(connection.submitted.map(\.requestNumber) == [2, 3])
        guard case .call(.setPresence(let set))? = connection.submitted.last?.body else {
            Issue.record("it was not submitted")
            return
        }
        #expect(set.isQuiet && set.place?.note.description == Self.note)
        #expect(connection.state.inFlight == 2, "one who sends more than is carried out is read no further")
        connection.receive(#"{"jsonrpc":"2.0","id":7,"method":"session.ping"}"# + "\n")
        connection.deliver([2, 3].map { (requestNumber: $0, response: .presenceSet) })
        // The encoder writes no bytes for a response without an id.
        #expect(connection.written == ["response -", "response -", "pong 7"])
        #expect(connection.state.inFlight == 0)
    }

    @Test func requestWithoutID_reportsNoErrors() {
        var connection = DrivenConnection()
        connection.receive(quiet)
        #expect(connection.written.isEmpty && connection.submitted.isEmpty, "before hello")
        connection = DrivenConnection.registered()
        connection.receive(quiet.replacing(Self.note, with: "x"))
        connection.state.isOverloaded = true
        connection.receive(quiet)
        #expect(connection.written.isEmpty && connection.submitted.isEmpty)
    }

    @Test func presenceLines_followWatchLines() throws {
        var connection = DrivenConnection.registered()
        connection.isReading = false
        connection.deliver([], notifications: [1, 2], presences: [try line(3)])
        #expect(connection.written == ["notice 1", "notice 2", "presence 3"])
        #expect(connection.done.isEmpty)
        connection.read(.max)
        #expect(connection.done == ["drained"])
    }

    @Test func presence_isEncodedOncePerEncoding() throws {
        let line = try line(3)
        var encoded = EncodedPresences()
        func offset(_ encoding: PositionEncoding) -> String {
            String(decoding: encoded.line(line, encoding: encoding), as: UTF8.self)
        }
        for (encoding, place) in [(PositionEncoding.utf8, 4), (.utf16, 2), (.utf32, 1), (.utf8, 4)] {
            #expect(offset(encoding).contains(#""selection":{"start":\#(place),"end":\#(place)}"#))
        }
        #expect(offset(.utf8).contains(#""label":"vim","user":{"uid":7,"name":"ada"},"version":"""#))
    }
}
