import CLinux
import Glibc

/// A program on a terminal of 80 columns and 24 rows, which this program plays.
final class TerminalProgram {
    private let terminal: Descriptor
    private let child: Child
    private(set) var screen = TerminalScreen()
    /// Number of bytes that the program has written.
    private(set) var bytes = 0
    private var buffer = [UInt8](repeating: 0, count: 1 << 16)

    /// How long a condition may take to come true.
    private static let patience = 60.0

    var pid: pid_t { child.pid }

    init(_ arguments: [String], environment: [String]) throws(Failure) {
        terminal = try Descriptor(posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC), from: "posix_openpt")
        guard grantpt(terminal.number) == 0, unlockpt(terminal.number) == 0, let path = ptsname(terminal.number) else {
            throw Failure(call: "unlockpt")
        }
        var size = winsize(ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0)
        guard ioctl(terminal.number, UInt(TIOCSWINSZ), &size) == 0 else { throw Failure(call: "TIOCSWINSZ") }
        child = try Child(
            arguments, environment: ["TERM=xterm-256color", "LC_ALL=C.UTF-8", "PATH=/usr/bin:/bin"] + environment,
            terminal: String(cString: path))
    }

    func type(_ keys: String) throws(Failure) { try terminal.writeAll(Array(keys.utf8)) }

    /// Reads output until a condition holds on the screen.
    ///
    /// - Returns: the seconds.
    @discardableResult
    func wait(for what: String, until isMet: (TerminalScreen) -> Bool) throws(Failure) -> Double {
        let start = seconds()
        while !isMet(screen) {
            guard seconds() - start < Self.patience else {
                throw Failure(
                    "\(what): not on the screen within \(Int(Self.patience)) s:\n\(screen.lines.joined(separator: "\n"))")
            }
            _ = try read(seconds: 1)
        }
        return seconds() - start
    }

    /// Reads output until there has been none for some seconds.
    func rest(seconds: Double) throws(Failure) {
        while try read(seconds: seconds) {}
    }

    /// Types a key, and waits for the first output.
    ///
    /// - Returns: the seconds.
    func echo(of key: String) throws(Failure) -> Double {
        let start = seconds()
        try type(key)
        guard try read(seconds: Self.patience) else { throw Failure("a program wrote nothing after a key") }
        return seconds() - start
    }

    /// Reads what the program writes next. Returns false after a timeout.
    private func read(seconds: Double) throws(Failure) -> Bool {
        var waiting = pollfd(fd: terminal.number, events: Int16(POLLIN), revents: 0)
        guard poll(&waiting, 1, Int32(seconds * 1_000)) > 0 else { return false }
        let count = Glibc.read(terminal.number, &buffer, buffer.count)
        guard count > 0 else { throw Failure("a program on a terminal ended early:\n\(screen.lines.joined(separator: "\n"))") }
        bytes += count
        screen.write(buffer[..<count])
        return true
    }

    /// Ends the program.
    func end() { child.end(secondsMax: 5) }
}

/// The characters on a terminal of 80 columns and 24 rows. It executes positions and erasure, and
/// ignores other sequences; each character takes one column.
struct TerminalScreen {
    private static let (columns, rows) = (80, 24)
    private var cells = [[Character]](repeating: [Character](repeating: " ", count: columns), count: rows)
    private var (row, column) = (0, 0)
    private var pending: [UInt8] = []

    var lines: [String] { cells.map { String($0) } }

    func contains(_ text: String) -> Bool { lines.contains { $0.contains(text) } }

    mutating func write(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            pending.append(byte)
            if pending[0] == 0x1B { sequence() } else { character() }
        }
    }

    private mutating func sequence() {
        guard pending.count > 1 else { return }
        guard pending[1] == UInt8(ascii: "[") else {
            pending = []
            return
        }
        guard pending.count > 2, let final = pending.last, (0x40...0x7E).contains(final) else { return }
        let parameters = String(decoding: pending[2..<(pending.count - 1)], as: UTF8.self)
        let numbers = parameters.split(separator: ";").map { Int($0) ?? 0 }
        pending = []
        switch final {
        case UInt8(ascii: "H"):
            row = min(max(0, (numbers.first ?? 1) - 1), Self.rows - 1)
            column = min(max(0, (numbers.dropFirst().first ?? 1) - 1), Self.columns)
        case UInt8(ascii: "J"): self = TerminalScreen()
        case UInt8(ascii: "K"): cells[row] = [Character](repeating: " ", count: Self.columns)
        default: break
        }
    }

    private mutating func character() {
        let first = pending[0]
        let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        guard pending.count >= length else { return }
        let text = String(decoding: pending, as: UTF8.self)
        pending = []
        switch first {
        case 0x0A: row = min(row + 1, Self.rows - 1)
        case 0x0D: column = 0
        case 0x20...:
            guard column < Self.columns, let character = text.first else { return }
            cells[row][column] = character
            column += 1
        default: break
        }
    }
}
