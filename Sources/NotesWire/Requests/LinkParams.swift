package import NoteText
package import NotesModel
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

extension Link.Kind {
    /// The name of a kind on the wire.
    enum Word: String, CaseIterable {
        case wiki, embed, path, id

        var kind: Link.Kind {
            switch self {
            case .wiki: .wiki
            case .embed: .embed
            case .path: .path
            case .id: .id
            }
        }
    }

    var word: Word {
        switch self {
        case .wiki: .wiki
        case .embed: .embed
        case .path: .path
        case .id: .id
        }
    }

    /// The name on the wire.
    package var wireName: ByteString { ByteString(word.rawValue) }
}

/// The text form of positions in lists of links, which clients treat as opaque: `<id>/<number>` of the
/// last link, for missing targets followed by `/<kind>/<target>`.
package enum LinkToken {
    /// The text of a position in `links.to`.
    package static func text(_ position: LinkPosition) -> ByteString { ByteString("\(position.note)/\(position.number)") }

    /// The text of a position in `links.missing`.
    package static func text(_ position: MissingLinkPosition) -> ByteString {
        ByteString(validUTF8: text(position.link).utf8 + Array("/\(position.kind.word.rawValue)/".utf8) + position.target.utf8)
    }

    /// The position with this text; nil for anything but the canonical form.
    package static func position(parsing text: ByteString) -> LinkPosition? {
        position(text.utf8.split(separator: separator, maxSplits: 1, omittingEmptySubsequences: false))
    }

    /// The position with this text; nil for anything but the canonical form.
    package static func missing(parsing text: ByteString) -> MissingLinkPosition? {
        let parts = text.utf8.split(separator: separator, maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 4, let link = position(Array(parts.prefix(2))),
            let word = Link.Kind.Word(rawValue: String(decoding: parts[2], as: UTF8.self))
        else { return nil }
        return MissingLinkPosition(target: ByteString(validUTF8: Array(parts[3])), kind: word.kind, link: link)
    }

    private static func position(_ parts: [ArraySlice<UInt8>]) -> LinkPosition? {
        guard parts.count == 2, let id = NoteID(parsing: parts[0]), parts[1].count <= 9,
            parts[1].allSatisfy({ (0x30...0x39).contains($0) }),
            parts[1].count == 1 || parts[1].first != UInt8(ascii: "0"),
            let number = Int(String(decoding: parts[1], as: UTF8.self))
        else { return nil }
        return LinkPosition(note: id, number: number)
    }

    private static let separator = UInt8(ascii: "/")
}
