import Glibc
import Synchronization

/// Reads a process's output from a pipe, line by line.
final class LineReader: Sendable {
    private let descriptor: Int32
    private let held = Mutex<[UInt8]>([])

    /// - Parameter descriptor: the reader closes it.
    init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// The next line, without its LF; nil at the end.
    func line(_ what: String) async throws -> String? {
        try await blocking { [self] in
            try held.withLock { held in
                while true {
                    if let end = held.firstIndex(of: UInt8(ascii: "\n")) {
                        defer { held.removeFirst(end + 1) }
                        return String(decoding: held[..<end], as: UTF8.self)
                    }
                    var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                    guard poll(&wait, 1, Int32(Patience.seconds * 1_000)) > 0 else {
                        throw TimedOut(what: what, seconds: Patience.seconds)
                    }
                    var buffer = [UInt8](repeating: 0, count: 4_096)
                    let count = read(descriptor, &buffer, buffer.count)
                    guard count > 0 else { return nil }
                    held += buffer.prefix(count)
                }
            }
        }
    }
}
