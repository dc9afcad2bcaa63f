import Console
import Glibc

/// The terminal's alternate screen, on which a list is redrawn. The normal screen is restored on
/// exit, and also when a signal ends the program or Ctrl-Z stops it.
enum LiveScreen {
    /// Escape sequences that switch to the alternate screen and hide the cursor, and back.
    private static let enterSequence: StaticString = "\u{1B}[?1049h\u{1B}[?25l"
    private static let leaveSequence: StaticString = "\u{1B}[?25h\u{1B}[?1049l"

    static func enter() {
        put(enterSequence)
        for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP] {
            // The handler calls only functions that POSIX declares async-signal-safe.
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

    /// Draws a frame with one write and overwrites line by line, to avoid flicker.
    static func draw(_ lines: [String]) {
        let frame = "\u{1B}[H" + lines.map { $0 + "\u{1B}[K" }.joined(separator: "\r\n") + "\u{1B}[J"
        _ = Output.writeAll(Array(frame.utf8), to: STDOUT_FILENO)
    }

    private static func put(_ sequence: StaticString) {
        _ = write(STDOUT_FILENO, sequence.utf8Start, sequence.utf8CodeUnitCount)
    }
}
