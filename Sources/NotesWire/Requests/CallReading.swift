import Causality
import NoteText
import NotesMethods
import NotesModel
import StrictJSON

extension Call {
    /// Reads a method's params. The paths of faults are relative to the params.
    init(_ method: Method, _ params: ParamReader) throws(ParamFault) {
        var params = params
        let call = try Self.read(method, &params)
        try params.finish()
        self = call
    }

    private static func read(_ method: Method, _ params: inout ParamReader) throws(ParamFault) -> Call {
        switch method {
        case .hello: .hello(try HelloParams(&params))
        case .limit: .limit(try SessionLimits(&params))
        case .createNote: .write(.createNote(try CreateNote(&params)))
        case .saveNote: .write(.saveNote(try SaveNote(&params)))
        case .editNote: .write(.editNote(try EditNote(&params)))
        case .deleteNote: .write(.deleteNote(try DeleteNote(&params)))
        case .undoNote: .write(.undoNote(try UndoNote(&params)))
        case .purgeNote: .write(.purgeNote(try PurgeNote(&params)))
        case .getNote: .get(try GetNote(&params))
        case .listNotes: .list(try ListNotes(&params))
        case .listTags: .listTags(try ListTags(&params))
        case .listRevisions: .listRevisions(try ListRevisions(&params))
        case .history: .history(try ReadHistory(&params))
        case .search: .search(try SearchNotes(&params))
        case .incomingLinks: .links(.incoming(try ListIncomingLinks(&params)))
        case .missingLinks: .links(.missing(try ListMissingLinks(&params)))
        case .resolveLinks: .links(.resolve(try ResolveLinks(&params)))
        case .watch: .watch(try WatchNotes(&params))
        case .unwatch:
            .unwatch(WatchID(UInt64(try params.required("watch", Param.integer(in: 1...Int(WireProtocol.integers.upperBound))))))
        case .setPresence: .setPresence(try SetPresence(&params))
        case .beginFile: .file(.begin(try BeginFile(&params)))
        case .putFile: .file(.put(try PutFile(&params)))
        case .getFile: .file(.get(try GetFile(&params)))
        case .checkFile: .file(.check(try params.required("sha256", Param.fileHash)))
        case .haveFiles: .file(.have(try params.required("sha256s", Param.fileHashes)))
        case .listFiles: .file(.list(try ListFiles(&params)))
        case .knownRevisions: .knownRevisions(digests: try params.optional("digests", Param.digestedDots) ?? DotSet())
        case .watchRevisions: .watchRevisions(try WatchRevisions(&params))
        case .proceed: .proceed(try ProceedParams(&params))
        case .completeRevisions: .completeRevisions(try params.required("dots", Param.dots))
        case .adopt: .adopt(try AdoptParams(&params))
        case .forgetPeer: .forgetPeer(try params.required("store", Param.replica))
        case .listHeld: .listHeld(try ListHeld(&params))
        case .dropHeld: .dropHeld(try params.required("dots", Param.droppedDots))
        case .audit: .auditing(files: try params.optional("files", Param.bool) ?? false)
        case .backup: .backup(to: try params.optional("path", Param.backupPath))
        default: try plain(method)
        }
    }

    /// The call of a method without params.
    private static func plain(_ method: Method) throws(ParamFault) -> Call {
        guard let call = method.plainCall else { throw ParamFault(path: "", reason: "of \(method.name) cannot be read") }
        return call
    }
}

extension CreateNote {
    init(_ params: inout ParamReader) throws(ParamFault) {
        let text = try params.optional("text", Param.text)
        let file = try params.optional("file", FileContent.init(stated:))
        guard (text == nil) != (file == nil) else {
            throw ParamFault(path: "", reason: "must contain either text or file")
        }
        let name = try params.optional("name") { (value) throws(ParamFault) in
            value.isNull ? nil : try Param.string(value)
        }
        self.init(
            text: text ?? [], file: file, name: name ?? nil, id: try params.optional("id", Param.noteID),
            op: try params.optional("op", Param.operation), times: try params.optional("times", Param.fileTimes))
    }
}

