import ArgumentParser
import Causality
import NotesClient
import NotesModel
import NotesWire

struct Undo: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo",
        abstract: "Undo your newest change to a note.",
        discussion: """
            Examples:
              notesctl undo work/inbox
              notesctl undo work/inbox --label laptop/vim

            Undoes the change made by the newest of your revisions, whatever program you used, and \
            keeps later changes, by you or by others. The undo is a new revision, and the history \
            keeps everything. Run it again to undo the change before that one. The label of the \
            new revision names the revision undone: `history` shows it, and `revert` restores it.

            If others have changed the same place since, the note keeps both texts, and the exit code \
            is 2.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The note; a deleted note only by its id.", completion: NoteCompletion.notes)
    var note: String

    @Option(name: .long, help: "Only a change made with this label; `history` shows the label after the user.")
    var label: String?

    func perform() async throws {
        let (now, plan): (NoteObject, UndoPlan) = try await options.withClient { client in
            let now = try await NoteReference(note).note(client, deleted: true)
            return (now, try await self.plan(for: now, client))
        }
        let name = SafeText.line(NoteLabel.of(now.head))
        let outcome: OutcomeResult
        do {
            // A label belongs to a connection, so the undo, whose label names the revision undone, uses a
            // separate one.
            outcome = try await options.withClient(label: UndoHistory.label(undoing: plan.change.dot)) {
                try await plan.write.perform(over: now.head, $0)
            }
        } catch {
            throw explained(error, "cannot undo \(plan.change.dot) of \(name)")
        }
        Output.note("\(name): undid \(described(plan.change))" + (isSeen(outcome, plan, now) ? "" : unseen))
        if outcome.outcome == .conflicted {
            try await SaveReport(note: now.head, options: options).report(outcome) {
                try await options.withClient { try await $0.note(.id(now.head.id)) }
            }
        } else if options.isForPrograms {
            try SaveReport.report(outcome, options)
        } else {
            try SaveReport.reportSaved(name, outcome.version)
        }
    }

    /// The change in a sentence: dot, writer and local time.
    private func described(_ change: RevisionSummary) -> String {
        let time = Clock.local(change.time)
        let who = SafeText.line(change.author.forPeople)
        return "\(change.dot), written by \(who) on \(time.day) at \(time.clock)"
    }

    /// The addition to the message if the undo left the text as it was.
    private var unseen: String { "; the text stays the same, since none of that change was left in it" }

    /// Whether the undo changed the merged text.
    private func isSeen(_ outcome: OutcomeResult, _ plan: UndoPlan, _ now: NoteObject) -> Bool {
        guard case .save(_, let text?, .leave) = plan.write else { return true }
        return (outcome.note?.text ?? text) != now.text
    }

    /// The plan for the newest change that can be undone.
    ///
    /// - Throws: `ExitFailure` if there is none.
    private func plan(for now: NoteObject, _ client: any NotesAPI) async throws -> UndoPlan {
        let user = await client.hello?.user.name ?? ""
        let history = UndoHistory(
            revisions: try await Revisions(client, now.head.id).all(), user: user, label: label.map { ByteString($0) })
        for change in history.candidates {
            if let plan = try await UndoPlan(change, in: history, of: now, client) { return plan }
        }
        let whose = label.map { " with the label \(SafeText.quoted($0))" } ?? ""
        throw ExitFailure(
            "you have no change left to undo in \(SafeText.line(NoteLabel.of(now.head)))\(whose); "
                + "`notesctl history \(NoteLabel.reference(now.head))` shows all changes")
    }
}

/// A change, and the write that undoes it.
struct UndoPlan {
    /// The revision to undo.
    let change: RevisionSummary
    /// The write that undoes it.
    let write: Write

    /// A save, in which a nil text keeps the text of the base, or a deletion.
    enum Write: Hashable {
        case save(base: Version, text: [UInt8]?, name: NameRequest)
        case delete(base: Version)
    }

    /// Plans the undo of a change. Nil if nothing is left to undo: the change only resolved a conflict,
    /// was overwritten by a change that is undone already, or deleted a note that was restored since.
    ///
    /// - Throws: `ExitFailure` if the change created the note, or a version cannot be read.
    init?(_ change: RevisionSummary, in history: UndoHistory, of now: NoteObject, _ client: any NotesAPI) async throws {
        self.change = change
        guard !change.parents.isNothing else {
            throw ExitFailure(
                "\(change.dot) created \(SafeText.line(NoteLabel.of(now.head))), so there is nothing to go back to; "
                    + "`notesctl rm \(NoteLabel.reference(now.head))` deletes the note", .usage)
        }
        let before = try await NoteAtVersion.read(change.parents, of: now, client)
        let after = try await NoteAtVersion.read(Version(change.dot), of: now, client)
        if !after.exists {
            guard now.head.isDeleted else { return nil }
            let name = NameRequest.changing(nil, to: before.name)
            write = .save(base: now.head.version, text: before.text, name: name)
            return
        }
        let base = history.base(for: change)
        guard before.exists else {
            guard !now.head.isDeleted else { return nil }
            write = .delete(base: base)
            return
        }
        // Keep a name that was given since.
        let isNamedSo = now.head.name == after.name && !now.head.isDeleted
        let name: NameRequest = isNamedSo ? .changing(after.name, to: before.name) : .leave
        let state = try await NoteAtVersion.read(base, of: now, client)
        if let text = UndoText.text(before: before.text, after: after.text, now: state.text) {
            guard text != state.text || name != .leave else { return nil }
            write = .save(base: base, text: text == state.text ? nil : text, name: name)
        } else {
            write = .save(base: Version(change.dot), text: before.text, name: name)
        }
    }
}

extension UndoPlan.Write {
    func perform(over head: Head, _ client: any NotesAPI) async throws -> OutcomeResult {
        switch self {
        case .save(let base, let text, let name):
            try await client.save(SaveParams(id: head.id, base: base, text: text, name: name))
        case .delete(let base):
            try await client.delete(head.id, base: base)
        }
    }
}
