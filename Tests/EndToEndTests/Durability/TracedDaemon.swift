import Foundation
import Testing

/// A daemon whose system calls `strace` records.
enum TracedDaemon {
    struct Untraceable: Error, CustomStringConvertible {
        let description: String
    }

    private static let calls = "fdatasync,fsync,write,writev,sendto,sendmsg,pwrite64,pwritev"
    /// Bytes recorded of each read or write: more than a page, and more than one write to a socket.
    private static let shownBytesMax = 1 << 20

    /// Runs with a daemon, and returns its system calls.
    static func trace(_ body: (DaemonProcess) async throws -> Void) async throws -> SyscallTrace {
        let program = ["/usr/bin/strace", "/usr/local/bin/strace"].first { FileManager.default.isExecutableFile(atPath: $0) }
        guard let program else {
            throw Untraceable(description: "this test needs strace: apt-get install strace")
        }
        let scratch = try Scratch()
        let pipe = scratch.file("trace")
        guard mkfifo(pipe, 0o600) == 0 else { throw SystemFault("mkfifo") }
        let descriptor = open(pipe, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemFault("open \(pipe)") }
        let reader = LineReader(descriptor)
        let lines = Task {
            var lines: [String] = []
            while let line = try await reader.line("the next call of the daemon") { lines.append(line) }
            return lines
        }
        // With -D the daemon is the process that was started, so its end is handled like any
        // other's.
        let words = [
            program, "-D", "-f", "-y", "-qq", "-s", "\(shownBytesMax)", "-e", "trace=\(calls)", "-e", "signal=none", "-o", pipe,
        ]
        let daemon = try DaemonProcess(under: words)
        do {
            try await daemon.start()
        } catch {
            lines.cancel()
            throw Untraceable(
                description: "the daemon cannot be traced; a container needs CAP_SYS_PTRACE. \(daemon.complaints)")
        }
        try await body(daemon)
        try await daemon.end(SIGKILL)
        return SyscallTrace(try await lines.value)
    }
}
