import ArgumentParser
import Causality
import NotesClient
import NotesModel
import NotesWire
import TextMerge

/// A note before an undo or a redo, and the request that makes it.
struct UndoneNote {
    let options: GlobalOptions
    /// The note as it was read before.
    let note: NoteObject
    /// The note's revisions before, newest first.
    var revisions: [RevisionSummary] { history.revisions }
    private let history: UndoHistory
    /// The name of the note in messages.
    let name: String

    /// - Parameter reference: what the user called the note; a deleted note has no name of its own.
    init(options: GlobalOptions, note: NoteObject, history: UndoHistory, reference: String) {
        self.options = options
        self.note = note
        self.history = history
        name = SafeText.line(note.head.isDeleted ? reference : NoteLabel.of(note.head))
    }

    /// Withdraws revisions of the note.
    ///
    /// - Parameters:
    ///   - purpose: the beginning of the error message, for example "cannot undo".
    func withdraw(_ dots: [Dot], purpose: String) async throws -> OutcomeResult {
        do {
            return try await options.withClient {
                try await $0.undo(
                    UndoNote(
                        id: note.head.id, base: note.head.version, revisions: dots, times: history.times(withdrawing: dots)))
            }
        } catch {
            throw explained(error, "\(purpose) in \(name)")
        }
    }

    /// Prints what was undone or redone, what became of the note, and the conflicts that this opened.
    ///
    /// - Parameters:
    ///   - what: what was undone or redone, in words.
    ///   - names: the names that the note would have if no other note had them.
    ///   - wayBack: the command that takes back a deletion.
    ///   - client: the connection to read the note over; nil to open one.
    /// - Throws: `ExitStatus.inConflict` as an exit code if the undo put text in conflict.
    func report(
        _ outcome: OutcomeResult, _ what: String, names: [NoteName], wayBack: String = "undo", over client: (any NotesAPI)? = nil
    ) async throws {
        func read(_ client: any NotesAPI) async throws -> (NoteObject, NoteName?) {
            let now = try await client.note(.id(note.head.id))
            return (now, try await NoteFate.lost(names, by: now.head, client))
        }
        let (now, lost) = if let client { try await read(client) } else { try await options.withClient { try await read($0) } }
        let fate = NoteFate(
            before: note.head, after: now.head, name: name, lostName: lost, wayBack: wayBack,
            wasDeleted: revisions.contains(where: \.isDeleted))
        let before = Set(note.conflicts.map(\.id))
        let after = outcome.note.map { Set($0.conflicts.map(\.id)) } ?? before
        let opened = try await after.isSubset(of: before) ? [] : after.subtracting(before.union(conflictsBeforeDeletion()))
        let isSeen = outcome.note?.edits?.isEmpty != true || after != before || fate.sentence != nil
        Output.note("\(name): \(what)" + (isSeen ? "" : "; the note stays the same, since nothing of that is left in it"))
        if let sentence = fate.sentence { Output.note(sentence) }
        let version = outcome.note?.version ?? outcome.version
        if options.isForPrograms {
            try SaveReport.report(outcome, options)
        } else if now.head.isDeleted {
            if !Terminal.isOutput { try Output.line(version.description) }
        } else {
            try SaveReport.reportSaved(NoteLabel.of(now.head), version)
        }
        guard !opened.isEmpty else { return }
        let them = opened.count == 1 ? "a conflict" : "\(opened.count) conflicts"
        Output.note("\(SafeText.line(NoteLabel.of(now.head))): this opened \(them); nothing is lost, all sides are kept")
        SaveReport.show(now.conflicts.filter { opened.contains($0.id) }, of: now)
        throw ExitCode(ExitStatus.inConflict.rawValue)
    }

    /// The conflicts that were open when the note was deleted; none if it is not deleted, or if that
    /// version cannot be read.
    private func conflictsBeforeDeletion() async throws -> Set<ConflictID> {
        guard note.head.isDeleted, let deletion = revisions.first(where: { $0.isDeleted && $0.withdraws.isEmpty }) else {
            return []
        }
        do {
            let then = try await options.withClient { try await $0.note(.id(note.head.id), at: deletion.parents) }
            return Set(then.conflicts.map(\.id))
        } catch ClientError.refused {
            return []
        }
    }

    /// The names of the note right before the changes.
    func names(before changes: [RevisionSummary]) -> [NoteName] {
        let parents = Set(changes.flatMap(\.parents.dots))
        return revisions.filter { parents.contains($0.dot) }.compactMap(\.name)
    }
}

extension RevisionSummary {
    /// The change in a phrase: dot, writer and local time.
    var described: String {
        let time = Clock.local(time)
        return "\(dot), written by \(SafeText.line(author.forPeople)) on \(time.day) at \(time.clock)"
    }
}
