import Foundation
import Synchronization
import TestKit

/// A process that a test started; it is killed when the object is released.
final class ChildProcess: Sendable {
    enum End: Hashable, Sendable, CustomStringConvertible {
        case exited(Int32)
        case signalled(Int32)

        var description: String {
            switch self {
            case .exited(let code): "exit code \(code)"
            case .signalled(let number): "signal \(number)"
            }
        }
    }

    let pid: pid_t
    private let life: Life

    /// State shared with the thread that waits for the process.
    private final class Life: Sendable {
        let end = Mutex<End?>(nil)
        let over = DispatchSemaphore(value: 0)
    }

    /// Environment variables that `scripts/races` sets for programs built with ThreadSanitizer.
    private static let ofTools = ["LD_PRELOAD", "TSAN_OPTIONS"].compactMap { name in environment(name).map { "\(name)=\($0)" } }

    /// - Parameters:
    ///   - arguments: without the program's own name.
    ///   - input, output, errors: descriptors for the standard streams; nil for `/dev/null`.
    ///   - handed: a descriptor passed as number 3.
    init(
        _ executable: String, _ arguments: [String], environment: [String: String],
        input: Int32? = nil, output: Int32? = nil, errors: Int32? = nil, handed: Int32? = nil
    ) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (target, source) in [(0, input), (1, output), (2, errors)] as [(Int32, Int32?)] {
            if let source {
                posix_spawn_file_actions_adddup2(&actions, source, target)
            } else {
                posix_spawn_file_actions_addopen(&actions, target, "/dev/null", O_RDWR, 0)
            }
        }
        if let handed { posix_spawn_file_actions_adddup2(&actions, handed, 3) }
        // A shell that runs the tests in the background ignores these signals, and Dispatch's
        // threads block nearly all signals; the child must inherit neither.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        for signal in [SIGINT, SIGQUIT] { sigaddset(&signals, signal) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
        var pid: pid_t = 0
        let words = [executable] + arguments
        let code = Self.withStrings(words) { words in
            Self.withStrings(Self.ofTools + environment.map { "\($0)=\($1)" }) {
                posix_spawn(&pid, executable, &actions, &attributes, words, $0)
            }
        }
        guard code == 0 else { throw SystemFault("cannot start \(executable)", code: code) }
        let started = pid
        let life = Life()
        self.pid = started
        self.life = life
        Reaper.shared.started(started)
        Thread.detachNewThread { Self.awaitEnd(of: started, life) }
    }

    deinit {
        send(SIGKILL)
    }

    /// Reaps under the lock, so that no signal reaches an unrelated process that was given the same
    /// id.
    private static func awaitEnd(of pid: pid_t, _ life: Life) {
        var info = siginfo_t()
        while waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT) != 0 && errno == EINTR {}
        life.end.withLock { end in
            var status: Int32 = 0
            waitpid(pid, &status, 0)
            end = status & 0x7F == 0 ? .exited(status >> 8 & 0xFF) : .signalled(status & 0x7F)
        }
        Reaper.shared.ended(pid)
        life.over.signal()
    }

    var isRunning: Bool { life.end.withLock { $0 == nil } }

    /// Sends a signal; does nothing if the process has ended.
    func send(_ signal: Int32) {
        life.end.withLock { end in
            if end == nil { kill(pid, signal) }
        }
    }

    /// Waits for the process to end.
    func end(within seconds: Int = Patience.seconds) async throws -> End {
        let life = life
        let pid = pid
        return try await blocking {
            guard life.over.wait(timeout: .now() + .seconds(seconds)) == .success else {
                throw TimedOut(what: "the end of process \(pid)", seconds: seconds)
            }
            life.over.signal()
            guard let end = life.end.withLock({ $0 }) else { preconditionFailure("the end is recorded before it is signalled") }
            return end
        }
    }

    private static func withStrings<Result>(
        _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let copies = strings.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return body(copies + [nil])
    }
}
