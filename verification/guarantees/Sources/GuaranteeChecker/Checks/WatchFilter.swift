/// The notes and changes that a watch covers according to the protocol.
struct WatchFilter {
    let ids: Set<String>?
    let prefix: String?
    let tag: String?
    let isConflicted: Bool?
    let isDeleted: Bool
    let isEchoing: Bool
    let isEdits: Bool
    enum Start {
        case snapshot
        case since(String)
        case now
    }
    let start: Start

    init(_ watch: ParsedHistory.Watch, _ call: ParsedHistory.Call) {
        let filter = call.params["filter"]
        ids = filter?["ids"].map { Set($0.elements.compactMap(\.word)) }
        prefix = filter?["prefix"]?.word
        tag = filter?["tag"]?.word
        isConflicted = filter?["conflicted"]?.flag
        isDeleted = filter?["deleted"]?.flag ?? false
        isEchoing = call.params["echo"]?.flag ?? true
        isEdits = call.params["include"]?.word == "edits"
        if let cursor = call.params["since"]?.word {
            start = watch.isReset ? .snapshot : .since(cursor)
        } else {
            start = call.params["snapshot"]?.flag == false ? .now : .snapshot
        }
    }

    /// Whether the watch reports every change of a note, whatever its state.
    func coversAllChanges(of note: String) -> Bool {
        prefix == nil && tag == nil && isConflicted == nil && !isDeleted && ids?.contains(note) ?? true
    }

    func matches(_ note: String, _ facts: ParsedHistory.Facts) -> Bool {
        if let ids, !ids.contains(note) { return false }
        if let prefix, !(facts.name.map { Array($0.utf8).starts(with: prefix.utf8) } ?? false) { return false }
        if let tag, !facts.tags.contains(tag) { return false }
        if let isConflicted, facts.conflicts.isEmpty == isConflicted { return false }
        return facts.isDeleted == isDeleted
    }
}
