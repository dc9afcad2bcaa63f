package import NoteText
package import NotesModel
package import StrictJSON

// MARK: Reading

extension BeginFile {
    init(_ params: inout ParamReader) throws(ParamFault) {
        self.init(try FileContent(&params), isForPeer: try params.isForPeer())
    }
}

extension ParamReader {
    /// Whether an upload is for a peer.
    fileprivate mutating func isForPeer() throws(ParamFault) -> Bool {
        try optional("for", Param.word(UploadPurpose.self)) != nil
    }
}

/// For whom an upload is.
private enum UploadPurpose: String, CaseIterable {
    case peer
}

extension PutFile {
    init(_ params: inout ParamReader) throws(ParamFault) {
        let content = try FileContent(&params)
        let offset = try params.required("offset", Param.offset)
        let data = try params.required("data") { (value) throws(ParamFault) in
            guard let data = Base64.bytes(of: try Param.text(value)) else {
                throw ParamFault(path: "", reason: "is not base64 with padding (RFC 4648 §4)")
            }
            return data
        }
        guard data.count <= PutFile.dataBytesMax else {
            throw ParamFault(path: "data", reason: "has \(data.count) bytes; send at most \(PutFile.dataBytesMax)")
        }
        self.init(content: content, offset: offset, data: data, isForPeer: try params.isForPeer())
    }
}

extension GetFile {
    init(_ params: inout ParamReader) throws(ParamFault) {
        self.init(
            hash: try params.required("sha256", Param.fileHash), offset: try params.optional("offset", Param.offset) ?? 0,
            length: try params.optional("length", Param.integer(in: 1...PutFile.dataBytesMax)) ?? PutFile.dataBytesMax)
    }
}

extension ListFiles {
    init(_ params: inout ParamReader) throws(ParamFault) {
        self.init(
            try params.required("state", Param.word(State.self)), limit: try params.listLimit(),
            after: try params.optional("after", Param.fileHash))
    }
}

extension FileContent {
    /// Reads the members `sha256` and `bytes`.
    package init(_ params: inout ParamReader) throws(ParamFault) {
        self.init(
            hash: try params.required("sha256", Param.fileHash),
            bytes: try params.required("bytes", Param.integer(in: 0...FileContent.bytesMax)))
    }

    /// Reads a content in a request.
    init(stated value: JSONValue) throws(ParamFault) {
        var content = try ParamReader(value)
        try self.init(&content)
        try content.finish()
    }

    /// Reads a content in a result.
    init(reading value: JSONValue) throws(ParamFault) {
        self.init(
            hash: try value.required("sha256", Param.fileHash),
            bytes: try value.required("bytes", Param.integer(in: 0...FileContent.bytesMax)))
    }
}

extension Param {
    static func fileHash(_ value: JSONValue) throws(ParamFault) -> FileHash {
        try parsed(value, "a SHA-256: \(FileHash.textBytes) lower-case hexadecimal digits") { FileHash(parsing: $0.utf8) }
    }

    static func fileHashes(_ value: JSONValue) throws(ParamFault) -> [FileHash] {
        let hashes = try array(fileHash)(value)
        guard (1...WireProtocol.haveFilesMax).contains(hashes.count) else {
            throw ParamFault(path: "", reason: "has \(hashes.count) elements; send between 1 and \(WireProtocol.haveFilesMax)")
        }
        return hashes
    }

    /// The kind of notes that a request selects; nil for both.
    package static func kind(_ value: JSONValue) throws(ParamFault) -> NoteKind? {
        if try string(value) == anyKind { return nil }
        guard let kind = NoteKind.allCases.first(where: { ByteString($0.rawValue) == value.string }) else {
            throw ParamFault(path: "", reason: "must be one of text, file, any")
        }
        return kind
    }

    fileprivate static let anyKind: ByteString = "any"
}

extension JSONWriter {
    /// Writes the kind of notes that a request selects, unless it is the default.
    mutating func member(kind: NoteKind?) {
        if kind != .text { member("kind", kind.map { ByteString($0.rawValue) } ?? Param.anyKind) }
    }
}

// MARK: Writing

extension FileRequest {
    func writeMembers(to params: inout JSONWriter) {
        switch self {
        case .begin(let begin):
            begin.content.writeMembers(to: &params)
            if begin.isForPeer { params.member("for", UploadPurpose.peer.rawValue) }
        case .put(let put):
            put.content.writeMembers(to: &params)
            params.member("offset", put.offset)
            params.member("data", text: Base64.text(of: put.data))
            if put.isForPeer { params.member("for", UploadPurpose.peer.rawValue) }
        case .get(let get):
            params.member("sha256", get.hash)
            if get.offset != 0 { params.member("offset", get.offset) }
            if get.length != PutFile.dataBytesMax { params.member("length", get.length) }
        case .check(let hash): params.member("sha256", hash)
        case .have(let hashes):
            params.name("sha256s")
            params.array(of: hashes) { $0.string($1) }
        case .list(let list):
            params.member("state", list.state.rawValue)
            if list.limit != PageSize.listed { params.member("limit", list.limit) }
            if let after = list.after { params.member("after", after) }
        }
    }
}

extension FileContent {
    func writeMembers(to object: inout JSONWriter) {
        object.member("sha256", hash)
        object.member("bytes", bytes)
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writeMembers(to: &$0) }
    }
}
