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
        try await part(what) { held in
            guard let end = held.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
            defer { held.removeFirst(end + 1) }
            return String(decoding: held[..<end], as: UTF8.self)
        }
    }

    /// The next bytes; nil if the output ends before.
    func bytes(_ count: Int, _ what: String) async throws -> [UInt8]? {
        try await part(what) { held in
            guard held.count >= count else { return nil }
            defer { held.removeFirst(count) }
            return Array(held.prefix(count))
        }
    }

    /// What `take` takes from the bytes that were read, as soon as they are enough; nil at the end.
    private func part<Part: Sendable>(
        _ what: String, _ take: @escaping @Sendable (inout [UInt8]) -> Part?
    ) async throws -> Part? {
        try await blocking { [self] in
            try held.withLock { held in
                while true {
                    if let part = take(&held) { return part }
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
