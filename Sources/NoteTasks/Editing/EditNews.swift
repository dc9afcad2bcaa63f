import Console
import Glibc
import NotesModel

/// Messages about changes by others while an editor is open. They are printed immediately if no
/// editor occupies the terminal, and otherwise when the editor exits, so that nothing is written
/// across its screen.
struct EditNews {
    let label: String
    private var waiting: [String] = []
    /// Messages not to repeat before the editor writes again.
    private var shown: Set<String> = []
    /// Why the editor's newest text is not saved yet; nil once it is.
    private var trouble: String?

    init(label: String) {
        self.label = SafeText.line(label)
    }

    /// Queues a message that a change by someone else was merged into the file.
    mutating func changed(by author: Author) {
        say("\(label): \(SafeText.line(author.forPeople)) changed it; the change is merged into your file")
    }

    /// Queues a message that someone else changed the note and the file does not show it yet, unless
    /// an editor occupies the terminal: when it exits, the outcome of its saves says more.
    mutating func waiting(by author: Author) {
        guard Self.isTerminalFree else { return }
        say("\(label): \(SafeText.line(author.forPeople)) changed it; your file shows the change after you save")
    }

    /// Queues a message that the editor's save was merged with changes by others.
    mutating func merged() {
        say("\(label): your save was merged with changes made by others; your file has both")
    }

    /// Prints that the editor's save is in conflict, unless an editor occupies the terminal: the
    /// command reports the conflict when the editor exits.
    mutating func conflicted() {
        guard Self.isTerminalFree else { return }
        say("\(label): others changed the same place as your save; your file has both, and the note is in conflict")
    }

    /// Queues a message that someone else deleted the note.
    mutating func deleted(by author: Author) {
        say("\(label): \(SafeText.line(author.forPeople)) deleted it; saving again restores it")
    }

    /// Records why the editor's text could not be saved.
    mutating func failed(_ error: any Error) {
        let fault = explained(error, "cannot save yet")
        let isTriedAgain = (fault as? ExitFailure)?.code != .badData
        trouble = "\(label): \(Self.text(fault))\(isTriedAgain ? "; retrying" : "")"
    }

    /// Records that the editor's text is saved.
    mutating func saved() {
        trouble = nil
        shown = []
    }

    /// Queues a message that changes by others cannot be written into the file.
    mutating func cannotShow(_ error: any Error) {
        say("\(label): \(Self.text(error)); your file will show changes made by others only after you save")
    }

    private static func text(_ error: any Error) -> String {
        (error as? ExitFailure)?.message ?? SafeText.line("\(error)")
    }

    private mutating func say(_ sentence: String) {
        if shown.insert(sentence).inserted { waiting.append(sentence) }
    }

    /// Prints the pending messages if no editor occupies the terminal.
    mutating func flushIfVisible() {
        guard trouble != nil || !waiting.isEmpty, Self.isTerminalFree else { return }
        if let trouble { say(trouble) }
        flush()
    }

    /// Prints the pending messages, except for `trouble`: the command's exit reports that.
    mutating func flush() {
        for sentence in waiting { Output.note(sentence) }
        waiting = []
    }

    /// Whether the terminal is in canonical mode. A full-screen program switches it off to read
    /// single keys.
    private static var isTerminalFree: Bool {
        var state = termios()
        guard Terminal.isError, tcgetattr(STDERR_FILENO, &state) == 0 else { return true }
        return state.c_lflag & tcflag_t(ICANON) != 0
    }
}
