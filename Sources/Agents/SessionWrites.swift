import Causality
import Console
import NoteTasks
import NoteText
import NotesClient
import NotesModel
import NotesWire
import StrictJSON
import TextMerge

/// The revisions that an agent made in its session.
final class SessionWrites {
    /// Random digits that distinguish this session from all others.
    let session: String
    /// The revisions of each note. `ContextBudget` bounds their number.
    private(set) var revisions: [NoteID: Set<Dot>] = [:]
    /// The notes in the order of the first write.
    private(set) var notes: [NoteID] = []
    /// The writes that were undone because they moved their note out of the scope.
    private(set) var takenBack: Set<Dot> = []
    var budget: ContextBudget

    init(session: String, budget: ContextBudget) {
        (self.session, self.budget) = (session, budget)
    }

    /// Takes in a write.
    func add(_ dot: Dot?, in note: NoteID) {
        guard let dot else { return }
        if revisions[note] == nil { notes.append(note) }
        revisions[note, default: []].insert(dot)
    }

    /// Forgets a write that moved its note out of the scope, and was undone.
    func takeBack(_ dot: Dot, in note: NoteID) {
        takenBack.insert(dot)
        revisions[note]?.remove(dot)
        if revisions[note]?.isEmpty == true { remove(note) }
    }

    /// Forgets the writes in a note, which were undone.
    func remove(_ note: NoteID) {
        revisions[note] = nil
        notes.removeAll { $0 == note }
    }
}

/// The tools about conflicts and undo.
extension ToolRunner {
    func conflicts(_ arguments: JSONValue) async throws -> ToolResult {
        let note = try await note(arguments)
        let shown = note.conflicts.prefix(ToolLimits.conflicts)
        func text(_ content: ConflictContent?) -> [UInt8] {
            switch content {
            case .text(let text): ToolText.beginning(of: text, bytesMax: ToolLimits.sideBytes)
            case .name(let name): name.map { Array("name \($0)".utf8) } ?? Array("no name".utf8)
            case .deleted: Array("deletes the note".utf8)
            case nil: []
            }
        }
        var lines = "\(line(note))\n\(counted(note.conflicts.count, "conflict"))"
        if shown.count < note.conflicts.count { lines += ", of which the first \(shown.count) follow" }
        var bytes = Array(lines.utf8)
        for conflict in shown {
            bytes += Array("\n\nconflict \(conflict.id), \(conflict.kind.rawValue)".utf8)
            for side in conflict.sides {
                bytes += Array("\nside \(side.dot) by \(SafeText.line(side.author.forPeople)):\n".utf8) + text(side.content)
            }
        }
        return .success(bytes) { result in
            result.member("version", note.head.version.description)
            result.name("conflicts")
            result.array(of: shown) { writer, conflict in
                writer.object { object in
                    object.member("conflict", conflict.id.description)
                    object.member("kind", conflict.kind.rawValue)
                    object.member("base", text: text(conflict.detail?.base))
                    object.name("sides")
                    object.array(of: conflict.sides) { writer, side in
                        writer.object { object in
                            object.member("side", side.dot.description)
                            object.member("author", side.author.forPeople)
                            object.member("text", text: text(side.content))
                        }
                    }
                }
            }
        }
    }

    func resolve(_ arguments: JSONValue) async throws -> ToolResult {
        let base = try await base(arguments)
        let shown = try await client.note(.id(base.head.id), at: base.version)
        let choice = ConflictChoice(shown)
        let resolution: ConflictResolution
        do throws(ExitFailure) {
            let conflict = try choice.conflict(string(arguments, "conflict")?.description ?? "")
            let taken = string(arguments, "take")?.description ?? ""
            resolution =
                taken == "both"
                ? .keeping([conflict]) : .taking(try choice.side(taken, of: conflict), in: conflict, of: base.text)
        } catch {
            throw ToolFailure("\(error.message); list_conflicts lists conflicts and sides; nothing was changed")
        }
        // The permission to delete and to rename is that of other tools.
        guard !resolution.deletes, resolution.name == .leave else {
            throw ToolFailure("the user decides about names and deletions, with `notesctl resolve`; nothing was changed")
        }
        let text = resolution.text ?? base.text
        try scope.check(name: base.head.name, text: text)
        let outcome = try await client.save(
            SaveNote(
                id: base.head.id, base: base.version, text: text, resolves: resolution.resolves,
                op: operation(.resolveConflict, base, [text])))
        return try await report(outcome, of: .resolveConflict, on: base, sent: text)
    }

    func undoChanges(_ arguments: JSONValue) async throws -> ToolResult {
        var notes = writes.notes.reversed().map { $0 }
        if arguments["note"] != nil {
            let id = try await note(arguments).head.id
            notes = notes.filter { $0 == id }
        }
        guard !notes.isEmpty else { throw ToolFailure("you have written nothing there in this session; nothing was changed") }
        var done: [(note: TakeBack.Done, conflicts: Int, isDeleted: Bool)] = []
        var failed: [String] = []
        for id in notes {
            do {
                // The user may have moved the note out of the scope.
                guard try await get(.id(id)) != nil else {
                    failed.append("\(id): there is no such note")
                    continue
                }
                if let note = try await TakeBack.undo(writes.revisions[id] ?? [], in: id, client) {
                    let merged = note.outcome.note
                    done.append((note, merged?.conflicts.count ?? 0, note.isDeletion || merged?.isDeleted == true))
                }
                writes.remove(id)
            } catch ClientError.refused(let refusal) {
                failed.append("\(id): \(refusal.message)")
            }
        }
        var text = done.isEmpty ? "nothing was left to undo" : "undone in \(counted(done.count, "note"))"
        for (note, conflicts, isDeleted) in done {
            text += "\n" + SafeText.line(NoteLabel.of(note.note.head)) + (isDeleted ? ": deleted, since you created it" : "")
            if conflicts > 0 { text += ": \(counted(conflicts, "conflict")), since others changed the same text" }
        }
        for reason in failed { text += "\nnot undone in \(SafeText.line(reason))" }
        return .success(Array(text.utf8)) { result in
            result.name("notes")
            result.array(of: done) { writer, entry in
                writer.object { object in
                    object.member("id", entry.note.note.head.id.description)
                    object.member("conflicts", entry.conflicts)
                    object.member("deleted", entry.isDeleted)
                }
            }
            result.name("failed")
            result.array(of: failed) { $0.string($1) }
        }
    }
}
