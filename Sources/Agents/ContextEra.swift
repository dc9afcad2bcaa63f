import Console
import NoteText
import NotesModel
import NotesWire
import StrictJSON

/// The two ways in which revisions of the protocol begin. The first request of a client that fits one
/// of them decides for the session.
enum ContextEra {
    /// With the request `initialize`: the revisions up to 2025-11-25.
    case initialized
    /// Without: since 2026-07-28, each request carries its revision and the client's capabilities.
    case perRequest

    /// Names in the member `_meta` of requests and results.
    private static let (version, capabilities, info, server): (StaticString, StaticString, StaticString, StaticString) = (
        "io.modelcontextprotocol/protocolVersion", "io.modelcontextprotocol/clientCapabilities",
        "io.modelcontextprotocol/clientInfo", "io.modelcontextprotocol/serverInfo"
    )

    /// Whether a request belongs to a revision without `initialize`.
    static func isPerRequest(_ method: String, _ params: JSONValue) -> Bool {
        method != "initialize" && (method == "server/discover" || params["_meta"]?[version] != nil)
    }

    /// Checks what each request of a revision without `initialize` carries.
    ///
    /// - Returns: the name of the client program, empty if the request does not have it.
    static func client(of params: JSONValue) throws(ContextFault) -> String {
        let meta = params["_meta"]
        guard let wanted = meta?[version]?.string?.description, meta?[capabilities]?.kind == .object else {
            throw ContextFault(.invalidParams, "_meta must have the string \(version) and the object \(capabilities)")
        }
        guard ContextProtocol.versionsPerRequest.contains(wanted) else { throw unsupported(wanted) }
        return meta?[info]?["name"]?.string?.description ?? ""
    }

    /// The fault of a request that names a revision which the session does not have.
    static func unsupported(_ wanted: String) -> ContextFault {
        let known = ContextProtocol.versionsPerRequest.joined(separator: ", ")
        return ContextFault(.unsupportedVersion, "this session has the revision \(known)", version: wanted)
    }

    /// Writes the members that the era adds to each result.
    func writeMembers(to result: inout JSONWriter) {
        guard case .perRequest = self else { return }
        result.member("resultType", "complete")
        result.name("_meta")
        result.object { meta in
            meta.name(Self.server)
            Self.writeServer(to: &meta)
        }
    }

    /// Writes the members that the era adds to a result that a client may keep.
    ///
    /// - Parameter isFixed: false for a result that may change at any time.
    func writeCacheMembers(to result: inout JSONWriter, isFixed: Bool = true) {
        guard case .perRequest = self else { return }
        result.member("ttlMs", isFixed ? ContextProtocol.listMillisecondsMax : 0)
        // The tools depend on the options with which the user started the server.
        result.member("cacheScope", "private")
    }

    /// Writes the name and version of this server.
    static func writeServer(to writer: inout JSONWriter) {
        writer.object { info in
            info.member("name", "notesd")
            info.member("title", "Notes")
            info.member("version", Program.version)
        }
    }

    /// Writes the members `capabilities` and `instructions`.
    static func writeOffer(to result: inout JSONWriter) {
        result.name("capabilities")
        result.object { capabilities in
            capabilities.name("tools")
            capabilities.object { $0.member("listChanged", false) }
            capabilities.name("resources")
            capabilities.object { _ in }
            capabilities.name("prompts")
            capabilities.object { _ in }
        }
        result.member("instructions", ContextProtocol.instructions)
    }
}
