import NoteText
package import NotesMethods
import StrictJSON

/// The result of reading one line of a client.
package enum IncomingLine: Hashable, Sendable {
    /// A valid request, which gets a response.
    case request(id: RequestID, Call)
    /// An invalid request, which gets the error as its response. `id` is nil if the line has no
    /// valid id.
    case refused(id: RequestID?, WireError)
    /// A valid request without an id, of a method that allows that. It gets no response, whatever
    /// its outcome.
    case unanswered(Call)
    /// An invalid request without an id, of a method that allows that. Nothing is executed or sent.
    case dropped(WireError)
}

/// Reads the lines that a client sends.
package struct RequestReader: Sendable {
    /// Deepest nesting that is accepted.
    package let depthMax: Int

    /// Makes a reader with a depth limit.
    package init(depthMax: Int = WireLimits().depthMax) {
        self.depthMax = depthMax
    }

    /// Reads one line.
    ///
    /// - Parameters:
    ///   - line: the line without its LF.
    ///   - isRegistered: whether the connection's hello was accepted.
    /// - Complexity: O(n), as `JSONDocument.init(parsing:depthMax:)`.
    package func read(_ line: [UInt8], isRegistered: Bool) -> IncomingLine {
        let document: JSONDocument
        do {
            document = try JSONDocument(parsing: line, depthMax: depthMax)
        } catch {
            return .refused(id: nil, .parseError(error))
        }
        let members = EnvelopeMembers(document.root)
        let id = members.id.flatMap { RequestID($0) }
        let envelope: Envelope
        do {
            envelope = try Envelope(document.root, members, id)
        } catch {
            return .refused(id: id, error)
        }
        do {
            let call = try call(envelope, in: document, isRegistered: isRegistered)
            return envelope.id.map { .request(id: $0, call) } ?? .unanswered(call)
        } catch {
            return envelope.id == nil ? .dropped(error) : .refused(id: id, error)
        }
    }

    private func call(_ envelope: Envelope, in document: JSONDocument, isRegistered: Bool) throws(WireError) -> Call {
        let method = envelope.method
        guard isRegistered || method?.has(.beforeHello) == true else { throw .helloRequired }
        if document.hasNull, let path = document.root.pathOfNull {
            throw .invalidParams(ParamFault(path: path, reason: "contains U+0000, which is not allowed in any string"))
        }
        guard let method else { throw .methodNotFound(envelope.methodName) }
        if isRegistered && method == .hello { throw .helloTwice }
        let call: Call
        do {
            let params = try ParamReader(envelope.params ?? JSONDocument.emptyObject.root)
            call = try Call(method, params)
        } catch {
            throw .invalidParams(error.inside("params"))
        }
        if case .hello(let hello) = call, !hello.protocols.contains(Int64(WireProtocol.version)) { throw .unsupportedProtocol }
        return call
    }
}

/// The members of a request, not checked.
private struct EnvelopeMembers {
    var jsonrpc: JSONValue?
    var id: JSONValue?
    var method: JSONValue?
    var params: JSONValue?
    /// The first member that a request does not have.
    var unknown: JSONValue.Member?

    init(_ root: JSONValue) {
        for member in root.members {
            if member.isNamed("jsonrpc") {
                jsonrpc = member.value
            } else if member.isNamed("id") {
                id = member.value
            } else if member.isNamed("method") {
                method = member.value
            } else if member.isNamed("params") {
                params = member.value
            } else if unknown == nil {
                unknown = member
            }
        }
    }
}

/// A JSON-RPC 2.0 request object whose params have not been read.
///
/// The reader is strict: it rejects members that JSON-RPC does not define, because `parms` must not
/// be read as "no params".
private struct Envelope {
    /// Nil if the request has no id and needs none.
    let id: RequestID?
    let methodName: ByteString
    /// Nil if the protocol has no such method.
    let method: Method?
    let params: JSONValue?

    init(_ root: JSONValue, _ members: EnvelopeMembers, _ id: RequestID?) throws(WireError) {
        switch root.kind {
        case .object: break
        case .array:
            throw .invalidRequest("batches are not supported; send one request per line, and pipeline them if you like")
        case .null, .bool, .number, .string:
            throw .invalidRequest("a line must be one JSON-RPC request object; this is \(root.kind.noun)")
        }
        let name = members.method?.string
        method = name.flatMap { Method.named($0) }
        if members.id == nil {
            guard method?.has(.unanswered) == true else {
                throw .invalidRequest("id is missing; give every request an id", path: "id")
            }
        } else if id == nil {
            throw .invalidRequest("id must be a string, or an integer within ±2^53 without fraction or exponent", path: "id")
        }
        if let unknown = members.unknown {
            let name = ParamFault.quoted(unknown.name)
            throw .invalidRequest("unknown member \(name); a request has jsonrpc, id, method and params", path: name)
        }
        guard members.jsonrpc?.string == "2.0" else { throw .invalidRequest("jsonrpc must be \"2.0\"", path: "jsonrpc") }
        guard let name else { throw .invalidRequest("method must be a string", path: "method") }
        self.id = id
        methodName = name
        params = members.params
    }
}
