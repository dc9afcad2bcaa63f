import ArgumentParser
import Causality
import NotesClient
import NotesModel
import NotesWire

struct Undo: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo",
        abstract: "Take back your newest change of a note.",
        discussion: """
            Examples:
              notesctl undo work/inbox
              notesctl undo work/inbox --label laptop/vim

            Takes back what the newest of your revisions changed, whatever program you made it with, and keeps what was written \
            since, by you or by others. It is a new revision; the history keeps all. Again, it takes back the change before that \
            one. What it took back stands in its label: `history` shows it, and `revert` gets it again.

            Where others changed the same place since, both are in the note, and the exit code is 2.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The note; a deleted one by its id.", completion: NoteCompletion.notes)
    var note: String

    @Option(name: .long, help: "Only a change that was made with this label; `history` shows them behind the user.")
    var label: String?

    func perform() async throws {
        let (now, plan): (NoteObject, UndoPlan) = try await options.withClient { client in
            let now = try await NoteReference(note).note(client, deleted: true)
            return (now, try await self.plan(for: now, client))
        }
        let name = SafeText.line(NoteLabel.of(now.head))
        let outcome: OutcomeResult
        do {
            // The label is the connection's, and says what is taken back.
            outcome = try await options.withClient(label: UndoHistory.label(undoing: plan.change.dot)) {
                try await plan.write.perform(over: now.head, $0)
            }
        } catch {
            throw explained(error, "cannot take back \(plan.change.dot) of \(name)")
        }
        Output.note("\(name): took back \(described(plan.change))" + (isSeen(outcome, plan, now) ? "" : unseen))
        if outcome.outcome == .conflicted {
            try await SaveReport(note: now.head, options: options).tell(outcome) {
                try await options.withClient { try await $0.note(.id(now.head.id)) }
            }
        } else if options.isForPrograms {
            try SaveReport.tell(outcome, options)
        } else {
            try SaveReport.tellSaved(name, outcome.version)
        }
    }

    private func described(_ change: RevisionSummary) -> String {
        let time = Clock.local(change.time)
        let who = SafeText.line(change.author.forPeople)
        return "\(change.dot), which \(who) wrote \(time.day) \(time.clock)"
    }

    private var unseen: String { "; nothing of it was to be seen any more" }

    /// Whether the note shows something else now.
    private func isSeen(_ outcome: OutcomeResult, _ plan: UndoPlan, _ now: NoteObject) -> Bool {
        guard case .save(_, let text?, .leave) = plan.write else { return true }
        return (outcome.note?.text ?? text) != now.text
    }

    /// What the newest change is that can be taken back, and how.
    private func plan(for now: NoteObject, _ client: any NotesAPI) async throws -> UndoPlan {
        let user = await client.hello?.user.name ?? ""
        let history = UndoHistory(
            revisions: try await Revisions(client, now.head.id).all(), user: user, label: label.map { ByteString($0) })
        for change in history.candidates {
            if let plan = try await UndoPlan(change, in: history, of: now, client) { return plan }
        }
        let whose = label.map { " with the label \(SafeText.quoted($0))" } ?? ""
        throw ExitFailure(
            "you changed nothing in \(SafeText.line(NoteLabel.of(now.head)))\(whose) that was not taken back; "
                + "`notesctl history \(NoteLabel.reference(now.head))` shows all changes")
    }
}

/// How one change is taken back.
struct UndoPlan {
    let change: RevisionSummary
    let write: Write

    enum Write: Hashable {
        case save(base: Version, text: [UInt8]?, name: NameRequest)
        case delete(base: Version)
    }

    /// Nil where nothing is left to be taken back: the change only settled a conflict, or was overwritten by another that was
    /// taken back, or a deleted note lives again.
    init?(_ change: RevisionSummary, in history: UndoHistory, of now: NoteObject, _ client: any NotesAPI) async throws {
        self.change = change
        guard !change.parents.isNothing else {
            throw ExitFailure(
                "\(change.dot) made \(SafeText.line(NoteLabel.of(now.head))), and there is nothing before it; "
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
        // A name that was given since is left.
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
