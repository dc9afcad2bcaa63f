package import NoteText
package import NotesMethods
package import NotesModel
import StrictJSON

extension HelloParams {
    /// A hello of this version of the protocol.
    package init(client: ClientInfo, label: ByteString? = nil, positionEncodings: [PositionEncoding] = []) {
        self.init(
            protocols: [Int64(WireProtocol.version)], client: client, label: label, positionEncodings: positionEncodings)
    }

    init(_ params: inout ParamReader) throws(ParamFault) {
        let protocols = try params.required("protocol", Param.array(Param.integer))
        let client = try params.required("client") { (value) throws(ParamFault) in
            var client = try ParamReader(value)
            let name = try client.required("name", Param.label)
            let version = try client.optional("version", Param.label)
            try client.finish()
            return ClientInfo(name: name, version: version)
        }
        let label = try params.optional("label", Param.label)
        let words = try params.optional("positionEncoding", Param.array(Param.string)) ?? []
        let known = words.compactMap { word in
            PositionEncoding.allCases.first { $0.rawValue.utf8.elementsEqual(word.utf8) }
        }
        self.init(protocols: protocols, client: client, label: label, positionEncodings: known)
    }

    func writeMembers(to params: inout JSONWriter) {
        params.name("protocol")
        params.array(of: protocols) { $0.integer($1) }
        params.name("client")
        client.write(to: &params)
        if let label { params.member("label", label) }
        guard !positionEncodings.isEmpty else { return }
        params.name("positionEncoding")
        params.array(of: positionEncodings) { $0.string($1.rawValue) }
    }
}

extension SessionLimits {
    init(_ params: inout ParamReader) throws(ParamFault) {
        self.init(
            access: try params.optional("access", Param.word(Access.self)),
            methods: try params.optional("methods", Param.word(Methods.self)) ?? .all,
            user: try params.optional("user", Param.person), note: try params.optional("note", Param.noteID))
    }

    func writeMembers(to params: inout JSONWriter) {
        if let access { params.member("access", access.rawValue) }
        if methods != .all { params.member("methods", methods.rawValue) }
        if let user { params.member("user", user) }
        if let note { params.member("note", note) }
    }
}
