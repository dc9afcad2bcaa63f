import Causality
import NoteText
import NotesMethods
import NotesModel
import StrictJSON

// MARK: Reading

extension WatchRevisions {
    init(_ params: inout ParamReader) throws(ParamFault) {
        let peer = try params.required("peer") { (value) throws(ParamFault) in
            var peer = try ParamReader(value)
            let store = try peer.required("store", Param.replica)
            let replica = try peer.required("replica", Param.replica)
            try peer.finish()
            return RevisionPeer(store: store, replica: replica)
        }
        self.init(
            peer: peer, known: try params.required("known", Param.dots),
            refuses: try params.optional("refuses", Param.dots) ?? DotSet())
    }
}

extension ProceedParams {
    init(_ params: inout ParamReader) throws(ParamFault) {
        self.init(
            watch: WatchID(try params.required("watch", Param.number)), seq: try params.required("seq", Param.number),
            lacking: try params.optional("lacking", Param.array(Param.dot)) ?? [])
    }
}

extension AdoptParams {
    init(_ params: inout ParamReader) throws(ParamFault) {
        let revisions = try params.required("revisions", Param.array(Param.statedRevision))
        let beginnings = try params.optional("beginnings", Param.array(Param.statedBeginning)) ?? []
        let (countMax, bytesMax) = (WireProtocol.adoptedRevisionsMax, WireProtocol.adoptedBytesMax)
        guard revisions.count <= countMax else {
            throw ParamFault(path: "revisions", reason: "has \(revisions.count) elements; send at most \(countMax)")
        }
        guard beginnings.count <= WireProtocol.begunNotesMax else {
            throw ParamFault(
                path: "beginnings", reason: "has \(beginnings.count) elements; send at most \(WireProtocol.begunNotesMax)")
        }
        let below = beginnings.reduce(0) { $0 + $1.below.count }
        guard below <= NoteBeginning.belowMax else {
            throw ParamFault(
                path: "beginnings", reason: "has \(below) revisions below floors; send at most \(NoteBeginning.belowMax)")
        }
        let bytes = revisions.reduce(0) { $0 + $1.byteCount } + beginnings.reduce(0) { $0 + $1.byteCount }
        guard revisions.count + beginnings.count <= 1 || bytes <= bytesMax else {
            throw ParamFault(
                path: beginnings.isEmpty ? "revisions" : "beginnings",
                reason: "has \(bytes) bytes; send at most \(bytesMax), or a single revision")
        }
        self.init(revisions: revisions, beginnings: beginnings)
    }
}

extension Param {
    /// A set of dots in its text form.
    static func dots(_ value: JSONValue) throws(ParamFault) -> DotSet {
        let text = try string(value)
        do throws(DotSet.ParseFault) {
            return try DotSet(parsing: text.utf8)
        } catch {
            throw ParamFault(
                path: "", reason: "is not a set of dots from byte \(error.offset) on; send one that a daemon returned",
                offset: error.offset)
        }
    }

    /// A revision in a request; unknown members are rejected.
    static func statedRevision(_ value: JSONValue) throws(ParamFault) -> WireRevision {
        var revision = try ParamReader(value)
        let head = try revision.required("head", base64)
        let text = try revision.required("text", text)
        try revision.finish()
        return WireRevision(head: head, text: text)
    }

    /// A revision in a line from the daemon.
    static func revision(_ value: JSONValue) throws(ParamFault) -> WireRevision {
        WireRevision(head: try value.required("head", base64), text: try value.required("text", text))
    }

    static func base64(_ value: JSONValue) throws(ParamFault) -> [UInt8] {
        try parsed(value, "base64 with padding") { Base64.bytes(of: $0.utf8) }
    }
}

// MARK: Writing

extension WatchRevisions {
    func writeMembers(to params: inout JSONWriter) {
        params.name("peer")
        params.object {
            $0.member("store", peer.store)
            $0.member("replica", peer.replica)
        }
        params.member("known", known)
        if !refuses.isEmpty { params.member("refuses", refuses) }
    }
}

extension ProceedParams {
    func writeMembers(to params: inout JSONWriter) {
        params.member("watch", watch.number)
        params.member("seq", seq)
        guard !lacking.isEmpty else { return }
        params.name("lacking")
        params.array(of: lacking) { $0.string($1) }
    }
}

extension AdoptParams {
    func writeMembers(to params: inout JSONWriter) {
        params.name("revisions")
        params.array(of: revisions) { $1.write(to: &$0) }
        guard !beginnings.isEmpty else { return }
        params.name("beginnings")
        params.array(of: beginnings) { $1.write(to: &$0) }
    }
}

extension WireRevision {
    func write(to writer: inout JSONWriter) {
        writer.object { revision in
            revision.member("head", ByteString(checkedUTF8: Base64.text(of: head)) ?? "")
            revision.member("text", ByteString(checkedUTF8: text) ?? "")
        }
    }
}
