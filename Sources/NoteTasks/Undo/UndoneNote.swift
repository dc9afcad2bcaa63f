import ArgumentParser
package import Causality
import Console
package import NoteText
import NotesClient
package import NotesModel
package import NotesWire
import TextMerge

/// A note before an undo or a redo, and the request that makes it.
package struct UndoneNote {
    let options: GlobalOptions
    /// The note as it was read before.
    let note: NoteObject
    /// The note's revisions before, newest first.
    var revisions: [RevisionSummary] { history.revisions }
    private let history: UndoHistory
    /// The name of the note in messages.
    package let name: String

    /// - Parameter reference: what the user called the note; a deleted note has no name of its own.
    package init(options: GlobalOptions, note: NoteObject, history: UndoHistory, reference: String) {
        self.options = options
        self.note = note
        self.history = history
        name = SafeText.line(note.head.isDeleted ? reference : NoteLabel.of(note.head))
    }

    /// Withdraws revisions of the note.
    ///
    /// - Parameters:
    ///   - purpose: the beginning of the error message, for example "cannot undo".
    package func withdraw(_ dots: [Dot], purpose: String) async throws -> OutcomeResult {
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

    /// What an undo or a redo did to the note.
    struct Effect {
        /// The note afterwards.
        let now: NoteObject
        let fate: NoteFate
        /// The conflicts that were not open before the undo.
        var opened: Set<ConflictID>
        /// Whether conflicts are open again that were open before the undone changes.
        var isReopened = false
        /// Whether the undo changed what the note shows.
        let isSeen: Bool

        /// The opened conflicts.
        var conflicts: [ConflictObject] { now.conflicts.filter { opened.contains($0.id) } }

        /// The first line of the report about opened conflicts.
        var sentence: String {
            let them = opened.count == 1 ? "a conflict" : "\(opened.count) conflicts"
            return "\(SafeText.line(NoteLabel.of(now.head))): this opened \(them); nothing is lost, all sides are kept"
        }
    }

    /// Reads what became of the note.
    ///
    /// - Parameters:
    ///   - names: the names that the note would have if no other note had them.
    ///   - wayBack: the command that takes back a deletion.
    func effect(
        of outcome: OutcomeResult, names: [NoteName], wayBack: String, over client: any NotesAPI
    ) async throws -> Effect {
        let now = try await client.note(.id(note.head.id))
        let fate = NoteFate(
            before: note.head, after: now.head, name: name, lostName: try await NoteFate.lost(names, by: now.head, client),
            wayBack: wayBack, wasDeleted: revisions.contains(where: \.isDeleted))
        let before = Set(note.conflicts.map(\.id))
        let after = outcome.note.map { Set($0.conflicts.map(\.id)) } ?? before
        var opened = after.subtracting(before)
        if !opened.isEmpty { opened.subtract(try await conflictsBeforeDeletion(client)) }
        let isSeen = outcome.note?.edits?.isEmpty != true || after != before || fate.sentence != nil
        return Effect(now: now, fate: fate, opened: opened, isSeen: isSeen)
    }

    /// Prints what was undone or redone, what became of the note, and the conflicts that this opened.
    ///
    /// - Parameters:
    ///   - what: what was undone or redone, in words.
    ///   - names, wayBack: as in `effect`.
    /// - Throws: `ExitStatus.inConflict` as an exit code if the undo put text in conflict.
    package func report(_ outcome: OutcomeResult, _ what: String, names: [NoteName], wayBack: String = "undo") async throws {
        let effect = try await options.withClient {
            try await self.effect(of: outcome, names: names, wayBack: wayBack, over: $0)
        }
        try report(outcome, what, effect)
        guard !effect.opened.isEmpty else { return }
        Output.note(effect.sentence)
        SaveReport.show(effect.conflicts, of: effect.now)
        throw ExitCode(ExitStatus.inConflict.rawValue)
    }

    /// Prints what was undone or redone, and what became of the note, without conflicts.
    func report(_ outcome: OutcomeResult, _ what: String, _ effect: Effect) throws {
        Output.note("\(name): \(what)" + (effect.isSeen ? "" : "; the note stays the same, since nothing of that is left in it"))
        if let sentence = effect.fate.sentence { Output.note(sentence) }
        let version = outcome.note?.version ?? outcome.version
        if options.isForPrograms {
            try SaveReport.report(outcome, options)
        } else if effect.now.head.isDeleted {
            if !Terminal.isOutput { try Output.line(version.description) }
        } else {
            try SaveReport.reportSaved(NoteLabel.of(effect.now.head), version)
        }
    }

    /// The conflicts that were open when the note was deleted; none if it is not deleted, or if that
    /// version cannot be read.
    private func conflictsBeforeDeletion(_ client: any NotesAPI) async throws -> Set<ConflictID> {
        guard note.head.isDeleted, let deletion = revisions.first(where: { $0.isDeleted && $0.withdraws.isEmpty }) else {
            return []
        }
        return try await conflicts(at: deletion.parents, client)
    }

    /// The conflicts that were open right before one of the changes. An undo of the changes brings them
    /// back, and opens none of them itself.
    ///
    /// - Parameter changes: newest first. Of more than `changesMax`, only the newest count.
    /// - Complexity: reads a version for each change.
    func conflicts(before changes: [RevisionSummary], _ client: any NotesAPI) async throws -> Set<ConflictID> {
        var found: Set<ConflictID> = []
        for change in changes.prefix(Self.changesMax) where !change.parents.isNothing {
            found.formUnion(try await conflicts(at: change.parents, client))
        }
        return found
    }

    /// Maximum number of changes before which `conflicts(before:_:)` looks for conflicts.
    private static let changesMax = 32

    /// The conflicts that a version shows; none if it cannot be read.
    private func conflicts(at version: Version, _ client: any NotesAPI) async throws -> Set<ConflictID> {
        do {
            return Set(try await client.note(.id(note.head.id), at: version).conflicts.map(\.id))
        } catch ClientError.refused {
            return []
        }
    }

    /// The names of the note right before the changes.
    package func names(before changes: [RevisionSummary]) -> [NoteName] {
        let parents = Set(changes.flatMap(\.parents.dots))
        return revisions.filter { parents.contains($0.dot) }.compactMap(\.name)
    }
}

extension RevisionSummary {
    /// The change in a phrase: dot, writer and local time.
    package var described: String {
        let time = Clock.local(time)
        return "\(dot), written by \(SafeText.line(author.forPeople)) on \(time.day) at \(time.clock)"
    }
}