extension GetNote {
    init(_ params: inout ParamReader) throws(ParamFault) {
        let id = try params.optional("id", Param.noteID)
        let name = try params.optional("name", Param.string)
        let key: Key =
            switch (id, name) {
            case (let id?, nil): .id(id)
            case (nil, let name?): .name(name)
            case (nil, nil): throw ParamFault(path: "", reason: "must contain either id or name")
            case (_?, _?): throw ParamFault(path: "name", reason: "cannot be combined with id; send one of the two")
            }
        self.init(key, at: try params.optional("at", Param.version), from: try params.optional("from", Param.version))
    }
}

extension ListNotes {
    init(_ params: inout ParamReader) throws(ParamFault) {
        self.init(filter: try params.optional("filter", Param.filter) ?? Filter(), limit: try params.listLimit())
        let order = try params.optional("order", Param.word(ListPlace.Order.self)) ?? .name
        place = try params.optional("after", Param.listPlace(in: order)) ?? ListPlace(startOf: order)
    }
}

extension ListTags {
    init(_ params: inout ParamReader) throws(ParamFault) {
        self.init(
            prefix: try params.optional("prefix", Param.string) ?? "", limit: try params.listLimit(),
            after: try params.optional("after", Param.string))
    }
}

extension ListRevisions {
    init(_ params: inout ParamReader) throws(ParamFault) {
        self.init(
            filter: RevisionFilter(
                author: try params.optional("author", Param.label), since: try params.optional("since", Param.timestamp)),
            limit: try params.listLimit(), before: try params.optional("after", Param.commit))
    }
}

extension SearchNotes {
    init(_ params: inout ParamReader) throws(ParamFault) {
        self.init(
            query: try params.required("query", Param.searchQuery),
            limit: try params.optional("limit", Param.integer(in: WireProtocol.searchLimits)) ?? PageSize.found,
            after: try params.optional("after", Param.searchPosition))
        if let kind = try params.optional("kind", Param.kind) { self.kind = kind }
    }
}

extension SaveNote {
    init(_ params: inout ParamReader) throws(ParamFault) {
        self.init(id: try params.required("id", Param.noteID), base: try params.optional("base", Param.version))
        text = try params.optional("text", Param.text)
        file = try params.optional("file", FileContent.init(stated:))
        guard text == nil || file == nil else {
            throw ParamFault(path: "file", reason: "cannot be combined with text; send one of the two")
        }
        let name = try params.optional("name") { (value) throws(ParamFault) in
            value.isNull ? NameRequest.clear : .set(try Param.string(value))
        }
        let resolves = try params.optional("resolves", Param.array(Param.conflictID))
        op = try params.optional("op", Param.operation)
        times = try params.optional("times", Param.changedFileTimes)
        guard text != nil || file != nil || name != nil || resolves != nil else {
            throw ParamFault(path: "", reason: "must contain at least one of text, file, name and resolves")
        }
        (self.name, self.resolves) = (name ?? .leave, resolves ?? [])
    }
}

extension EditNote {
    /// Reads edits whose offsets are in UTF-8. The caller sets the encoding of the session.
    init(_ params: inout ParamReader) throws(ParamFault) {
        self.init(
            id: try params.required("id", Param.noteID), base: try params.optional("base", Param.version),
            edits: try params.required("edits", Param.array(Param.edit)),
            resolves: try params.optional("resolves", Param.array(Param.conflictID)) ?? [],
            op: try params.optional("op", Param.operation))
    }
}

extension DeleteNote {
    init(_ params: inout ParamReader) throws(ParamFault) {
        self.init(
            id: try params.required("id", Param.noteID), base: try params.optional("base", Param.version),
            op: try params.optional("op", Param.operation))
    }
}

