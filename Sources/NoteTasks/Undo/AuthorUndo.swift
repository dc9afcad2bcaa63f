import Causality
import Console
import NoteText
import NotesClient
package import NotesModel
import NotesWire

/// Undoes what an author wrote, across notes.
package struct AuthorUndo {
    let options: GlobalOptions
    /// The author as the user named them.
    let author: String
    /// The writes to undo.
    let filter: RevisionFilter
    /// The beginning of the names of the notes; nil for all notes.
    let prefix: String?

    package init(options: GlobalOptions, author: String, filter: RevisionFilter, prefix: String?) {
        self.options = options
        self.author = author
        self.filter = filter
        self.prefix = prefix
    }

    /// The author's writes in one note.
    private struct Authored {
        let head: Head
        /// The author's writes, newest first.
        var revisions: [RevisionSummary]
    }

    /// Undoes the writes.
    ///
    /// - Throws: `ExitFailure` if there are none, or if some notes failed, and
    ///   `ExitStatus.inConflict` as an exit code if a note is newly in conflict.
    package func run() async throws {
        let notes = try await authored()
        let summary = try await TakeBack.run(
            notes.map { ($0.head.id, Set($0.revisions.map(\.dot))) }, undoing: .author(author),
            wording: .undo(words, "by \(SafeText.line(author))"), options: options)
        if summary.total == 1, summary.notes == 1, !options.isForPrograms {
            Output.note("undid \(words) in 1 note; `notesctl op redo` brings it back")
        }
        try summary.finish(again: "the same command")
        if summary.notes == 0 { Output.note("nothing of \(words) is left to undo") }
    }

    /// Prints the writes that `run` would undo, and changes nothing.
    package func list() async throws {
        options.page()
        let notes = try await authored()
        var writes = 0
        var changed = 0
        var failures: [String] = []
        try await options.withClient { client in
            for note in notes {
                do {
                    let writesHere = try await list(note, client)
                    (writes, changed) = (writes + writesHere, changed + (writesHere > 0 ? 1 : 0))
                } catch ClientError.refused(let refusal) {
                    let name = SafeText.line(NoteLabel.of(note.head))
                    failures.append("\(name): cannot be undone: \(SafeText.line(refusal.message))")
                }
            }
        }
        for failure in failures { Output.note(failure) }
        guard !options.isForPrograms else { return }
        Output.note(
            changed == 0
                ? "nothing of \(words) is left to undo"
                : "would undo \(counted(writes, "write")) by \(SafeText.line(author)) in \(counted(changed, "note"))")
    }

    /// Prints the writes that `run` would undo in a note.
    ///
    /// - Returns: their number.
    private func list(_ note: Authored, _ client: any NotesAPI) async throws -> Int {
        let history = try await Revisions(client, note.head.id).all()
        let dots = Set(note.revisions.map(\.dot))
        guard let step = TakeBack.step(undoing: dots, in: history, isDeleted: note.head.isDeleted) else { return 0 }
        let remaining = history.filter { dots.contains($0.dot) && !$0.isWithdrawn }
        let fate =
            step == .delete
            ? "; the note would be deleted" : try await conflicts(undoing: dots, in: history, of: note.head, client)
        if options.isForPrograms {
            for revision in remaining { try options.emit(NoteRevision(note: note.head.id, revision: revision).json) }
        } else {
            let name = SafeText.line(NoteLabel.of(try await DeletedNotes.named(note.head, client)))
            try Output.line("\(Terminal.style.bold(name)): \(counted(remaining.count, "write"))\(fate)")
        }
        return remaining.count
    }

    /// The conflicts that an undo would open, in words; empty for none.
    private func conflicts(
        undoing dots: Set<Dot>, in history: [RevisionSummary], of head: Head, _ client: any NotesAPI
    ) async throws -> String {
        let changes = TakeBack.changes(of: dots, in: history).prefix(WireProtocol.undoneMax).map(\.dot)
        let after = try await client.undo(UndoNote(id: head.id, base: head.version, revisions: changes, isPreview: true))
        let opened = (after.note?.conflicts.count ?? 0) - head.conflicts.count
        return opened > 0 ? "; would open \(counted(opened, "conflict"))" : ""
    }

    /// The writes in words.
    private var words: String { "what \(SafeText.line(author)) wrote" }

    /// The notes that the author wrote in, in the order of the author's newest writes, newest first. Purges
    /// are no writes here: an undo cannot bring back what they erased.
    ///
    /// - Throws: `ExitFailure` if there are none.
    private func authored() async throws -> [Authored] {
        var isPurging = false
        let notes = try await options.withClient { client -> [Authored] in
            var revisions: [NoteID: [RevisionSummary]] = [:]
            var order: [NoteID] = []
            try await client.eachRevisionPage(filter) { page in
                for entry in page {
                    guard !entry.revision.isPurge else {
                        isPurging = true
                        continue
                    }
                    if revisions[entry.note] == nil { order.append(entry.note) }
                    revisions[entry.note, default: []].append(entry.revision)
                }
                return true
            }
            let heads = try await client.heads(of: order)
            return order.compactMap { id in
                guard let head = heads[id], isInFolder(head, revisions[id] ?? []) else { return nil }
                return Authored(head: head, revisions: revisions[id] ?? [])
            }
        }
        guard !notes.isEmpty || isPurging else {
            let place = prefix.map { " in a note whose name starts with \(SafeText.quoted($0))" } ?? ""
            let when = filter.since == nil ? "" : " since then"
            throw ExitFailure(
                "nobody named \(SafeText.quoted(author)) has written\(place)\(when); `notesctl log` shows users and labels",
                .usage)
        }
        return notes
    }

    /// Whether a note's name begins with the prefix. A deleted note counts with the name that it had at
    /// the author's newest write with a name.
    private func isInFolder(_ head: Head, _ revisions: [RevisionSummary]) -> Bool {
        guard let prefix else { return true }
        let name = head.isDeleted ? revisions.lazy.compactMap(\.name).first : head.name
        return name?.bytes.hasPrefix(ByteString(prefix)) ?? false
    }
}
