import Causality
import NoteText
import NotesMethods
import NotesModel
import NotesWire
import TestKit
import Testing

@Suite struct RequestTests {
    private let reader = RequestReader()
    private static let note = noteID(1).description
    private static let dotA = dot("A1").description

    private func read(_ line: String, isRegistered: Bool = true) -> IncomingLine {
        reader.read(bytes(line), isRegistered: isRegistered)
    }

    private func call(_ method: String, _ params: String, isRegistered: Bool = true) -> IncomingLine {
        read("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"\(method)\",\"params\":\(params)}", isRegistered: isRegistered)
    }

    private func error(_ line: IncomingLine) -> WireError? {
        if case .refused(_, let error) = line { error } else { nil }
    }

    // MARK: The envelope

    @Test(
        arguments: [
            // Not JSON, or JSON that the strict parser rejects.
            ("{", nil, ErrorKind.parseError, nil), ("{\"id\":1,\"id\":1}", nil, .parseError, nil),
            ("\u{FEFF}{}", nil, .parseError, nil), (String(repeating: "[", count: 100_000), nil, .parseError, nil),
            // JSON, but not a request.
            ("[]", nil, .invalidRequest, nil),
            ("[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"session.ping\"}]", nil, .invalidRequest, nil),
            ("1", nil, .invalidRequest, nil), ("null", nil, .invalidRequest, nil), ("{}", nil, .invalidRequest, "id"),
            ("{\"jsonrpc\":\"2.0\",\"method\":\"session.ping\"}", nil, .invalidRequest, "id"),
            ("{\"jsonrpc\":\"2.0\",\"method\":\"no.such\"}", nil, .invalidRequest, "id"),
            ("{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"session.ping\"}", nil, .invalidRequest, "id"),
            ("{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"session.ping\"}", nil, .invalidRequest, "id"),
            ("{\"jsonrpc\":\"2.0\",\"id\":1.0,\"method\":\"session.ping\"}", nil, .invalidRequest, "id"),
            ("{\"jsonrpc\":\"2.0\",\"id\":9007199254740993,\"method\":\"session.ping\"}", nil, .invalidRequest, "id"),
            ("{\"jsonrpc\":\"2.0\",\"id\":[1],\"method\":\"session.ping\"}", nil, .invalidRequest, "id"),
            ("{\"jsonrpc\":\"2.0\",\"id\":true,\"method\":\"session.ping\"}", nil, .invalidRequest, "id"),
            // Not a valid request, but with a valid id.
            ("{\"id\":1,\"method\":\"session.ping\"}", .integer(1), .invalidRequest, "jsonrpc"),
            ("{\"jsonrpc\":2.0,\"id\":1,\"method\":\"session.ping\"}", .integer(1), .invalidRequest, "jsonrpc"),
            ("{\"jsonrpc\":\"2.0\",\"id\":\"a\"}", .string("a"), .invalidRequest, "method"),
            ("{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"result\":{}}", .string("a"), .invalidRequest, "result"),
            ("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":3}", .integer(1), .invalidRequest, "method"),
            ("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"note.list\",\"parms\":{}}", .integer(1), .invalidRequest, "parms"),
            ("{\"jsonrpc\":\"2.0\",\"id\":-9007199254740992,\"method\":\"no.such\"}", .integer(-(1 << 53)), .methodNotFound, nil),
            ("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"presence.set\"}", .integer(1), .invalidParams, "params.note"),
            ("{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"presence.set\"}", nil, .invalidRequest, "id"),
            ("{\"jsonrpc\":\"2.0\",\"method\":\"presence.set\",\"parms\":{}}", nil, .invalidRequest, "parms"),
            ("{\"method\":\"presence.set\",\"params\":{\"note\":null}}", nil, .invalidRequest, "jsonrpc"),
            ("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"session.ping\",\"params\":[]}", .integer(1), .invalidParams, "params"),
            ("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"session.ping\",\"params\":null}", .integer(1), .invalidParams, "params"),
            ("{\"jsonrpc\":\"2.0\",\"id\":\"a\\u0000\",\"method\":\"session.ping\"}", .string("a\u{0}"), .invalidParams, "id"),
            ("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"session.\\u0000\"}", .integer(1), .invalidParams, "method"),
        ] as [(String, RequestID?, ErrorKind, String?)])
    func envelope_followsJSONRPC(line: String, id: RequestID?, kind: ErrorKind, path: String?) {
        guard case .refused(let answered, let error) = read(line) else {
            Issue.record("accepted: \(line)")
            return
        }
        #expect(answered == id)
        #expect(error.kind == kind)
        #expect(error.path == path)
    }

