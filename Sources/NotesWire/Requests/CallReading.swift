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
        case .ping: .ping
        case .discover: .discover
        case .createNote: .createNote(try CreateParams(&params))
        case .getNote: .getNote(try GetParams(&params))
        case .listNotes: .listNotes(try ListParams(&params))
        case .listTags: .listTags(try TagsParams(&params))
        case .listRevisions: .listRevisions(try RevisionsParams(&params))
        case .knownRevisions: .knownRevisions
        case .watchRevisions: .watchRevisions(try WatchRevisionsParams(&params))
        case .proceed: .proceed(try ProceedParams(&params))
        case .adopt: .adopt(try AdoptParams(&params))
        case .listPeers: .listPeers
        case .forgetPeer: .forgetPeer(try ForgetPeerParams(&params))
        case .incomingLinks: .incomingLinks(try IncomingLinksParams(&params))
        case .missingLinks: .missingLinks(try MissingLinksParams(&params))
        case .resolveLinks: .resolveLinks(try ResolveLinksParams(&params))
        case .search: .search(try SearchParams(&params))
        case .saveNote: .saveNote(try SaveParams(&params))
        case .editNote: .editNote(try EditParams(&params))
        case .deleteNote: .deleteNote(try DeleteParams(&params))
        case .undoNote: .undoNote(try UndoParams(&params))
        case .purgeNote: .purgeNote(try PurgeParams(&params))
        case .history: .history(try HistoryParams(&params))
        case .watch: .watch(try WatchParams(&params))
        case .unwatch: .unwatch(try UnwatchParams(&params))
        case .setPresence: .setPresence(try PresenceParams(&params))
        case .listDependents: .listDependents
        case .status: .status
        case .audit: .audit
        case .config: .config
        case .backup: .backup(try BackupParams(&params))
        case .metrics: .metrics
        }
    }
}

extension HelloParams {
    init(_ params: inout ParamReader) throws(ParamFault) {
        protocols = try params.required("protocol", Param.array(Param.integer))
        client = try params.required("client") { (value) throws(ParamFault) in
            var client = try ParamReader(value)
            let name = try client.required("name", Param.label)
            let version = try client.optional("version", Param.label)
            try client.finish()
            return ClientInfo(name: name, version: version)
        }
        label = try params.optional("label", Param.label)
        let words = try params.optional("positionEncoding", Param.array(Param.string)) ?? []
        positionEncodings = words.compactMap { word in
            PositionEncoding.allCases.first { $0.rawValue.utf8.elementsEqual(word.utf8) }
        }
    }
}

extension CreateParams {
    init(_ params: inout ParamReader) throws(ParamFault) {
        text = try params.required("text", Param.text)
        name =
            try params.optional("name") { (value) throws(ParamFault) in
                value.isNull ? nil : try Param.string(value)
            } ?? nil
        id = try params.optional("id", Param.noteID)
        op = try params.optional("op", Param.operation)
        times = try params.optional("times", Param.fileTimes)
    }
}

extension GetParams {
    init(_ params: inout ParamReader) throws(ParamFault) {
        let id = try params.optional("id", Param.noteID)
        let name = try params.optional("name", Param.string)
        switch (id, name) {
        case (let id?, nil): subject = .id(id)
        case (nil, let name?): subject = .name(name)
        case (nil, nil): throw ParamFault(path: "", reason: "must contain either id or name")
        case (_?, _?): throw ParamFault(path: "name", reason: "cannot be combined with id; send one of the two")
        }
        at = try params.optional("at", Param.version)
        from = try params.optional("from", Param.version)
    }
}

extension ListParams {
    init(_ params: inout ParamReader) throws(ParamFault) {
        filter = try params.optional("filter", Param.filter) ?? Filter()
        limit = try params.optional("limit", Param.integer(in: WireProtocol.listLimits)) ?? WireProtocol.listLimitDefault
        let order = try params.optional("order", Param.word(ListPlace.Order.self)) ?? .name
        place = try params.optional("after", Param.listPlace(in: order)) ?? ListPlace(startOf: order)
    }
}

