import Console
import Glibc
import Synchronization

/// The terminal in raw mode, on the alternate screen, and a way to wait for its bytes.
///
/// Its signal handlers call only functions that POSIX declares async-signal-safe, and a lock-free
/// atomic. They read static constants that `enter` has initialised before it installs them.
package enum BrowseTerminal {
    private static let enterSequence: StaticString = "\u{1B}[?1049h\u{1B}[?7l\u{1B}[?2004h\u{1B}[?1000h\u{1B}[?1006h\u{1B}[?25l"
    private static let leaveSequence: StaticString =
        "\u{1B}[0m\u{1B}[?2026l\u{1B}[?1006l\u{1B}[?1000l\u{1B}[?2004l\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

    /// The mode in which the program found the terminal; nil if that cannot be read.
    private static let former: termios? = {
        var mode = termios()
        return tcgetattr(STDIN_FILENO, &mode) == 0 ? mode : nil
    }()

    /// The mode in which each byte of a key arrives at once and unchanged.
    private static let raw: termios? = former.map { former in
        var mode = former
        cfmakeraw(&mode)
        return mode
    }

    /// A pipe that wakes a waiting `wait`; negative numbers if it cannot be made.
    private static let waker: (reading: Int32, writing: Int32) = {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return (-1, -1) }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        return (ends[0], ends[1])
    }()

    /// Whether the contents or the size of the screen may have changed since the last `takeStale`.
    private static let isStale = Atomic(true)

    /// The signal that ends the program; 0 for none.
    private static let ending = Atomic<Int32>(0)

    /// Whether a signal ends the program.
    static var isEnding: Bool { ending.load(ordering: .relaxed) != 0 }

    private static let endings = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
    private static let handled = endings + [SIGTSTP, SIGCONT, SIGWINCH]

    /// Whether the terminal can be put into raw mode.
    package static var isUsable: Bool { raw != nil && waker.reading >= 0 }

    static func enter() {
        isStale.store(true, ordering: .relaxed)
        guard var mode = raw else { return }
        tcsetattr(STDIN_FILENO, TCSADRAIN, &mode)
        put(enterSequence)
        for number in endings {
            signal(number) { number in
                // The first one lets the program keep drafts; the second ends it at once.
                guard BrowseTerminal.ending.exchange(number, ordering: .relaxed) != 0 else { return BrowseTerminal.wake() }
                BrowseTerminal.restore()
                signal(number, SIG_DFL)
                raise(number)
            }
        }
        signal(SIGTSTP) { number in
            BrowseTerminal.restore()
            signal(number, SIG_DFL)
            raise(number)
        }
        signal(SIGCONT) { _ in
            BrowseTerminal.enter()
            BrowseTerminal.wake()
        }
        signal(SIGWINCH) { _ in
            BrowseTerminal.isStale.store(true, ordering: .relaxed)
            BrowseTerminal.wake()
        }
    }

    static func leave() {
        for number in handled { signal(number, SIG_DFL) }
        restore()
    }

    /// Stops the program until the shell continues it.
    static func suspend() {
        leave()
        // A process without a shell that could continue it does not stop, and goes on here.
        raiseHere(SIGTSTP)
        enter()
    }

    /// Ends the program by the signal that it has received; returns if there is none. The terminal must
    /// have been left.
    static func endBySignal() {
        let number = ending.load(ordering: .relaxed)
        if number != 0 { raiseHere(number) }
    }

    /// Raises a signal whose effect happens before the next line. Threads of Dispatch block signals.
    private static func raiseHere(_ number: Int32) {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, number)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        raise(number)
    }

    private static func restore() {
        put(leaveSequence)
        guard var mode = former else { return }
        tcsetattr(STDIN_FILENO, TCSADRAIN, &mode)
    }

    /// Whether the screen has to be drawn from scratch; false until the next change.
    static func takeStale() -> Bool { isStale.exchange(false, ordering: .relaxed) }

    /// Writes to the terminal. Returns false if it is gone.
    static func write(_ bytes: [UInt8]) -> Bool { Output.writeAll(bytes, to: STDOUT_FILENO) == 0 }

    /// Ends a running or the next `wait`.
    static func wake() {
        var byte: UInt8 = 0
        // A full pipe wakes as well.
        _ = Glibc.write(waker.writing, &byte, 1)
    }

    /// A time for `poll`, which waits for ever if it is negative: rounded up, so that the time is over
    /// afterwards, and 0 for one that has passed.
    static func milliseconds(_ time: Duration) -> Int32 {
        guard time > .zero else { return 0 }
        let (seconds, attoseconds) = time.components
        return Int32(clamping: Int64(Int32(clamping: seconds)) * 1_000 + attoseconds / 1_000_000_000_000_000 + 1)
    }

    /// Waits for bytes, `wake` or the end of a time, and returns the bytes; nil if the terminal is
    /// gone. Blocks its thread.
    ///
    /// - Parameter time: nil to wait without end.
    static func wait(for time: Duration?) -> [UInt8]? {
        var descriptors = [
            pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
            pollfd(fd: waker.reading, events: Int16(POLLIN), revents: 0),
        ]
        guard poll(&descriptors, 2, time.map(milliseconds) ?? -1) >= 0 else { return errno == EINTR ? [] : nil }
        var chunk = [UInt8](repeating: 0, count: 4_096)
        if descriptors[1].revents != 0 { _ = read(waker.reading, &chunk, chunk.count) }
        guard descriptors[0].revents != 0 else { return [] }
        let count = read(STDIN_FILENO, &chunk, chunk.count)
        if count < 0, errno == EINTR || errno == EAGAIN { return [] }
        return count > 0 ? Array(chunk[..<count]) : nil
    }

    private static func put(_ sequence: StaticString) {
        _ = Glibc.write(STDOUT_FILENO, sequence.utf8Start, sequence.utf8CodeUnitCount)
    }
}