    @Test func parseError_hasOffsetInLine() {
        #expect(error(read("{\"a\":\"\u{1}\"}"))?.details == [.offset(6)])
        #expect(error(reader.read([UInt8(ascii: "\""), 0xFF], isRegistered: true))?.details == [.offset(1)])
    }

    @Test(arguments: [
        ("1", RequestID.integer(1)), ("-0", .integer(0)), ("\"\"", .string("")), ("\"e\u{301}\"", .string("e\u{301}")),
    ])
    func id_isReturnedUnchanged(id: String, expected: RequestID) {
        let line = "{\"params\":{},\"method\":\"session.ping\",\"id\":\(id),\"jsonrpc\":\"2.0\"}"
        #expect(read(line) == .request(id: expected, .ping))
        #expect(read(line.replacing("\"params\":{},", with: "")) == .request(id: expected, .ping))
    }

    @Test func beforeHello_onlyThreeMethodsAreAllowed() {
        for method in Method.allCases {
            let kind = error(call(method.name, "{\"no such param\":1}", isRegistered: false))?.kind
            let isFree = [.hello, .limit, .ping, .discover].contains(method)
            #expect(kind == (isFree ? .invalidParams : .helloRequired), "\(method)")
        }
        #expect(error(call("no.such", "{}", isRegistered: false))?.kind == .helloRequired)
        let hello = "{\"protocol\":[1],\"client\":{\"name\":\"t\"}}"
        #expect(error(call("session.hello", hello, isRegistered: false)) == nil)
        #expect(error(call("session.hello", hello)) == .helloTwice)
    }

    // MARK: Params

