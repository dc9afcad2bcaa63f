import Causality
import NoteText
package import NotesMethods
import NotesModel
import StrictJSON
import TextMerge

extension Call {
    /// The request line, including its LF. Params at their defaults are left out.
    ///
    /// - Parameter id: nil if the client wants no response, which only some methods allow
    ///   (`Method.Traits.unanswered`).
    package func line(id: RequestID?) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { line in
            line.member("jsonrpc", "2.0")
            if let id {
                line.name("id")
                id.write(to: &line)
            }
            line.member("method", method.name)
            line.name("params")
            line.object(writeParams)
        }
        writer.endLine()
        return writer.bytes
    }

    private func writeParams(to params: inout JSONWriter) {
        switch self {
        case .hello(let hello): hello.writeMembers(to: &params)
        case .limit(let limits): limits.writeMembers(to: &params)
        case .write(.createNote(let create)): create.writeMembers(to: &params)
        case .write(.saveNote(let save)): save.writeMembers(to: &params)
        case .write(.editNote(let edit)): edit.writeMembers(to: &params)
        case .write(.deleteNote(let delete)): delete.writeMembers(to: &params)
        case .write(.undoNote(let undo)): undo.writeMembers(to: &params)
        case .write(.purgeNote(let purge)): purge.writeMembers(to: &params)
        case .get(let get): get.writeMembers(to: &params)
        case .list(let list): list.writeMembers(to: &params)
        case .listTags(let list): list.writeMembers(to: &params)
        case .listRevisions(let list): list.writeMembers(to: &params)
        case .history(let history): history.writeMembers(to: &params)
        case .search(let search): search.writeMembers(to: &params)
        case .links(.incoming(let links)): links.writeMembers(to: &params)
        case .links(.missing(let links)): links.writeMembers(to: &params)
        case .links(.resolve(let links)): links.writeMembers(to: &params)
        case .watch(let watch): watch.writeMembers(to: &params)
        case .unwatch(let watch): params.member("watch", watch.number)
        case .setPresence(let presence): presence.writeMembers(to: &params)
        case .file(let request): request.writeMembers(to: &params)
        case .knownRevisions(let digests): if !digests.isEmpty { params.member("digests", digests) }
        case .watchRevisions(let watch): watch.writeMembers(to: &params)
        case .proceed(let proceed): proceed.writeMembers(to: &params)
        case .completeRevisions(let dots): params.member("dots", dots)
        case .adopt(let adopt): adopt.writeMembers(to: &params)
        case .forgetPeer(let store): params.member("store", store)
        case .listHeld(let list): list.writeMembers(to: &params)
        case .dropHeld(let dots):
            params.name("dots")
            params.array(of: dots) { $0.string($1) }
        case .auditing(let files): if files { params.member("files", true) }
        case .backup(let path): if let path { params.member("path", path) }
        // The others have no params; `RequestTests` reads every call that a line is written for.
        default: break
        }
    }
}

extension CreateNote {
    fileprivate func writeMembers(to params: inout JSONWriter) {
        if let file {
            params.name("file")
            file.write(to: &params)
        } else {
            params.member("text", text: text)
        }
        if let name { params.member("name", name) }
        if isIDChosen { params.member("id", id) }
        if let op { params.member("op", op) }
        if let times { params.member("times", times) }
    }
}

extension GetNote {
    fileprivate func writeMembers(to params: inout JSONWriter) {
        switch key {
        case .id(let id): params.member("id", id)
        case .name(let name): params.member("name", name)
        }
        if let at { params.member("at", at) }
        if let from { params.member("from", from) }
    }
}

extension ListNotes {
    fileprivate func writeMembers(to params: inout JSONWriter) {
        filter.writeMember(to: &params)
        if limit != PageSize.listed { params.member("limit", limit) }
        if place.order != .name { params.member("order", place.order.rawValue) }
        if let after = ListToken.text(place) { params.member("after", after) }
    }
}

extension ListTags {
    fileprivate func writeMembers(to params: inout JSONWriter) {
        if !prefix.isEmpty { params.member("prefix", prefix) }
        if limit != PageSize.listed { params.member("limit", limit) }
        if let after { params.member("after", after) }
    }
}

