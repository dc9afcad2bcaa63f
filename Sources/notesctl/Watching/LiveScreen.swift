#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The terminal's other screen, on which a list is drawn over and over; the first one comes back as it was, also where a signal
/// ends the program or Ctrl-Z stops it.
enum LiveScreen {
    /// To the other screen, without a cursor; and back.
    private static let enterSequence: StaticString = "\u{1B}[?1049h\u{1B}[?25l"
    private static let leaveSequence: StaticString = "\u{1B}[?25h\u{1B}[?1049l"

    static func enter() {
        put(enterSequence)
        for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP] {
            // Nothing happens in it but what POSIX allows in a handler.
            signal(number) { number in
                LiveScreen.put(LiveScreen.leaveSequence)
                signal(number, SIG_DFL)
                raise(number)
            }
        }
        signal(SIGCONT) { _ in LiveScreen.enter() }
    }

    static func leave() {
        put(leaveSequence)
        for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT] { signal(number, SIG_DFL) }
    }

    /// In one write, each line over the old one, so that nothing flickers.
    static func draw(_ lines: [String]) {
        let frame = "\u{1B}[H" + lines.map { $0 + "\u{1B}[K" }.joined(separator: "\r\n") + "\u{1B}[J"
        _ = Output.writeAll(Array(frame.utf8), to: STDOUT_FILENO)
    }

    private static func put(_ sequence: StaticString) {
        _ = write(STDOUT_FILENO, sequence.utf8Start, sequence.utf8CodeUnitCount)
    }
}