extension TagsParams {
    init(_ params: inout ParamReader) throws(ParamFault) {
        prefix = try params.optional("prefix", Param.string) ?? ""
        limit = try params.optional("limit", Param.integer(in: WireProtocol.listLimits)) ?? WireProtocol.listLimitDefault
        after = try params.optional("after", Param.string)
    }
}

extension RevisionsParams {
    init(_ params: inout ParamReader) throws(ParamFault) {
        filter = RevisionFilter(
            author: try params.optional("author", Param.label), since: try params.optional("since", Param.timestamp))
        limit = try params.optional("limit", Param.integer(in: WireProtocol.listLimits)) ?? WireProtocol.listLimitDefault
        before = try params.optional("after", Param.commit)
    }
}

extension SearchParams {
    init(_ params: inout ParamReader) throws(ParamFault) {
        query = try params.required("query", Param.searchQuery)
        limit = try params.optional("limit", Param.integer(in: WireProtocol.searchLimits)) ?? WireProtocol.searchLimitDefault
        after = try params.optional("after", Param.searchPosition)
    }
}

extension SaveParams {
    init(_ params: inout ParamReader) throws(ParamFault) {
        id = try params.required("id", Param.noteID)
        base = try params.optional("base", Param.version)
        text = try params.optional("text", Param.text)
        name =
            try params.optional("name") { (value) throws(ParamFault) in
                value.isNull ? NameRequest.clear : .set(try Param.string(value))
            } ?? .leave
        resolves = try params.optional("resolves", Param.array(Param.conflictID))
        op = try params.optional("op", Param.operation)
        times = try params.optional("times", Param.changedFileTimes)
        guard text != nil || name != .leave || resolves != nil else {
            throw ParamFault(path: "", reason: "must contain at least one of text, name and resolves")
        }
    }
}

extension EditParams {
    init(_ params: inout ParamReader) throws(ParamFault) {
        id = try params.required("id", Param.noteID)
        base = try params.optional("base", Param.version)
        edits = try params.required("edits", Param.array(Param.edit))
        resolves = try params.optional("resolves", Param.array(Param.conflictID))
        op = try params.optional("op", Param.operation)
    }
}

extension DeleteParams {
    init(_ params: inout ParamReader) throws(ParamFault) {
        id = try params.required("id", Param.noteID)
        base = try params.optional("base", Param.version)
        op = try params.optional("op", Param.operation)
    }
}

extension PurgeParams {
    init(_ params: inout ParamReader) throws(ParamFault) {
        id = try params.required("id", Param.noteID)
        base = try params.optional("base", Param.version)
        op = try params.optional("op", Param.operation)
    }
}

extension UndoParams {
    init(_ params: inout ParamReader) throws(ParamFault) {
        id = try params.required("id", Param.noteID)
        base = try params.optional("base", Param.version)
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

extension HistoryParams {
    init(_ params: inout ParamReader) throws(ParamFault) {
        id = try params.required("id", Param.noteID)
        limit = try params.optional("limit", Param.integer(in: WireProtocol.listLimits)) ?? WireProtocol.listLimitDefault
        before = try params.optional("before", Param.dot)
    }
}

extension WatchParams {
    init(_ params: inout ParamReader) throws(ParamFault) {
        filter = try params.optional("filter", Param.filter) ?? Filter()
        include = try params.optional("include", Param.word(Include.self)) ?? .meta
        since = try params.optional("since", Param.cursor)
        snapshot = try params.optional("snapshot", Param.bool) ?? true
        echo = try params.optional("echo", Param.bool) ?? true
    }
}

extension UnwatchParams {
    init(_ params: inout ParamReader) throws(ParamFault) {
        watch = UInt64(try params.required("watch", Param.integer(in: 1...Int(WireProtocol.integers.upperBound))))
    }
}

extension PresenceParams {
    init(_ params: inout ParamReader) throws(ParamFault) {
        let note = try params.required("note", Param.nullable(Param.noteID))
        let version = try params.optional("version", Param.version)
        let selection = try params.optional("selection", Param.nullable(SelectionObject.init(stated:))) ?? nil
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

extension BackupParams {
    init(_ params: inout ParamReader) throws(ParamFault) {
        path = try params.optional("path") { (value) throws(ParamFault) in
            let path = try Param.string(value)
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
}
