import Causality
import NoteText
import NotesModel
import NotesStore

extension NoteCache {
    /// The response to a write whose operation name was executed before: the dot and version of
    /// that write, and the current note. If a purge erased the write, it cannot be recognized, and is
    /// refused.
    ///
    /// - Parameter withSides: whether the response shows the contents of conflicts' sides.
    mutating func replay(
        _ record: OperationRecord, of command: Command, withSides: Bool = true
    ) throws(JournalError) -> Loaded<Response> {
        if record.fingerprint.isEmpty {
            guard let head = try newestHead(of: record.note) else { return .ready(.refused(.noteNotFound)) }
            return .ready(.refused(.revisionGone(record.version, oldest: head.version.dots.last)))
        }
        if case .createNote = command {
            guard let head = try newestHead(of: record.note) else { return .ready(.refused(.noteNotFound)) }
            return .ready(.created(head, replayOf: record.dot))
        }
        var needed = record.version
        if case .undoNote(let undo) = command, let base = undo.base { needed = base.union(needed) }
        let depth = LoadDepth(base: needed)
        if let note = take(record.note) {
            handBack([note])
            if note.covers(needed) { return try replay(record, of: command, on: note, needing: needed, withSides) }
        }
        switch try load(record.note, downTo: depth) {
        case .long(let load): return .long(load)
        case .ready(nil): return .ready(.refused(.noteNotFound))
        case .ready(let note?):
            handBack([note])
            return try replay(record, of: command, on: note, needing: needed, withSides)
        }
    }

    /// The response to a write that was executed and whose response shows the note, as it is now.
    ///
    /// - Parameters:
    ///   - outcome: the outcome, without the merged state.
    ///   - withSides: whether the response shows the contents of conflicts' sides.
    mutating func response(
        to command: Command, _ outcome: Outcome, withSides: Bool = true
    ) throws(JournalError) -> Loaded<Response> {
        let record = OperationRecord(
            key: OperationKey(user: 0, name: ""), fingerprint: [0], note: command.note, dot: outcome.dot,
            version: outcome.version)
        switch try replay(record, of: command, withSides: withSides) {
        case .long(let load): return .long(load)
        case .ready(.wrote(let now, let conflicts, _)):
            let outcome = Outcome(kind: outcome.kind, dot: outcome.dot, version: outcome.version, shown: now.shown)
            return .ready(.wrote(outcome, conflicts: conflicts, isReplay: false))
        // Compaction or a purge removed the version. Then the client keeps what it sent.
        case .ready: return .ready(.wrote(outcome, conflicts: [], isReplay: false))
        }
    }

    /// The response to a repeated write.
    ///
    /// - Parameters:
    ///   - note: the current note, down to the version of the write and the base of an undo as far as
    ///     these are kept.
    ///   - needed: that version and that base.
    private mutating func replay(
        _ record: OperationRecord, of command: Command, on note: Note, needing needed: Version, _ withSides: Bool
    ) throws(JournalError) -> Loaded<Response> {
        var note = note
        guard let sent = Self.sent(by: command, record, on: &note) else {
            return .ready(.refused(.revisionGone(record.version, oldest: note.compactionFloor)))
        }
        let isShown: Bool
        switch command {
        case .deleteNote: isShown = note.isDeleted
        case .undoNote: isShown = note.version == record.version || note.text == note.text(at: record.version)
        case .createNote, .saveNote, .editNote, .purgeNote: isShown = note.text == sent
        }
        let isConflicted = record.dot.map { dot in note.head.conflicts.contains { $0.sides.contains(dot) } } ?? false
        var isReported = note.version != record.version
        if case .undoNote = command { isReported = true }
        let shown = isReported ? Outcome.Merged(note.head, sent: sent, text: note.text) : nil
        let kind: Outcome.Kind = record.dot == nil ? .unchanged : isConflicted ? .conflicted : isShown ? .saved : .merged
        let outcome = Outcome(kind: kind, dot: record.dot, version: record.version, shown: shown)
        guard isReported else { return .ready(.wrote(outcome, conflicts: [], isReplay: true)) }
        guard withSides else {
            return .ready(.wrote(outcome, conflicts: note.head.conflicts.withoutSides, isReplay: true))
        }
        switch try details(in: &note, reaching: needed) {
        case .long(let load): return .long(load)
        case .ready(let conflicts): return .ready(.wrote(outcome, conflicts: conflicts, isReplay: true))
        }
    }

    /// The text that a write sent; nil if only its version determines it and that version was
    /// compacted.
    private static func sent(by command: Command, _ record: OperationRecord, on note: inout Note) -> [UInt8]? {
        if case .undoNote(let undo) = command {
            // The response has edits of the text at the base.
            guard let base = undo.base, note.covers(base) else { return nil }
            return note.text(at: note.reduced(base))
        }
        if note.covers(record.version) { return note.text(at: record.version) }
        switch command {
        case .saveNote(let command): return command.text
        case .deleteNote: return []
        case .createNote, .editNote, .undoNote, .purgeNote: return nil
        }
    }
}
