/// What `--json` writes, field by field: what `--json=FIELDS` and `--format` may name, and what the help says of them.
extension Record {
    static let note = Record(
        "notes",
        [
            "id": "the note's id", "name": "its name, or null", "version": "what its text covers: the base to save on",
            "title": "its first line, for people", "tags": "its tags, without #, sorted", "created": "when, in UTC",
            "modified": "when, in UTC", "author": "who wrote last: user and label", "bytes": "size of the text",
            "deleted": "whether it is deleted", "conflicts": "those that are open", "text": "the text (show only)",
            "siblings": "its newest revisions (show only)", "vector": "what each replica made (show only)",
            "base": "what edits start from (diff only)", "edits": "what differs (diff only)",
        ])
    static let outcome = Record(
        "outcomes of a write",
        [
            "outcome": "saved, merged, conflicted or unchanged", "dot": "the revision that was made",
            "version": "the version that was made", "note": "what the note shows, where that is not what was sent",
            "replayed": "true where it had been done before",
        ])
    static let revision = Record(
        "revisions",
        [
            "dot": "the revision", "parents": "what it was written on", "version": "for show --at and save --base",
            "author": "who wrote it: user and label", "modified": "when, in UTC", "bytes": "size of its text",
            "deleted": "whether it deleted the note", "name": "what the note was called", "kind": "saved or edited",
            "compacted": "true where its text is kept no more",
        ])
    static let logged = Record("revisions of all notes", ["note": "the note's id", "revision": "as history has it"])
    static let conflict = Record(
        "conflicts",
        [
            "id": "the conflict", "kind": "text, name or delete", "range": "where it is in the text, in bytes: start and end",
            "base": "what stood there before", "sides": "who wrote what",
        ])
    static let event = Record(
        "events",
        [
            "event": "started, changed, synced, bookmark, reset or interrupted", "cursor": "for --since",
            "change": "created, edited, deleted, ...", "note": "the note, as list has it", "origin": "whose connection made it",
            "coalesced": "how many changes it stands for", "resumed": "of started", "reset": "of started", "reason": "of reset",
        ])
    static let imported = Record(
        "files",
        [
            "path": "the file, below DIR", "outcome": "created, saved, merged, conflicted, unchanged or left",
            "id": "the note", "reason": "why it was left",
        ])
    static let exported = Record(
        "files", ["path": "the file, below DIR", "id": "the note", "outcome": "written or left", "reason": "why it was left"])
    static let status = Record(
        "the daemon",
        [
            "version": "the daemon's", "store": "the store's id", "replica": "of this run", "startedAt": "when, in UTC",
            "notes": "how many", "tombstones": "deleted notes", "revisions": "how many", "conflicted": "notes in conflict",
            "dependents": "connections", "commits": "how many", "lastCommitAt": "when, or null", "storeBytes": "on disk",
            "walBytes": "of the write-ahead log", "state": "ok, full or read_only",
        ])
    static let audit = Record(
        "the audit",
        [
            "ok": "whether all is well", "notes": "how many were read", "revisions": "how many were read",
            "findings": "what is not as it should be", "waiting": "revisions that wait for others",
            "compacted": "texts that are kept no more",
        ])
    static let hit = Record(
        "notes that were found",
        [
            "note": "the note, as list has it", "snippet": "a piece of its text",
            "ranges": "what was found in the snippet, in bytes",
        ])
    static let setting = Record(
        "settings",
        [
            "key": "as in the configuration file", "value": "as it would stand there, or null", "source": "where it was said",
            "reloadable": "whether it is taken over on reload", "pending": "what the next start will take over, or null",
        ])
    static let backup = Record("the backup", ["path": "the file", "bytes": "how many it has"])
    static let metrics = Record("metrics", ["text": "OpenMetrics"])
    static let tag = Record("tags", ["tag": "without #", "notes": "how many notes have it"])
    static let operation = Record(
        "commands",
        [
            "op": "its id", "time": "when, in UTC", "command": "what was typed first", "undoes": "the command that it took back",
            "changes": "what it wrote: note and dot",
        ])
    static let finding = Record(
        "findings",
        ["check": "what was looked at", "severity": "ok, note or fault", "what": "what was found", "todo": "what to do"])
}

extension New { static let records = [Record.note] }
extension List { static let records = [Record.note] }
extension Search { static let records = [Record.hit] }
extension Config.Show { static let records = [Record.setting] }
extension Backup { static let records = [Record.backup] }
extension Metrics { static let records = [Record.metrics] }
extension Show { static let records = [Record.note] }
extension Diff { static let records = [Record.note] }
extension Edit { static let records = [Record.outcome, .note] }
extension Append { static let records = [Record.outcome] }
extension Save { static let records = [Record.outcome] }
extension FilterNote { static let records = [Record.outcome] }
extension Move { static let records = [Record.outcome] }
extension Remove { static let records = [Record.outcome] }
extension Undo { static let records = [Record.outcome] }
extension Revert { static let records = [Record.outcome] }
extension Resolve { static let records = [Record.outcome] }
extension Tags { static let records = [Record.tag] }
extension History { static let records = [Record.revision] }
extension Log { static let records = [Record.logged] }
extension OperationLog { static let records = [Record.operation] }
extension OperationUndo { static let records = [Record.outcome] }
extension Watch { static let records = [Record.event] }
extension Conflicts { static let records = [Record.note, .conflict] }
extension Import { static let records = [Record.imported] }
extension Export { static let records = [Record.exported] }
extension Status { static let records = [Record.status] }
extension Audit { static let records = [Record.audit] }
extension Doctor { static let records = [Record.finding] }