extension ListRevisions {
    fileprivate func writeMembers(to params: inout JSONWriter) {
        if let author = filter.author { params.member("author", author) }
        if let since = filter.since { params.member("since", since) }
        if limit != PageSize.listed { params.member("limit", limit) }
        if let before { params.member("after", ByteString("\(before)")) }
    }
}

extension SearchNotes {
    fileprivate func writeMembers(to params: inout JSONWriter) {
        params.member("query", query.text)
        params.member(kind: kind)
        if limit != PageSize.found { params.member("limit", limit) }
        if let after { params.member("after", SearchToken.text(after)) }
    }
}

extension SaveNote {
    fileprivate func writeMembers(to params: inout JSONWriter) {
        params.member("id", id)
        if let base { params.member("base", base) }
        if let text { params.member("text", text: text) }
        if let file {
            params.name("file")
            file.write(to: &params)
        }
        switch name {
        case .leave: break
        case .clear: params.member("name", ByteString?.none)
        case .set(let name): params.member("name", name)
        }
        // A save with neither text nor name resolves conflicts, though none may be named.
        if !resolves.isEmpty || text == nil && file == nil && name == .leave { params.member("resolves", resolves) }
        if let op { params.member("op", op) }
        if let times { params.member("times", times) }
    }
}

extension EditNote {
    fileprivate func writeMembers(to params: inout JSONWriter) {
        params.member("id", id)
        if let base { params.member("base", base) }
        params.member("edits", edits)
        if !resolves.isEmpty { params.member("resolves", resolves) }
        if let op { params.member("op", op) }
    }
}

extension DeleteNote {
    fileprivate func writeMembers(to params: inout JSONWriter) {
        params.member("id", id)
        if let base { params.member("base", base) }
        if let op { params.member("op", op) }
    }
}

extension PurgeNote {
    fileprivate func writeMembers(to params: inout JSONWriter) {
        params.member("id", id)
        if let base { params.member("base", base) }
        if let op { params.member("op", op) }
    }
}

extension UndoNote {
    fileprivate func writeMembers(to params: inout JSONWriter) {
        params.member("id", id)
        if let base { params.member("base", base) }
        if !revisions.isEmpty {
            params.name("revisions")
            params.array(of: revisions) { $0.string($1) }
        }
        if !ops.isEmpty {
            params.name("ops")
            params.array(of: ops) { $0.string($1.utf8) }
        }
        if let op { params.member("op", op) }
        if let times { params.member("times", times) }
        if isPreview { params.member("preview", true) }
    }
}

extension ReadHistory {
    fileprivate func writeMembers(to params: inout JSONWriter) {
        params.member("id", id)
        if limit != PageSize.listed { params.member("limit", limit) }
        if let before { params.member("before", before) }
    }
}

extension WatchNotes {
    fileprivate func writeMembers(to params: inout JSONWriter) {
        filter.writeMember(to: &params)
        if include != .meta { params.member("include", include.rawValue) }
        if let since { params.member("since", since) }
        if !snapshot { params.member("snapshot", false) }
        if !echo { params.member("echo", false) }
    }
}

extension SetPresence {
    fileprivate func writeMembers(to params: inout JSONWriter) {
        params.member("note", place?.note)
        if let version = place?.version { params.member("version", version) }
        guard let selection = place?.selection else { return }
        params.name("selection")
        selection.write(to: &params)
    }
}

extension Filter {
    /// Writes the member `filter`, unless the filter matches every note that is not deleted.
    fileprivate func writeMember(to params: inout JSONWriter) {
        guard self != Filter() else { return }
        params.name("filter")
        params.object { filter in
            if let ids {
                filter.name("ids")
                filter.array(of: ids.sorted()) { $0.string($1) }
            }
            if let prefix { filter.member("prefix", prefix) }
            if let tag { filter.member("tag", tag) }
            if let conflicted { filter.member("conflicted", conflicted) }
            if deleted { filter.member("deleted", true) }
            filter.member(kind: kind)
        }
    }
}

extension JSONWriter {
    fileprivate mutating func member(_ name: StaticString, _ conflicts: [ConflictID]) {
        self.name(name)
        array(of: conflicts) { $0.string($1) }
    }
}
