package import NoteText
package import StrictJSON

/// A JSON-RPC 2.0 request object whose params have not been read.
///
/// The reader is strict: it rejects members that JSON-RPC does not define, because `parms` must not
/// be read as "no params".
package struct Envelope {
    /// Nil if the request has no id and needs none.
    package let id: RequestID?
    package let method: ByteString
    /// The params; an empty object if the request has none.
    package let params: JSONValue
    private let document: JSONDocument

    /// Why a document is no request, with its id if it has a valid one.
    package struct Fault: Error {
        package let id: RequestID?
        package let reason: WireError
    }

    /// - Parameter mayLackID: whether requests of a method need no id.
    package init(_ document: JSONDocument, mayLackID: (ByteString) -> Bool) throws(Fault) {
        let members = EnvelopeMembers(document.root)
        let id = members.id.flatMap { RequestID($0) }
        do {
            method = try Self.method(document.root, members, id, mayLackID)
        } catch {
            throw Fault(id: id, reason: error)
        }
        self.id = id
        self.document = document
        params = members.params ?? JSONDocument.emptyObject.root
    }

    /// The fault of a request that contains U+0000; nil if none does.
    package var nullFault: ParamFault? {
        guard document.hasNull, let path = document.root.pathOfNull else { return nil }
        return ParamFault(path: path, reason: "contains U+0000, which is not allowed in any string")
    }

    private static func method(
        _ root: JSONValue, _ members: EnvelopeMembers, _ id: RequestID?, _ mayLackID: (ByteString) -> Bool
    ) throws(WireError) -> ByteString {
        switch root.kind {
        case .object: break
        case .array:
            throw .invalidRequest("batches are not supported; send one request per line, and pipeline them if you like")
        case .null, .bool, .number, .string:
            throw .invalidRequest("a line must be one JSON-RPC request object; this is \(root.kind.noun)")
        }
        let name = members.method?.string
        if members.id == nil {
            guard let name, mayLackID(name) else {
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
        return name
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
