import Causality
import Console
import NoteTasks
import NoteText
import NotesClient
import NotesModel
import NotesWire
import StrictJSON
import TextMerge

/// The tools that change notes. Each change of a note is based on the version that the agent names.
extension ToolRunner {
    func create(_ arguments: JSONValue) async throws -> ToolResult {
        let name = string(arguments, "name")
        let text = text(arguments, "text") ?? []
        try scope.check(name: try name.map(checked), text: text)
        let made: NoteObject
        do {
            made = try await client.begin(text: text, name: name, at: Clock.now()).note
        } catch ClientError.refused(let refusal) where refusal.kind == .noteExists {
            throw try await nameIsTaken(name)
        }
        writes.add(made.head.version.single, in: made.head.id)
        return .success(Array("created: \(line(made))".utf8)) { result in
            writeName(of: made.head, to: &result)
            result.member("version", made.head.version.description)
        }
    }

    /// The failure of a creation whose name another note has. A note outside of the scope is not described.
    func nameIsTaken(_ name: ByteString?) async throws -> ToolFailure {
        guard let name, let other = try await get(.name(name)) else {
            return ToolFailure("the name is taken, so nothing was created; choose another")
        }
        return ToolFailure("the name is taken, so nothing was created: \(line(other))")
    }

    func edit(_ arguments: JSONValue) async throws -> ToolResult {
        let base = try await base(arguments)
        let passages = (arguments["edits"]?.elements).map { Array($0) } ?? []
        let wanted = passages.map { passage in
            Passage(
                old: passage["old"]?.utf8 ?? [], new: passage["new"]?.utf8 ?? [], count: integer(passage, "count") ?? 1)
        }
        let edits: [Edit]
        do throws(PassageFault) {
            edits = try Passages.edits(wanted, in: base.text)
        } catch {
            throw Self.failure(error, wanted, in: base.text)
        }
        let text = edits.applied(to: base.text)
        try scope.check(name: base.head.name, text: text)
        // `count` writes one argument many times.
        let written = edits.reduce(0) { $0 + $1.replacement.count }
        if let refusal = writes.budget.refusal(ofFurtherBytes: written - arguments.source.count) { throw ToolFailure(refusal) }
        let op = operation(.editNote, base, wanted.flatMap { [$0.old, $0.new] })
        let outcome = try await client.change(base.head.id, base: base.version, from: base.text, to: text, op: op)
        await show(base.head.id, at: outcome.version, place: edits.first.map { $0.start..<$0.start + $0.replacement.count })
        return try await report(outcome, of: .editNote, on: base, sent: text)
    }

    func append(_ arguments: JSONValue) async throws -> ToolResult {
        let base = try await base(arguments)
        let (added, heading) = (text(arguments, "text") ?? [], text(arguments, "under"))
        guard !added.isEmpty else { throw ToolFailure("text is empty; nothing was changed") }
        guard let edit = Passages.addition(added, to: base.text, under: heading) else {
            throw ToolFailure(
                "the note does not have exactly one heading \(SafeText.quoted(String(decoding: heading ?? [], as: UTF8.self))); "
                    + "give the words of a heading line without its # marks; nothing was changed")
        }
        let text = [edit].applied(to: base.text)
        try scope.check(name: base.head.name, text: text)
        // An edit and not a save, so that additions at one place are no conflict.
        let outcome = try await client.edit(
            base.head.id, base: base.version,
            edits: [PositionedEdit(start: edit.start, end: edit.end, text: edit.replacement)],
            op: operation(.appendToNote, base, [added, heading ?? []]))
        await show(base.head.id, at: outcome.version, place: edit.start..<edit.start + edit.replacement.count)
        return try await report(outcome, of: .appendToNote, on: base, sent: text)
    }

    func rename(_ arguments: JSONValue) async throws -> ToolResult {
        let base = try await base(arguments)
        let name = string(arguments, "name") ?? ""
        try scope.check(name: try checked(name), text: base.text)
        let params = SaveNote(
            id: base.head.id, base: base.version, name: .set(name), op: operation(.renameNote, base, [name.utf8]))
        let outcome: OutcomeResult
        do {
            outcome = try await client.save(params)
        } catch ClientError.refused(let refusal) where refusal.kind == .noteExists {
            // The refusal names the other note, which does not exist for the agent if it is outside of the scope.
            guard try await get(.name(name)) == nil else { throw ClientError.refused(refusal) }
            throw ToolFailure("the name is taken, so nothing was changed; choose another")
        }
        return try await report(outcome, of: .renameNote, on: base, sent: base.text)
    }

    func delete(_ arguments: JSONValue) async throws -> ToolResult {
        let base = try await base(arguments)
        let outcome = try await client.delete(base.head.id, base: base.version, op: operation(.deleteNote, base, []))
        return try await report(outcome, of: .deleteNote, on: base, sent: [])
    }

    func checked(_ name: ByteString) throws(ToolFailure) -> NoteName {
        do { return try NoteName(name) } catch { throw ToolFailure("\(SafeText.quoted("\(name)")): \(error)") }
    }

    /// A note at the version that the agent read.
    struct Base {
        let head: Head
        let version: Version
        let text: [UInt8]
    }

    /// The note and the version that the arguments name.
    func base(_ arguments: JSONValue) async throws -> Base {
        guard let version = try version(arguments, "version") else { throw ToolFailure("version is missing") }
        let now = try await note(arguments)
        if now.head.isDeleted { throw ToolFailure(Self.deleted) }
        if now.head.version == version { return Base(head: now.head, version: version, text: now.text ?? []) }
        let then = try await client.note(.id(now.head.id), at: version)
        return Base(head: now.head, version: version, text: then.text ?? [])
    }

