import Console
import NoteTasks
import NoteText
import NotesModel
import NotesWire

/// The output of `status`: one fact per line.
struct StatusTable {
    let socket: String
    let now: Timestamp
    let local: (Timestamp) -> CalendarTime
    let style: Style

    func lines(_ status: StatusResult) -> [String] {
        let store = status.store
        var facts = [
            ("daemon", "notesd \(SafeText.line(status.version.description)), \(state(status.state))"),
            ("socket", SafeText.line(socket)),
            ("running since", moment(status.startedAt)),
            ("notes", "\(store.notes)"),
        ]
        if store.tombstones > 0 { facts.append(("deleted", "\(store.tombstones)")) }
        if store.conflicted > 0 { facts.append(("in conflict", style.red("\(store.conflicted)"))) }
        facts += [
            ("revisions", "\(store.revisions)"),
            ("last change", store.lastCommit.map(moment) ?? "none yet"),
            ("purge", store.isScrubbed ? "" : style.red("not yet scrubbed: erased text may still be in the store's files")),
            ("on disk", "\(ByteCount.text(store.storeBytes)), plus \(ByteCount.text(store.walBytes)) of write-ahead log"),
            ("files", status.files.map { $0.count == 0 ? "" : "\($0.count), \(ByteCount.text($0.bytes))" } ?? ""),
            ("connections", "\(status.dependents)"),
            ("store", "\(status.identity.store)"),
            ("replica", "\(status.identity.replica)"),
        ]
        facts.removeAll { $0.1.isEmpty }
        let width = facts.map { $0.0.count }.max() ?? 0
        return facts.map { style.dim(DisplayWidth.fit($0.0, columns: width)) + "  " + $0.1 }
    }

    private func state(_ state: StatusResult.StoreState) -> String {
        switch state {
        case .ok: style.green("ok")
        case .full: style.red("disk full; read-only until there is space")
        case .readOnly: style.red("read-only; it cannot write its store")
        }
    }

    private func moment(_ time: Timestamp) -> String {
        let parts = local(time)
        let ago = RelativeTime.relative(time, now: now, local: parts)
        let suffix = ago == parts.day ? "" : ago == "now" ? " (just now)" : " (\(ago) ago)"
        return "\(parts.day) \(parts.clock)\(suffix)"
    }
}
