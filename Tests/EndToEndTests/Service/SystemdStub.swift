import Foundation
import Synchronization

/// A minimal service manager: holds the daemon's socket, starts the daemon on it and receives its
/// notifications.
final class SystemdStub: Sendable {
    let scratch: Scratch
    let socket: String
    let data: String
    private let listening: Int32
    private let mailbox: Mailbox
    private let config: String
    private let running = Mutex<ChildProcess?>(nil)

    init(config: String = "") throws {
        scratch = try Scratch()
        socket = scratch.file("d.sock")
        data = scratch.file("data")
        self.config = try scratch.write(config, to: "notesd.toml")
        listening = try UnixSocket.bound(to: socket, SOCK_STREAM)
        listen(listening, 1_000)
        mailbox = Mailbox(try UnixSocket.bound(to: scratch.file("notify"), SOCK_DGRAM))
    }

    deinit {
        running.withLock { $0 = nil }
        close(listening)
    }

    func configure(_ config: String) throws {
        try scratch.write(config, to: "notesd.toml")
    }

    /// Starts the daemon without waiting; clients that connect meanwhile wait in the socket.
    ///
    /// - Parameter wrapper: a program and its options, which execs the daemon.
    func start(watchdogMilliseconds: Int? = nil, under wrapper: [String] = []) throws {
        var environment = [
            "PATH": "/usr/bin:/bin", "HOME": scratch.path, "NOTIFY_SOCKET": scratch.file("notify"), "LISTEN_FDS": "1",
            "LISTEN_FDNAMES": "rpc",
        ]
        environment["WATCHDOG_USEC"] = watchdogMilliseconds.map { "\($0 * 1_000)" }
        let errors = try FileHandle(forWritingTo: URL(fileURLWithPath: try scratch.write("", to: "stderr")))
        let process = try ChildProcess(
            "/bin/sh",
            ["-c", "LISTEN_PID=$$ exec \"$@\"", "sh"] + wrapper + [Binaries.notesd, "--data", data, "--config", config],
            environment: environment,
            errors: errors.fileDescriptor, handed: listening)
        running.withLock { $0 = process }
    }

    func signal(_ signal: Int32) {
        running.withLock { $0 }?.send(signal)
    }

    func end(_ signal: Int32) async throws -> ChildProcess.End? {
        guard let process = running.withLock({ $0 }) else { return nil }
        process.send(signal)
        return try await process.end()
    }

    /// The daemon's next notification.
    func message(_ what: String) async throws -> String {
        let mailbox = mailbox
        return try await blocking { try mailbox.next(what) }
    }

    /// Whether a notification is unread.
    func hasMessage() -> Bool {
        !mailbox.isEmpty
    }

    /// The next notification with this beginning; others are skipped.
    func message(beginning prefix: String) async throws -> String {
        while true {
            let words = try await message(prefix)
            if words.hasPrefix(prefix) { return words }
        }
    }
}