    @Test(arguments: [
        ("session.ping", "{\"a\":1}", "params.a"), ("daemon.status", "{\"\":1}", "params"),
        ("note.create", "{}", "params"), ("note.create", "{\"text\":1}", "params.text"),
        ("note.create", "{\"text\":\"\",\"name\":1}", "params.name"),
        ("note.create", "{\"text\":\"\",\"id\":\"x\"}", "params.id"),
        ("note.create", "{\"text\":\"\",\"op\":\"\"}", "params.op"), ("note.create", "{\"text\":\"a\\u0000\"}", "params.text"),
        ("note.get", "{}", "params"), ("note.get", "{\"id\":\"@\",\"name\":\"a\"}", "params.name"),
        ("note.get", "{\"id\":\"@\",\"at\":\"x\"}", "params.at"), ("note.get", "{\"id\":\"@\",\"from\":null}", "params.from"),
        ("note.list", "{\"limit\":0}", "params.limit"), ("note.list", "{\"limit\":1001}", "params.limit"),
        ("note.list", "{\"limit\":1.0}", "params.limit"), ("note.list", "{\"limit\":1e2}", "params.limit"),
        ("note.list", "{\"limit\":9007199254740993}", "params.limit"), ("note.list", "{\"after\":\"x\"}", "params.after"),
        ("note.list", "{\"filter\":{\"ids\":[\"@\",3]}}", "params.filter.ids[1]"),
        ("note.list", "{\"filter\":[]}", "params.filter"),
        ("note.list", "{\"filter\":{\"perfix\":\"a\"}}", "params.filter.perfix"),
        ("note.list", "{\"filter\":{\"deleted\":1}}", "params.filter.deleted"),
        ("note.search", "{}", "params.query"), ("note.search", "{\"query\":1}", "params.query"),
        ("note.search", "{\"query\":\"\"}", "params.query"), ("note.search", "{\"query\":\"\\\"a\"}", "params.query"),
        ("note.search", "{\"query\":\"a\",\"limit\":101}", "params.limit"),
        ("note.search", "{\"query\":\"a\",\"after\":\"x\"}", "params.after"),
        ("note.search", "{\"query\":\"a\",\"after\":\"fff0000000000000.0000000000000001\"}", "params.after"),
        ("note.save", "{\"base\":\"\",\"text\":\"\"}", "params.id"), ("note.save", "{\"id\":\"@\",\"base\":\"\"}", "params"),
        ("note.save", "{\"id\":\"@\",\"bsae\":\"\",\"text\":\"\"}", "params.bsae"),
        ("note.save", "{\"id\":\"@\",\"base\":null,\"text\":\"\"}", "params.base"),
        ("note.save", "{\"id\":\"@\",\"base\":\" \",\"text\":\"\"}", "params.base"),
        ("note.save", "{\"id\":\"@\",\"base\":\"\",\"text\":null}", "params.text"),
        ("note.save", "{\"id\":\"@\",\"base\":\"\",\"resolves\":[\"x\"]}", "params.resolves[0]"),
        ("note.edit", "{\"id\":\"@\",\"base\":\"\"}", "params.edits"),
        (
            "note.edit",
            "{\"id\":\"@\",\"base\":\"\",\"edits\":[{\"start\":0,\"end\":0,\"text\":\"\"},{\"start\":0,\"text\":\"\"}]}",
            "params.edits[1].end"
        ),
        (
            "note.edit", "{\"id\":\"@\",\"base\":\"\",\"edits\":[{\"start\":\"0\",\"end\":0,\"text\":\"\"}]}",
            "params.edits[0].start"
        ),
        (
            "note.edit", "{\"id\":\"@\",\"base\":\"\",\"edits\":[{\"start\":0,\"end\":0,\"text\":\"\",\"txt\":\"\"}]}",
            "params.edits[0].txt"
        ),
        (
            "note.edit", "{\"id\":\"@\",\"base\":\"\",\"edits\":[{\"start\":0,\"end\":0,\"text\":\"\\u0000\"}]}",
            "params.edits[0].text"
        ),
        ("note.delete", "{\"id\":\"@\",\"base\":\"\",\"text\":\"\"}", "params.text"),
        ("note.history", "{\"id\":\"@\",\"before\":\"aaaaaaaaaaaaaaaa:01\"}", "params.before"),
        ("notes.watch", "{\"include\":\"all\"}", "params.include"), ("notes.watch", "{\"since\":\"now\"}", "params.since"),
        ("notes.watch", "{\"echo\":\"no\"}", "params.echo"), ("notes.watch", "{\"snapshot\":0}", "params.snapshot"),
        ("notes.unwatch", "{}", "params.watch"), ("notes.unwatch", "{\"watch\":0}", "params.watch"),
        ("presence.set", "{\"note\":1}", "params.note"), ("presence.set", "{\"note\":\"@\",\"version\":null}", "params.version"),
        ("presence.set", "{\"note\":null,\"version\":\"\"}", "params.version"),
        ("presence.set", "{\"note\":null,\"selection\":{\"start\":0,\"end\":0}}", "params.selection"),
        ("presence.set", "{\"note\":\"@\",\"selection\":{\"start\":0,\"end\":0}}", "params.version"),
        ("presence.set", "{\"note\":\"@\",\"version\":\"\",\"selection\":{\"start\":0}}", "params.selection.end"),
        ("presence.set", "{\"note\":\"@\",\"version\":\"\",\"selection\":{\"start\":0.5,\"end\":1}}", "params.selection.start"),
        ("presence.set", "{\"note\":\"@\",\"version\":\"\",\"selection\":{\"start\":-1,\"end\":1}}", "params.selection.start"),
        ("presence.set", "{\"note\":\"@\",\"version\":\"\",\"selection\":{\"start\":0,\"end\":-1}}", "params.selection.end"),
        (
            "presence.set", "{\"note\":\"@\",\"version\":\"\",\"selection\":{\"start\":0,\"end\":0,\"line\":1}}",
            "params.selection.line"
        ),
        ("notes.unwatch", "{\"watch\":-1}", "params.watch"), ("dependents.list", "{\"x\\u0000\":1}", "params"),
        ("notes.watch", "{\"[since\":1}", "params.[since"),
    ])
    func invalidParams_areReportedByPath(method: String, params: String, path: String) {
        let error = error(call(method, params.replacing("@", with: Self.note)))
        #expect(error?.kind == .invalidParams)
        #expect(error?.path == path)
        #expect(error?.message.hasPrefix(path) == true)
    }