    private static func failure(_ fault: PassageFault, _ passages: [Passage], in text: [UInt8]) -> ToolFailure {
        switch fault {
        case .empty(let index): return ToolFailure("edits[\(index)].old is empty; append_to_note adds text; nothing was changed")
        case .overlaps(let index):
            return ToolFailure("edits[\(index)].old overlaps another passage; join the two edits; nothing was changed")
        case .occurs(let index, 0):
            let near = Passages.nearest(to: passages[index].old, in: text)
            let lines = near.map { "\n  line \($0.number): \(String(decoding: $0.text, as: UTF8.self))" }.joined()
            return ToolFailure(
                "edits[\(index)].old does not occur in the note at that version; nothing was changed"
                    + (near.isEmpty ? "; read the note again" : ". The nearest lines:\(lines)"))
        case .occurs(let index, let times):
            let shown = times > Passages.countMax ? "more than \(Passages.countMax)" : "\(times)"
            return ToolFailure(
                "edits[\(index)].old occurs \(shown) times, not \(passages[index].count); add text around it, or give count; "
                    + "nothing was changed")
        }
    }

    /// The `op` of a write. The same call in the same session has the same `op`, so the daemon makes the
    /// change once; a call of another session is another change.
    func operation(_ tool: ContextTool, _ base: Base, _ arguments: [[UInt8]]) -> ByteString {
        var writer = JSONWriter()
        writer.array { parts in
            for part in [writes.session, tool.rawValue, base.head.id.description, base.version.description] { parts.string(part) }
            for part in arguments { parts.string(part) }
        }
        let digits = SHA256.hash(of: writer.bytes).prefix(24).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
        return ByteString("mcp:" + digits.joined())
    }

    // MARK: Reporting

    /// The result of a write: what became of it, what others wrote since, and the version to continue
    /// from.
    ///
    /// - Parameter sent: the text of the note if nobody else had written.
    func report(
        _ outcome: OutcomeResult, of tool: ContextTool, on base: Base, sent: [UInt8]
    ) async throws -> ToolResult {
        if let dot = outcome.dot, writes.takenBack.contains(dot) { throw outOfScope }
        writes.add(outcome.dot, in: base.head.id)
        let merged = outcome.note
        let now = try merged.map { try Self.text(of: $0, after: sent) } ?? sent
        if merged?.isDeleted == false, let dot = outcome.dot { try await keepInScope(base.head.id, now, after: dot) }
        let others = ToolText.diff(from: sent, to: now, names: ("your text", "the note now"))
        // An agent that did not see all changes continues from its own text, and the next write merges
        // again.
        let version = others.isCut ? outcome.version : merged?.version ?? outcome.version
        let conflicts = merged?.conflicts.count ?? 0
        var shown = outcome.isReplayed ? "this change was already made; " : ""
        switch outcome.outcome {
        case .saved: shown += "done"
        case .unchanged: shown += "nothing changed"
        case .merged: shown += "done, and merged with what was written since the version that you read"
        case .conflicted: shown += "done, but others changed the same place: the note has both texts, and the user decides"
        }
        let isDeleted = merged?.isDeleted ?? (tool == .deleteNote)
        if isDeleted { shown += "; the note is deleted, and `notesctl undo` brings it back" }
        if tool == .deleteNote && !isDeleted {
            shown = "the note stays, because others wrote to it since the version that you read"
        }
        shown += "; version \(version)"
        if !others.text.isEmpty { shown += "\nWhat was written since, as a diff of your text and the note now:\n" }
        return .success(Array(shown.utf8) + others.text) { result in
            result.member("id", base.head.id.description)
            result.member("version", version.description)
            result.member("outcome", outcome.outcome.rawValue)
            guard [.editNote, .appendToNote, .resolveConflict].contains(tool) else { return }
            result.member("conflicts", conflicts)
            guard tool != .resolveConflict else { return }
            result.member("repeated", outcome.isReplayed)
            result.member("others", text: others.text)
        }
    }

    /// Undoes a write if the merged text is not in the scope.
    ///
    /// The text that a write sends is in the scope. But two edits of one version can each remove one of two
    /// tags, and the merged text has none. Only the daemon knows the merged text, and no write can depend on it.
    ///
    /// - Throws: `ToolFailure` if the write was undone.
    private func keepInScope(_ note: NoteID, _ merged: [UInt8], after dot: Dot) async throws {
        guard !scope.hasTag(merged) else { return }
        _ = try await TakeBack.undo([dot], in: note, client)
        writes.takeBack(dot, in: note)
        throw outOfScope
    }

    private var outOfScope: ToolFailure {
        ToolFailure(
            "with what was written since the version that you read, the text would not have the tag "
                + "\(SafeText.quoted("#\(scope.tag ?? "")")), which marks the notes that you may change; the change was undone; read "
                + "the note again")
    }

    /// The merged text. The daemon sends it whole or as edits of the text that was sent.
    private static func text(of merged: OutcomeResult.Merged, after sent: [UInt8]) throws -> [UInt8] {
        if let text = merged.text { return text }
        guard !merged.isDeleted else { return [] }
        let positioned = merged.edits ?? []
        guard positioned.allSatisfy({ $0.start >= 0 && $0.start <= $0.end }) else { throw ToolFailure(unreadable) }
        let edits = positioned.map { Edit(start: $0.start, end: $0.end, replacement: $0.text) }
        guard edits.fault(forLength: sent.count) == nil else { throw ToolFailure(unreadable) }
        return edits.applied(to: sent)
    }

    private static let unreadable = "the change was made, but the daemon's report of it does not fit; read the note again"
}
