import NoteText
import NotesModel
import StrictJSON

extension ListIncomingLinks {
    init(_ params: inout ParamReader) throws(ParamFault) {
        self.init(
            id: try params.required("id", Param.noteID), limit: try params.listLimit(),
            after: try params.optional("after", Param.linkPosition))
    }

    func writeMembers(to params: inout JSONWriter) {
        params.member("id", id)
        if limit != PageSize.listed { params.member("limit", limit) }
        if let after { params.member("after", LinkToken.text(after)) }
    }
}

extension ListMissingLinks {
    init(_ params: inout ParamReader) throws(ParamFault) {
        self.init(limit: try params.listLimit(), after: try params.optional("after", Param.missingLinkPosition))
    }

    func writeMembers(to params: inout JSONWriter) {
        if limit != PageSize.listed { params.member("limit", limit) }
        if let after { params.member("after", LinkToken.text(after)) }
    }
}

extension ResolveLinks {
    init(_ params: inout ParamReader) throws(ParamFault) {
        let targets = try params.required("targets") { (value) throws(ParamFault) in
            let targets = try Param.array(Param.linkTarget)(value)
            guard (1...WireProtocol.resolvedTargetsMax).contains(targets.count) else {
                throw ParamFault(
                    path: "", reason: "has \(targets.count) targets; it must have 1 to \(WireProtocol.resolvedTargetsMax)")
            }
            return targets
        }
        self.init(targets: targets, from: try params.optional("from", Param.noteID))
        if let kind = try params.optional("kind", Param.kind) { self.kind = kind }
    }

    func writeMembers(to params: inout JSONWriter) {
        params.name("targets")
        params.array(of: targets) { writer, target in
            writer.object {
                $0.member("kind", target.kind.word.rawValue)
                $0.member("target", target.text)
            }
        }
        if let from { params.member("from", from) }
        params.member(kind: kind)
    }
}

extension Param {
    static func linkPosition(_ value: JSONValue) throws(ParamFault) -> LinkPosition {
        try parsed(value, "a position in a list of links; send next of a links.to response") { LinkToken.position(parsing: $0) }
    }

    static func missingLinkPosition(_ value: JSONValue) throws(ParamFault) -> MissingLinkPosition {
        try parsed(value, "a position in a list of missing targets; send next of a links.missing response") {
            LinkToken.missing(parsing: $0)
        }
    }

    static func linkKind(_ value: JSONValue) throws(ParamFault) -> Link.Kind {
        try word(Link.Kind.Word.self)(value).kind
    }

    static func linkTarget(_ value: JSONValue) throws(ParamFault) -> LinkTarget {
        var target = try ParamReader(value)
        let kind = try target.required("kind", linkKind)
        let text = try target.required("target", string)
        try target.finish()
        guard text.utf8.count <= LinkLimits.targetBytesMax else {
            throw ParamFault(
                path: "target", reason: "has \(text.utf8.count) bytes; a target has at most \(LinkLimits.targetBytesMax)")
        }
        return LinkTarget(kind: kind, decoded: text)
    }
}