    @Test(
        arguments: [
            ("{\"client\":{\"name\":\"t\"}}", ErrorKind.invalidParams, "params.protocol"),
            ("{\"protocol\":1,\"client\":{\"name\":\"t\"}}", .invalidParams, "params.protocol"),
            ("{\"protocol\":[\"1\"],\"client\":{\"name\":\"t\"}}", .invalidParams, "params.protocol[0]"),
            ("{\"protocol\":[1]}", .invalidParams, "params.client"),
            ("{\"protocol\":[1],\"client\":{}}", .invalidParams, "params.client.name"),
            ("{\"protocol\":[1],\"client\":{\"name\":\"t\",\"v\":1}}", .invalidParams, "params.client.v"),
            (
                "{\"protocol\":[1],\"client\":{\"name\":\"t\"},\"positionEncoding\":\"utf-8\"}", .invalidParams,
                "params.positionEncoding"
            ),
            ("{\"protocol\":[],\"client\":{\"name\":\"t\"}}", .unsupportedProtocol, nil),
            ("{\"protocol\":[2,0],\"client\":{\"name\":\"t\"}}", .unsupportedProtocol, nil),
        ] as [(String, ErrorKind, String?)])
    func invalidHello_isRefused(params: String, kind: ErrorKind, path: String?) {
        let error = error(call("session.hello", params, isRegistered: false))
        #expect(error?.kind == kind)
        #expect(error?.path == path)
    }

    @Test(arguments: [
        ("[\"utf-7\",\"utf-32\",\"utf-8\"]", PositionEncoding.utf32), ("[]", .utf8), ("[\"latin-1\"]", .utf8),
        ("[\"utf-16\"]", .utf16),
    ])
    func hello_usesFirstKnownEncoding(encodings: String, expected: PositionEncoding) {
        let params = "{\"protocol\":[3,1],\"client\":{\"name\":\"t\",\"version\":\"0\"},\"positionEncoding\":\(encodings)}"
        guard case .request(_, .hello(let hello)) = call("session.hello", params, isRegistered: false) else {
            Issue.record("hello was refused")
            return
        }
        #expect(hello.positionEncoding == expected)
    }

    /// `@` is a valid time.
    @Test(arguments: [
        ("note.create", "\"@\"", "params.times"), ("note.create", "null", "params.times"),
        ("note.create", "{}", "params.times.modified"), ("note.create", "{\"created\":\"@\"}", "params.times.modified"),
        ("note.create", "{\"modified\":1700000000}", "params.times.modified"),
        ("note.create", "{\"modified\":\"2026-02-29T00:00:00.000Z\"}", "params.times.modified"),
        ("note.create", "{\"modified\":\"10000-01-01T00:00:00.000Z\"}", "params.times.modified"),
        ("note.create", "{\"modified\":\"-001-01-01T00:00:00.000Z\"}", "params.times.modified"),
        ("note.create", "{\"modified\":\"@\",\"created\":null}", "params.times.created"),
        ("note.create", "{\"modified\":\"@\",\"created\":\"2026-01-01T00:00:00Z\"}", "params.times.created"),
        ("note.create", "{\"modified\":\"@\",\"read\":\"@\"}", "params.times.read"),
        ("note.save", "{}", "params.times.modified"), ("note.undo", "{}", "params.times.modified"),
        ("note.save", "{\"modified\":\"@\",\"created\":\"@\"}", "params.times.created"),
        ("note.undo", "{\"modified\":\"@\",\"created\":\"@\"}", "params.times.created"),
        ("note.edit", "{\"modified\":\"@\"}", "params.times"), ("note.delete", "{\"modified\":\"@\"}", "params.times"),
    ])
    func invalidTimes_areReportedByPath(method: String, times: String, path: String) {
        let others = [
            "note.create": "\"text\":\"\"", "note.save": "\"id\":\"@\",\"text\":\"\"",
            "note.undo": "\"id\":\"@\",\"ops\":[\"a\"]",
            "note.edit": "\"id\":\"@\",\"edits\":[]", "note.delete": "\"id\":\"@\"",
        ]
        let stated = times.replacing("@", with: "1969-12-31T23:59:59.999Z")
        let params = (others[method] ?? "").replacing("@", with: noteID(1).description)
        let error = error(call(method, "{\(params),\"times\":\(stated)}"))
        #expect(error?.kind == .invalidParams && error?.path == path)
    }

