import Causality
import NoteText
import NotesClient
import NotesModel
import NotesWire
import TestKit
import Testing

extension EndToEnd {
    /// Tests of requests that are JSON but invalid.
    @Suite struct WrongRequestsTests {
        private struct Case {
            let line: String
            let kind: ErrorKind
            var path: String?
            /// Whether the line has a usable id.
            var isAnswered = true
        }

        private static let id = noteID(1).description

        private static func params(_ method: String, _ params: String, _ kind: ErrorKind, _ path: String? = nil) -> Case {
            Case(line: String(decoding: request(1, method, bytes(params)), as: UTF8.self), kind: kind, path: path)
        }

        @Test func wrongRequest_getsItsError_andChangesNothing() async throws {
            let cases = Self.envelopes + Self.types + Self.numbers + Self.writes
            try await Bystander.watches { daemon in
                let judge = try await daemon.client("judge")
                let note = try await judge.create(text: bytes("é🙂\n"), name: "there", id: noteID(1)).note
                let connection = try await RawConnection.registered(daemon.socket)
                for wrong in cases {
                    let line = wrong.line.replacing("VERSION", with: note.head.version.description)
                    let refusal = try #require(try await connection.call(line).refusal, "\(line)")
                    #expect(refusal.error.kind == wrong.kind, "\(line): \(refusal.error.message)")
                    if let path = wrong.path { #expect(refusal.error.path == path, "\(line): \(refusal.error.message)") }
                    #expect((refusal.id != nil) == wrong.isAnswered, "\(line)")
                }
                let after = try await judge.note(.id(noteID(1)))
                #expect(after.head.version == note.head.version && after.text == bytes("é🙂\n"))
                // This connection and the bystander's.
                #expect(try await judge.status().store.notes == 2)
                await judge.close()
            }
        }

        private static let envelopes = [
            Case(line: #"{"jsonrpc":"2.0","id":null,"method":"session.ping"}"#, kind: .invalidRequest, isAnswered: false),
            Case(line: #"{"jsonrpc":"2.0","id":1.0,"method":"session.ping"}"#, kind: .invalidRequest, isAnswered: false),
            Case(line: #"{"jsonrpc":"2.0","id":1e3,"method":"session.ping"}"#, kind: .invalidRequest, isAnswered: false),
            Case(line: #"{"jsonrpc":"2.0","id":true,"method":"session.ping"}"#, kind: .invalidRequest, isAnswered: false),
            Case(line: #"{"jsonrpc":"2.0","id":[1],"method":"session.ping"}"#, kind: .invalidRequest, isAnswered: false),
            Case(
                line: #"{"jsonrpc":"2.0","id":9007199254740993,"method":"session.ping"}"#, kind: .invalidRequest,
                isAnswered: false),
            Case(line: #"{"jsonrpc":"2.0","id":1e400,"method":"session.ping"}"#, kind: .invalidRequest, isAnswered: false),
            Case(line: #"{"jsonrpc":"1.0","id":1,"method":"session.ping"}"#, kind: .invalidRequest),
            Case(line: #"{"id":1,"method":"session.ping"}"#, kind: .invalidRequest),
            Case(line: #"{"jsonrpc":"2.0","id":1,"method":7}"#, kind: .invalidRequest),
            Case(line: #"{"jsonrpc":"2.0","id":1}"#, kind: .invalidRequest),
            Case(line: #"{"jsonrpc":"2.0","id":1,"result":{}}"#, kind: .invalidRequest),
            Case(line: #"{"jsonrpc":"2.0","id":1,"method":"session.ping","parms":{}}"#, kind: .invalidRequest, path: "parms"),
            Case(line: #"{"jsonrpc":"2.0","id":1,"method":"Session.Ping"}"#, kind: .methodNotFound),
            Case(line: #"{"jsonrpc":"2.0","id":1,"method":""}"#, kind: .methodNotFound),
            Case(line: #"{"jsonrpc":"2.0","id":1,"method":"session.ping","params":[]}"#, kind: .invalidParams),
            Case(line: #"{"jsonrpc":"2.0","id":1,"method":"session.ping","params":null}"#, kind: .invalidParams),
            Case(line: "\u{FEFF}" + #"{"jsonrpc":"2.0","id":1,"method":"session.ping"}"#, kind: .parseError, isAnswered: false),
            Case(line: #"{"jsonrpc":"2.0","id":1,"method":"\ud800"}"#, kind: .parseError, isAnswered: false),
        ]

        private static let types = [
            params("note.create", #"{}"#, .invalidParams, "params"),
            params("note.create", #"{"text":5}"#, .invalidParams, "params.text"),
            params("note.create", #"{"text":null}"#, .invalidParams, "params.text"),
            params("note.create", #"{"text":["a"]}"#, .invalidParams, "params.text"),
            params("note.create", #"{"text":"a","name":7}"#, .invalidParams, "params.name"),
            params("note.create", #"{"text":"a","extra":1}"#, .invalidParams, "params.extra"),
            params("note.create", #"{"text":"a","id":"1"}"#, .invalidParams, "params.id"),
            params("note.create", #"{"text":"a","id":"01890A5D-AC96-774B-BCCE-B302099A8057"}"#, .invalidParams, "params.id"),
            params("note.create", #"{"text":"a","op":""}"#, .invalidParams, "params.op"),
            params("note.create", #"{"text":"a\u0000"}"#, .invalidParams, "params.text"),
            params("note.create", #"{"text":"a","name":""}"#, .invalidName),
            params("note.create", #"{"text":"a","name":"there"}"#, .noteExists),
            params("note.create", #"{"text":"a","id":"\#(id)"}"#, .noteExists),
            params("note.get", #"{}"#, .invalidParams),
            params("note.get", #"{"id":"\#(id)","name":"there"}"#, .invalidParams),
            params("note.get", #"{"id":"\#(id)","at":"x"}"#, .invalidParams, "params.at"),
            params("note.get", #"{"name":"elsewhere"}"#, .noteNotFound),
            params("notes.watch", #"{"include":"all"}"#, .invalidParams, "params.include"),
            params("notes.watch", #"{"filter":{"prefx":"a"}}"#, .invalidParams, "params.filter.prefx"),
            params("notes.watch", #"{"filter":{"ids":["1"]}}"#, .invalidParams, "params.filter.ids[0]"),
            params("notes.watch", #"{"since":"yesterday"}"#, .invalidParams, "params.since"),
            params("notes.watch", #"{"echo":1}"#, .invalidParams, "params.echo"),
        ]

        private static let numbers = [
            params("note.list", #"{"limit":0}"#, .invalidParams, "params.limit"),
            params("note.list", #"{"limit":1001}"#, .invalidParams, "params.limit"),
            params("note.list", #"{"limit":1.0}"#, .invalidParams, "params.limit"),
            params("note.list", #"{"limit":1e2}"#, .invalidParams, "params.limit"),
            params("note.list", #"{"limit":"5"}"#, .invalidParams, "params.limit"),
            params("note.list", #"{"limit":9007199254740993}"#, .invalidParams, "params.limit"),
            params("note.list", #"{"limit":-9223372036854775809}"#, .invalidParams, "params.limit"),
            params("notes.unwatch", #"{"watch":-1}"#, .invalidParams, "params.watch"),
            params("notes.unwatch", #"{"watch":18446744073709551616}"#, .invalidParams, "params.watch"),
            edits(#"{"start":9007199254740993,"end":9007199254740993,"text":""}"#, .invalidParams, "params.edits[0].start"),
            edits(#"{"start":0,"end":1e1,"text":""}"#, .invalidParams, "params.edits[0].end"),
            edits(#"{"start":0,"end":0}"#, .invalidParams, "params.edits[0].text"),
            edits(#"{"start":0,"end":0,"text":"a","by":1}"#, .invalidParams, "params.edits[0].by"),
            edits(#"{"start":0,"end":0,"text":"a"},{"start":"0","end":0,"text":"a"}"#, .invalidParams, "params.edits[1].start"),
            edits(#"{"start":9007199254740992,"end":9007199254740992,"text":""}"#, .invalidEdit),
            edits(#"{"start":-9007199254740992,"end":0,"text":""}"#, .invalidEdit),
            edits(#"{"start":1,"end":0,"text":""}"#, .invalidEdit),
            edits(#"{"start":1,"end":2,"text":"e"}"#, .invalidEdit),
            edits(#"{"start":0,"end":3,"text":""}"#, .invalidEdit),
            edits(#"{"start":8,"end":8,"text":"a"}"#, .invalidEdit),
            edits(#"{"start":6,"end":7,"text":""},{"start":0,"end":0,"text":"a"}"#, .invalidEdit),
        ]

        private static func edits(_ edits: String, _ kind: ErrorKind, _ path: String? = nil) -> Case {
            params("note.edit", #"{"id":"\#(id)","base":"VERSION","edits":[\#(edits)]}"#, kind, path)
        }

        private static let writes = [
            params("note.save", #"{"id":"\#(id)","text":"a"}"#, .baseRequired),
            params("note.save", #"{"id":"\#(id)","bsae":"VERSION","text":"a"}"#, .invalidParams, "params.bsae"),
            params("note.save", #"{"id":"\#(id)","base":null,"text":"a"}"#, .invalidParams, "params.base"),
            params("note.save", #"{"id":"\#(id)","base":"VERSION"}"#, .invalidParams),
            params("note.save", #"{"id":"\#(id)","base":" VERSION","text":"a"}"#, .invalidParams, "params.base"),
            params("note.save", #"{"id":"\#(id)","base":"ffffffffffffffff:1","text":"a"}"#, .unknownBase),
            params("note.save", #"{"id":"\#(id)","base":"ffffffffffffffff:0","text":"a"}"#, .invalidParams, "params.base"),
            params(
                "note.save", #"{"id":"\#(id)","base":"ffffffffffffffff:99999999999999999999","text":"a"}"#, .invalidParams,
                "params.base"),
            params("note.save", #"{"id":"\#(id)","base":"VERSION","text":"a","name":"a//b"}"#, .invalidName),
            params("note.save", #"{"id":"\#(noteID(2))","base":"","text":"a"}"#, .noteNotFound),
            params("note.delete", #"{"id":"\#(id)"}"#, .baseRequired),
            params("note.history", #"{"id":"\#(id)","before":"1"}"#, .invalidParams, "params.before"),
            params("note.history", #"{"id":"\#(noteID(2))"}"#, .noteNotFound),
        ]
    }
}
