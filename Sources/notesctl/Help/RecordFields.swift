/// The fields that `--json` prints, that `--json=FIELDS` and `--format` can name, and that the help
/// describes.
extension Record {
    static let note = Record(
        "notes",
        [
            "id": "the note's id", "name": "its name, or null", "version": "the version of its text: the base for a save",
            "title": "its first line", "tags": "its tags, without #, sorted", "created": "time of its creation, in UTC",
            "modified": "time of its last change, in UTC", "author": "the last writer: user and label",
            "bytes": "size of its text",
            "deleted": "whether it is deleted", "conflicts": "its open conflicts", "text": "its text (show only)",
            "siblings": "its newest revisions (show only)",
            "vector": "newest counter of each replica (show only)",
            "base": "the version that edits start from (diff only)", "edits": "the differences (diff only)",
        ])
    static let outcome = Record(
        "outcomes of a write",
        [
            "outcome": "saved, merged, conflicted or unchanged", "dot": "the new revision",
            "version": "the version of the text sent", "note": "the merged note, if it differs from that",
            "replayed": "true if an earlier request had already made the write",
        ])
    static let purge = Record(
        "the purge",
        [
            "dot": "the revision of the purge", "version": "the version at which the history begins now",
            "beyond": "places that may have the erased texts: place, and path for a backup",
            "replayed": "true if an earlier request had already purged the note",
        ])
    static let revision = Record(
        "revisions",
        [
            "dot": "the revision", "parents": "the revisions it is based on",
            "version": "its version, for show --at and save --base",
            "author": "its writer: user and label", "modified": "its time, in UTC", "bytes": "size of its text",
            "deleted": "whether the note was deleted then", "name": "the note's name then, or null",
            "kind": "saved, edited, undo or purge",
            "compacted": "true if compaction removed its text", "withdraws": "the revisions that it undid",
            "withdrawn": "true if it was undone", "resolves": "the conflicts that it named as resolved",
        ])
    static let logged = Record("revisions of all notes", ["note": "the note's id", "revision": "the revision, as in history"])
    static let conflict = Record(
        "conflicts",
        [
            "id": "the conflict's id", "kind": "text, name or deletion",
            "range": "its place in the text, in bytes: start and end",
            "base": "what all sides started from", "sides": "what each side wrote",
        ])
    static let event = Record(
        "events",
        [
            "event": "started, changed, presence, synced, bookmark, reset or interrupted", "cursor": "the cursor, for --since",
            "change": "created, edited, deleted, ...", "note": "the note, as in list",
            "origin": "the connection that made the change",
            "coalesced": "number of changes in it, if several",
            "resumed": "whether it is a reconnect (started only)", "reset": "whether all notes follow (started only)",
            "reason": "the reason (reset only)",
        ])
    static let imported = Record(
        "files",
        [
            "path": "the file, relative to DIR",
            "outcome": "created, saved, merged, conflicted, unchanged, deleted, or left for a skipped file",
            "id": "the note's id", "reason": "why it was skipped",
        ])
    static let exported = Record(
        "files",
        [
            "path": "the file, relative to DIR", "id": "the note's id",
            "outcome": "written, unchanged, removed, or left for a skipped note",
            "reason": "why it was skipped",
        ])
    static let mirrored = Record(
        "changes",
        [
            "path": "the file, relative to DIR",
            "change":
                "created, saved, merged, renamed, deleted, written, removed, kept, left, or held; approved for `mirror approve`",
            "id": "the note's id", "to": "the new path (renamed only)", "reason": "why it was skipped or is held",
        ])
    static let mirroredFolder = Record(
        "folders",
        [
            "path": "the folder", "prefix": "what the names begin with and the paths leave out, or null",
            "running": "whether a mirror is running on it", "inStep": "whether nothing waits",
            "looked": "time of the recorded look, in UTC", "lastInStep": "last time nothing waited, or null",
            "notes": "number of notes", "files": "number of recorded files", "conflicts": "number of notes in conflict",
            "failure": "why the last look failed, or null",
            "set": "digest of the removals that are not approved, for `mirror approve --set`, or null",
            "waiting": "what is not in step: path, kind, reason, and for removals id and approved",
        ])
    static let forgottenFolder = Record("the folder", ["path": "the folder", "files": "number of recorded files"])
    static let mirrorService = Record("the service", ["path": "the folder", "unit": "the name of the unit"])
    static let duplicate = Record(
        "notes that share a name",
        [
            "id": "the note's id", "name": "its name", "bytes": "size of its text",
            "equal": "whether its text equals that of the first note of the name",
        ])
    static let peer = Record(
        "a peer",
        [
            "name": "the peer's name", "store": "the id of its store", "address": "its address; empty if it was set up there",
            "missing": "number of revisions that it does not hold; null if it was never met", "state": "the state, for people",
        ])
    static let held = Record(
        "held revisions",
        [
            "note": "the id of its note, which the store may lack", "dot": "the revision",
            "reason": "why it was not accepted, or null while it waits for its parents",
            "author": "its writer as the other machine states it: user and label", "modified": "its time, in UTC",
            "inserts": "the text that it inserts (list: its first 200 bytes)",
            "bytes": "number of bytes that it inserts",
        ])
    static let file = Record(
        "files (--missing, --declined, --unnamed)",
        [
            "sha256": "the hash of its bytes", "bytes": "number of its bytes", "notes": "ids of at most three notes that name it",
        ])
    static let device = Record(
        "a device",
        [
            "name": "its name", "readOnly": "whether it only reads", "note": "the only note that it reaches, or null",
            "pictures": "whether a guest sees the pictures of the note",
            "until": "when its rights end, or null", "signedIn": "when it signed in", "used": "when it was last used, to an hour",
            "from": "the address from which it was last used",
        ])
    static let dropped = Record("the result", ["dropped": "number of revisions removed"])
    static let status = Record(
        "the daemon",
        [
            "version": "the daemon's version", "store": "the store's id", "replica": "the replica id of this run",
            "startedAt": "time of the start, in UTC",
            "notes": "number of notes", "tombstones": "number of deleted notes", "revisions": "number of revisions",
            "conflicted": "number of notes in conflict",
            "dependents": "number of connections", "commits": "number of commits",
            "lastCommitAt": "time of the last commit, or null", "storeBytes": "size of the store",
            "walBytes": "size of the write-ahead log",
            "files": "count and bytes of the files that are here; absent if the daemon keeps none",
            "state": "ok, full or read_only",
        ])
    static let audit = Record(
        "the audit",
        [
            "ok": "whether there are no findings", "notes": "number of notes read", "revisions": "number of revisions read",
            "findings": "the faults", "waiting": "revisions that wait for their parents, by note",
            "quarantined": "revisions of other machines that were not accepted",
            "compacted": "number of revisions whose texts compaction removed",
        ])
    static let hit = Record(
        "notes that were found",
        [
            "note": "the note, as in list", "snippet": "an excerpt of its text",
            "ranges": "the matches in the snippet, in bytes",
        ])
    static let setting = Record(
        "settings",
        [
            "key": "the key in the configuration file", "value": "the value in its syntax, or null",
            "source": "where the value comes from",
            "reloadable": "whether a reload applies changes",
            "pending": "the value after the next start, or null",
        ])
    static let backup = Record("the backup", ["path": "the file", "bytes": "its size"])
    static let metrics = Record(
        "metrics", ["text": "the metrics, in the text format of Prometheus, or with --openmetrics in that of OpenMetrics"])
    static let tag = Record("tags", ["tag": "the tag, without #", "notes": "number of notes with it"])
    static let link = Record(
        "links",
        [
            "direction": "to or from NOTE", "id": "the linking note or the note that the link means, or null",
            "name": "that note's name, or null", "kind": "wiki, embed, path or id", "target": "the target",
            "fragment": "the text after #, or null", "snippet": "the line of a link to NOTE, or null",
        ])
    static let missingTarget = Record(
        "targets of --missing",
        [
            "kind": "wiki, embed, path or id", "target": "the target", "links": "number of links",
            "notes": "ids of up to three notes with such a link",
        ])
    static let operation = Record(
        "commands",
        [
            "op": "its id", "time": "its time, in UTC", "command": "the command's name",
            "undoes": "the id of the command that it undid, or null",
            "author": "the author whose writes it undid, or null",
            "changes": "the revisions it wrote: note and dot",
        ])
    static let finding = Record(
        "findings",
        ["check": "what was checked", "severity": "ok, note or fault", "what": "the finding", "todo": "the remedy, or null"])
}