    @Test func missingBase_differsFromEmptyBase() {
        let missing = call("note.save", "{\"id\":\"\(Self.note)\",\"text\":\"a\"}")
        let empty = call("note.save", "{\"id\":\"\(Self.note)\",\"text\":\"a\",\"base\":\"\"}")
        #expect(missing == .request(id: .integer(7), .write(.saveNote(SaveNote(id: noteID(1), base: nil, text: bytes("a"))))))
        #expect(empty == .request(id: .integer(7), .write(.saveNote(SaveNote(id: noteID(1), base: .nothing, text: bytes("a"))))))
    }

    @Test func nullName_clears() {
        let clear = call("note.save", "{\"id\":\"\(Self.note)\",\"base\":\"\(Self.dotA)\",\"name\":null}")
        #expect(clear == .request(id: .integer(7), .write(.saveNote(SaveNote(id: noteID(1), base: version("A1"), name: .clear)))))
        let create = call("note.create", "{\"text\":\"\",\"name\":null}")
        #expect(create == .request(id: .integer(7), .write(.createNote(CreateNote(text: [])))))
    }

    @Test func presenceWithoutID_isNeverAnswered() {
        let start = "{\"jsonrpc\":\"2.0\",\"method\":\"presence.set\",\"params\":"
        #expect(read(start + "{\"note\":null}}") == .unanswered(.setPresence(SetPresence(nil))))
        let place = SetPresence.Position(
            note: noteID(1), version: version("A1"), selection: Selection(start: 1, end: 3))
        let params = "{\"note\":\"\(Self.note)\",\"version\":\"\(Self.dotA)\",\"selection\":{\"start\":1,\"end\":3}}"
        #expect(read(start + params + "}") == .unanswered(.setPresence(SetPresence(place))))
        #expect(call("presence.set", params) == .request(id: .integer(7), .setPresence(SetPresence(place))))
        for (wrong, isRegistered) in [("{\"note\":\"x\"}}", true), ("{\"note\":null}}", false)] {
            guard case .dropped = read(start + wrong, isRegistered: isRegistered) else {
                Issue.record("\(wrong) is not dropped")
                continue
            }
        }
    }

    @Test func pathOfHugeName_isShort() throws {
        let huge = String(repeating: "ä", count: 1_000_000)
        let error = try #require(self.error(call("session.ping", "{\"\(huge)\":1}")))
        #expect(error.kind == .invalidParams)
        #expect(error.line(id: nil).count < 2_000)
        let method = try #require(self.error(call(huge, "{}")))
        #expect(method.line(id: nil).count < 1_000)
    }

    // MARK: Both ways

    @Test(arguments: Method.allCases)
    func everyMethod_isReadFromItsOwnLine(method: Method) {
        var random = SeededGenerator(seed: 1)
        let call = random.call(method)
        #expect(call.method == method && Method.named(ByteString(method.name)) == method)
        #expect(method.plainCall == nil || method.plainCall == call)
        let line = Array(call.line(id: .integer(1)).dropLast())
        #expect(reader.read(line, isRegistered: method != .hello) == .request(id: .integer(1), call))
    }

    @Test(arguments: seeds(200))
    func request_roundTrips(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let call = random.call()
        let id = random.chance(0.5) ? RequestID.integer(Int64(random.below(1 << 53))) : .string(random.label())
        var line = call.line(id: id)
        #expect(line.popLast() == UInt8(ascii: "\n"))
        #expect(!line.contains(UInt8(ascii: "\n")))
        #expect(reader.read(line, isRegistered: call.method != .hello) == .request(id: id, call), "seed \(seed): \(string(line))")
        guard call.method.has(.unanswered) else { return }
        #expect(reader.read(Array(call.line(id: nil).dropLast()), isRegistered: true) == .unanswered(call), "seed \(seed)")
    }
}
