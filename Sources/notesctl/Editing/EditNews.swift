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
    private var last: String?

    init(label: String) {
        self.label = SafeText.line(label)
    }

    mutating func changed(by author: Author) {
        say("\(label): \(SafeText.line(author.forPeople)) wrote in it, which is merged into the file that you edit")
    }

    mutating func merged() {
        say("\(label): what you saved is merged with what others wrote; the file that you edit has both")
    }

    mutating func deleted(by author: Author) {
        say("\(label): \(SafeText.line(author.forPeople)) deleted it; if you save again, it is there again")
    }

    mutating func failed(_ error: any Error) {
        say("\(label): \(explained(error, "cannot save now")); it is tried again")
    }

    private mutating func say(_ sentence: String) {
        if sentence == last { return }
        last = sentence
        waiting.append(sentence)
    }

    /// Tells what waits if the terminal is not an editor's.
    mutating func tellIfSeen() {
        if !waiting.isEmpty, Self.isTerminalFree { tell() }
    }

    mutating func tell() {
        for sentence in waiting { Output.complain(sentence) }
        waiting = []
    }

    /// A program that draws on the whole screen takes lines from the terminal as they are typed, key by key.
    private static var isTerminalFree: Bool {
        var state = termios()
        guard Terminal.isError, tcgetattr(STDERR_FILENO, &state) == 0 else { return true }
        return state.c_lflag & tcflag_t(ICANON) != 0
    }
}
