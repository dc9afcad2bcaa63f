import Console
import NoteTasks
import NotesClient
import NotesWire

/// Waits for a daemon that is away when a mirror starts, or that goes away before the mirror has started.
package struct DaemonWait {
    private var backoff = Backoff()
    private var generator = SystemRandomNumberGenerator()
    private var isReported = false

    package init() {}

    /// The reason for a wait; nil for an error that waiting does not cure.
    static func reason(_ error: any Error) -> String? {
        switch error {
        case ClientError.daemonNotThere: "\(SafeText.line("\(error)")); waiting for it"
        case ClientError.connectionFailed, ClientError.connectionLost:
            "\(SafeText.line("\(error)")); waiting for the daemon"
        case ClientError.refused(let refusal) where [.noDaemon, .notNow].contains(ExitStatus(refusal.kind)):
            "\(SafeText.line(refusal.message)); waiting for the daemon"
        case let failure as ExitFailure where failure.code == .noDaemon: "waiting for the daemon: \(failure.message)"
        default: nil
        }
    }

    /// Waits before the next attempt. The first wait is reported.
    ///
    /// - Throws: the error if waiting does not cure it.
    package mutating func pause(after error: any Error) async throws {
        guard let reason = Self.reason(error) else { throw error }
        if !isReported { Output.note(reason) }
        isReported = true
        try await Task.sleep(for: backoff.next(using: &generator))
    }
}
