import Causality
import NoteText
import NotesModel
import NotesStore

/// A command that takes longer than a turn may. Another thread applies it to a copy of its note
/// (`NoteLoad`). The turn that commits it takes over the result, if nothing that it depends on has
/// changed meanwhile; otherwise the command is applied again.
struct LongCommand: Sendable {
    let command: Command
    let author: Author
    /// See `WriteContext.mayRestore`.
    let mayRestore: Bool
    let limits: ModelLimits
    /// A dot and a time for the revision, until the turn that commits it gives it its own
    /// (`WorkingCopy.place`).
    private(set) var context: WriteContext?
    /// The notes that had the names that the command asked for.
    private(set) var holders: [NoteName: [NoteID]] = [:]
    /// The working copy after the command.
    private(set) var copy: WorkingCopy
    /// The result of the last step; nil before the first one.
    private(set) var step: WorkingCopy.Step?

    init(_ command: Command, author: Author, mayRestore: Bool, limits: ModelLimits) {
        self.command = command
        self.author = author
        self.mayRestore = mayRestore
        self.limits = limits
        copy = WorkingCopy(limits: limits)
    }

    /// The names whose holders the command depends on.
    var names: [NoteName] {
        if case .needs(.holders(of: let name)) = step { holders.keys + [name] } else { Array(holders.keys) }
    }

    /// Prepares the next step.
    mutating func prepare(_ dot: Dot, at time: Timestamp) {
        context = WriteContext(dot: dot, author: author, time: time, mayRestore: mayRestore)
    }

    /// Supplies the notes that have a name. The next step takes them into account.
    mutating func supply(holders: [NoteID], of name: NoteName) {
        self.holders[name] = holders
    }

    /// Applies the command to a note.
    ///
    /// - Precondition: the step is prepared.
    mutating func apply(to note: Note, loadedDownTo depth: LoadDepth) {
        guard let context else { preconditionFailure("the engine prepares each step") }
        copy = WorkingCopy(limits: limits)
        copy.supply(loaded: note, for: note.id, downTo: depth)
        for (name, ids) in holders { copy.supply(holders: ids, of: name) }
        step = copy.apply(command, as: context)
    }
}
