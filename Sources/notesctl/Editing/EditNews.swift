import NotesModel

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// What came from elsewhere while an editor was open, in sentences: told at once where no editor has the terminal, and otherwise when the
/// editor has ended, so that nothing is written across its screen.
struct EditNews {
    let label: String
    private var waiting: [String] = []
    /// What is not said again: all since the editor wrote last.
    private var said: Set<String> = []
    /// Why the editor's newest text is not saved, where that is still so.
    private var trouble: String?

    init(label: String) {
        self.label = SafeText.line(label)
    }

    mutating func changed(by author: Author) {
        say("\(label): \(SafeText.line(author.forPeople)) changed it; the change is merged into your file")
    }

    mutating func merged() {
        say("\(label): your save was merged with changes made by others; your file has both")
    }

    mutating func deleted(by author: Author) {
        say("\(label): \(SafeText.line(author.forPeople)) deleted it; saving again restores it")
    }

    mutating func failed(_ error: any Error) {
        let fault = explained(error, "cannot save yet")
        let isTriedAgain = (fault as? ExitFailure)?.code != .badData
        trouble = "\(label): \(Self.text(fault))\(isTriedAgain ? "; retrying" : "")"
    }

    /// What the editor wrote is saved.
    mutating func saved() {
        trouble = nil
        said = []
    }

    /// What others write is not put into the file.
    mutating func cannotShow(_ error: any Error) {
        say("\(label): \(Self.text(error)); your file will show changes made by others only after you save")
    }

    private static func text(_ error: any Error) -> String {
        (error as? ExitFailure)?.message ?? SafeText.line("\(error)")
    }

    private mutating func say(_ sentence: String) {
        if said.insert(sentence).inserted { waiting.append(sentence) }
    }

    /// Tells what waits if the terminal is not an editor's.
    mutating func tellIfSeen() {
        guard trouble != nil || !waiting.isEmpty, Self.isTerminalFree else { return }
        if let trouble { say(trouble) }
        tell()
    }

    /// But for what is not saved, of which the end itself tells.
    mutating func tell() {
        for sentence in waiting { Output.note(sentence) }
        waiting = []
    }

    /// A program that draws on the whole screen takes lines from the terminal as they are typed, key by key.
    private static var isTerminalFree: Bool {
        var state = termios()
        guard Terminal.isError, tcgetattr(STDERR_FILENO, &state) == 0 else { return true }
        return state.c_lflag & tcflag_t(ICANON) != 0
    }
}
