import Foundation
import NoteText
import NotesWire
import StrictJSON
import TestKit
import Testing

/// Clients of one daemon that exchange raw lines about one note, with placeholders for values that
/// the daemon chose.
///
/// Expected lines are JSON as in the examples of `docs/protocol.md`: `"<v2>"` stands for the value
/// it first matched, in the lines of all clients, and `"<any>"` for any value; an object with `"…"`
/// may have more members.
///
///     try await scene.save("c1", on: "v1", #"y\n"#, is: "saved", as: "v2")
///     try await scene.shows(siblings: ["v2"], text: #"y\n"#)
struct Scene {
    static let id = noteID(1)

    private let daemon: DaemonProcess
    private(set) var words = Words()
    private var clients: [String: RawConnection] = [:]
    private var request = 0

    init(_ daemon: DaemonProcess) {
        self.daemon = daemon
    }

    /// The client with that name; it sends hello on first use.
    mutating func client(_ name: String, encoding: String = "utf-8") async throws -> RawConnection {
        if let client = clients[name] { return client }
        let client = try RawConnection(daemon.socket)
        let hello = try await client.call(
            #"{"jsonrpc":"2.0","id":0,"method":"session.hello","params":{"protocol":[1],"client":{"name":"raw"},"label":""#
                + #"\#(name)","positionEncoding":["\#(encoding)"]}}"#)
        #expect(hello.result?["positionEncoding"]?.string == ByteString(encoding))
        clients[name] = client
        return client
    }

    /// Kills the daemon and starts it again; all clients then have to send hello again.
    mutating func crash(_ between: () throws -> Void = {}) async throws {
        try await daemon.end(SIGKILL)
        clients = [:]
        try between()
        try await daemon.start()
    }

    // MARK: Requests

    /// Sends a request and returns the response, whatever it is.
    mutating func ask(_ name: String, _ method: String, _ params: String) async throws -> JSONValue {
        let client = try await client(name)
        request += 1
        let line = #"{"jsonrpc":"2.0","id":\#(request),"method":"\#(method)","params":\#(params)}"#
        try await client.send(words.replaced(in: line) + "\n")
        let answer = try #require(try await client.line(), "\(method): the daemon hung up")
        return try JSONDocument(parsing: answer, depthMax: WireProtocol.serverDepthMax).root
    }

    /// Sends a request and compares the result with the expected one.
    @discardableResult
    mutating func ask(
        _ name: String, _ method: String, _ params: String, is wanted: String, at place: SourceLocation = #_sourceLocation
    ) async throws -> JSONValue {
        let answer = try await ask(name, method, params)
        let result = try #require(answer["result"], "\(method): \(String(decoding: answer.source, as: UTF8.self))")
        try expect(result, is: wanted, at: place)
        return result
    }

    mutating func refuses(
        _ name: String, _ method: String, _ params: String, is wanted: String, at place: SourceLocation = #_sourceLocation
    ) async throws {
        let answer = try await ask(name, method, params)
        let error = try #require(answer["error"], "\(method): \(String(decoding: answer.source, as: UTF8.self))")
        try expect(error, is: wanted, at: place)
    }

    /// The next notification to a client: its method and params.
    @discardableResult
    mutating func receives(
        _ name: String, _ method: String, is wanted: String, at place: SourceLocation = #_sourceLocation
    ) async throws -> JSONValue {
        let client = try await client(name)
        let bytes = try #require(try await client.line(), "the daemon hung up")
        let line = try JSONDocument(parsing: bytes, depthMax: WireProtocol.serverDepthMax).root
        #expect(line["method"]?.string == ByteString(method), "\(String(decoding: bytes, as: UTF8.self))", sourceLocation: place)
        let params = try #require(line["params"])
        try expect(params, is: wanted, at: place)
        return params
    }

    private mutating func expect(_ got: JSONValue, is wanted: String, at place: SourceLocation) throws {
        let document = try JSONDocument(parsing: bytes(wanted), depthMax: WireProtocol.serverDepthMax)
        let difference = words.difference(document.root, got)
        let said = String(decoding: got.source, as: UTF8.self)
        #expect(difference == nil, "\(difference ?? ""); \(said)", sourceLocation: place)
    }
}

// MARK: - The note

extension Scene {
    /// Saves a text. Texts are given as the inside of a JSON string.
    mutating func create(
        _ text: String, as dot: String = "v1", at place: SourceLocation = #_sourceLocation
    ) async throws {
        try await ask(
            "c1", "note.create", #"{"text":"\#(text)","id":"\#(Self.id)"}"#,
            is: #"{"note":{"version":"<\#(dot)>","conflicts":[],"…":"…"}}"#, at: place)
    }

    /// Makes a save whose response has only its own dot as its version.
    ///
    /// - Parameters:
    ///   - base: a word; empty for no base.
    ///   - more: further members of the params.
    ///   - note: the note expected in the response; nil if it is omitted.
    mutating func save(
        _ name: String, on base: String, _ text: String, _ more: String = "", is outcome: String, as dot: String,
        shown note: String? = nil, at place: SourceLocation = #_sourceLocation
    ) async throws {
        try await write(name, "note.save", on: base, #""text":"\#(text)""# + more, is: outcome, as: dot, shown: note, at: place)
    }

    mutating func write(
        _ name: String, _ method: String, on base: String, _ more: String = "", is outcome: String, as dot: String,
        shown note: String? = nil, at place: SourceLocation = #_sourceLocation
    ) async throws {
        let base = base.isEmpty ? "" : "<\(base)>"
        try await ask(
            name, method, #"{"id":"\#(Self.id)","base":"\#(base)"\#(more.isEmpty ? "" : ",")\#(more)}"#,
            is: #"{"outcome":"\#(outcome)","dot":"<\#(dot)>","version":"<\#(dot)>"\#(note.map { #","note":\#($0)"# } ?? "")}"#,
            at: place)
    }

    mutating func delete(
        _ name: String, on base: String, is outcome: String = "saved", as dot: String, shown note: String? = nil,
        at place: SourceLocation = #_sourceLocation
    ) async throws {
        try await write(name, "note.delete", on: base, is: outcome, as: dot, shown: note, at: place)
    }

    /// Compares the note as a new reader sees it. The version names the siblings and is kept as the
    /// word `now`.
    mutating func shows(
        siblings: [String], text: String, conflicts: String = "[]", isDeleted: Bool = false,
        at place: SourceLocation = #_sourceLocation
    ) async throws {
        let dots = siblings.map { #""<\#($0)>""# }.joined(separator: ",")
        words.forget("now")
        let result = try await ask(
            "reader", "note.get", #"{"id":"\#(Self.id)"}"#,
            is: #"{"note":{"version":"<now>","siblings":[\#(dots)],"text":"\#(text)","conflicts":\#(conflicts),"#
                + #""deleted":\#(isDeleted),"…":"…"}}"#, at: place)
        let version = result["note"]?["version"]?.string?.description
        let named = result["note"]?["siblings"]?.elements.compactMap { $0.string?.description }.joined(separator: " ")
        #expect(version == named, "the version covers all that is shown", sourceLocation: place)
    }
}

/// A complete conflict of texts.
///
/// - Parameter sides: the dot's word and the text of each side.
func textConflict(
    _ range: Range<Int>, id: String = "any", base: String, _ sides: [(dot: String, text: String)]
) -> String {
    let sides = sides.map { fullSide($0.dot, #""text":"\#($0.text)""#) }.joined(separator: ",")
    return #"{"id":"<\#(id)>","kind":"text","range":{"start":\#(range.lowerBound),"end":\#(range.upperBound)},"#
        + #""base":"\#(base)","sides":[\#(sides)]}"#
}

/// One side of a conflict, with a member for its content.
func fullSide(_ dot: String, _ member: String) -> String {
    #"{"dot":"<\#(dot)>","author":{"user":"<any>","label":"<any>"},"modified":"<any>",\#(member)}"#
}

/// A conflict in the form that lists use.
func bareConflict(_ range: Range<Int>, id: String = "any", kind: String = "text") -> String {
    #"{"id":"<\#(id)>","kind":"\#(kind)","range":{"start":\#(range.lowerBound),"end":\#(range.upperBound)}}"#
}