extension PurgeNote {
    init(_ params: inout ParamReader) throws(ParamFault) {
        self.init(
            id: try params.required("id", Param.noteID), base: try params.optional("base", Param.version),
            op: try params.optional("op", Param.operation))
    }
}

extension UndoNote {
    init(_ params: inout ParamReader) throws(ParamFault) {
        self.init(id: try params.required("id", Param.noteID), base: try params.optional("base", Param.version))
        let revisions = try params.optional("revisions", Param.array(Param.dot))
        let ops = try params.optional("ops", Param.array(Param.operation))
        op = try params.optional("op", Param.operation)
        times = try params.optional("times", Param.changedFileTimes)
        isPreview = try params.optional("preview", Param.bool) ?? false
        let limit = WireProtocol.undoneMax
        for (name, count) in [("revisions", revisions?.count), ("ops", ops?.count)] {
            guard let count, !(1...limit).contains(count) else { continue }
            throw ParamFault(path: name, reason: "has \(count) elements; send between 1 and \(limit)")
        }
        guard (revisions == nil) != (ops == nil) else {
            throw ParamFault(path: "", reason: "must contain either revisions or ops")
        }
        (self.revisions, self.ops) = (revisions ?? [], ops ?? [])
    }
}

extension ReadHistory {
    init(_ params: inout ParamReader) throws(ParamFault) {
        self.init(
            id: try params.required("id", Param.noteID), limit: try params.listLimit(),
            before: try params.optional("before", Param.dot))
    }
}

extension WatchNotes {
    init(_ params: inout ParamReader) throws(ParamFault) {
        self.init(
            filter: try params.optional("filter", Param.filter) ?? Filter(),
            include: try params.optional("include", Param.word(WatchDetail.self)) ?? .meta,
            since: try params.optional("since", Param.cursor), snapshot: try params.optional("snapshot", Param.bool) ?? true,
            echo: try params.optional("echo", Param.bool) ?? true)
    }
}

extension SetPresence {
    /// Reads a selection whose offsets are in UTF-8. The caller sets the encoding of the session.
    init(_ params: inout ParamReader) throws(ParamFault) {
        let note = try params.required("note", Param.nullable(Param.noteID))
        let version = try params.optional("version", Param.version)
        let selection = try params.optional("selection", Param.nullable(Selection.init(stated:))) ?? nil
        guard let note else {
            guard version == nil, selection == nil else {
                throw ParamFault(
                    path: version == nil ? "selection" : "version", reason: "requires a note, but note is null; leave it out"
                )
            }
            self.init(nil)
            return
        }
        guard selection == nil || version != nil else {
            throw ParamFault(path: "version", reason: "is missing; a selection requires the version that it refers to")
        }
        self.init(Position(note: note, version: version, selection: selection))
    }
}

extension Selection {
    /// Reads a selection in a request and rejects unknown members.
    init(stated value: JSONValue) throws(ParamFault) {
        var selection = try ParamReader(value)
        self.init(start: try selection.required("start", Param.offset), end: try selection.required("end", Param.offset))
        try selection.finish()
    }
}

extension ParamReader {
    /// The size of a page of a list.
    mutating func listLimit() throws(ParamFault) -> Int {
        try optional("limit", Param.integer(in: WireProtocol.listLimits)) ?? PageSize.listed
    }
}

extension Param {
    /// The path of a backup: absolute, or a file name.
    fileprivate static func backupPath(_ value: JSONValue) throws(ParamFault) -> ByteString {
        let path = try string(value)
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw ParamFault(path: "", reason: "is empty or contains a NUL byte; send the path of a file")
        }
        let slash = UInt8(ascii: "/")
        guard path.utf8.first == slash || !path.utf8.contains(slash) else {
            throw ParamFault(
                path: "", reason: "is a relative path; send an absolute path, or a file name without slashes")
        }
        return path
    }
}
