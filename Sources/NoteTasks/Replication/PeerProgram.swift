import Console
import Dispatch
import Glibc
import Synchronization

/// The program that makes a connection to a peer, such as ssh.
package final class PeerProgram: Sendable {
    private let command: [String]
    /// Nil before the start and after the end.
    private let process = Mutex<pid_t?>(nil)

    /// - Parameter command: the program and its arguments.
    init(_ command: [String]) {
        self.command = command
    }

    /// Starts the program with a socket as its standard input and output, and returns the other end.
    func start() throws -> Int32 {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
            throw ExitFailure("cannot create a socket: \(SystemError.text(errno))")
        }
        defer { close(ends[1]) }
        do {
            let started = try Child.start(command, input: ends[1], output: ends[1])
            process.withLock { $0 = started }
            // Without the wait, the program would stay a zombie after its end.
            DispatchQueue.global().async { [self] in
                var end = siginfo_t()
                while waitid(P_PID, id_t(started), &end, WEXITED | WNOWAIT) < 0, errno == EINTR {}
                // Until it is reaped, no other process has its number.
                process.withLock {
                    _ = Child.wait(started)
                    $0 = nil
                }
            }
            return ends[0]
        } catch {
            close(ends[0])
            throw error
        }
    }

    /// Ends the program if it runs. Otherwise it would wait for a peer that does not answer.
    func end() {
        process.withLock { process in
            if let process { kill(process, SIGTERM) }
        }
    }
}
