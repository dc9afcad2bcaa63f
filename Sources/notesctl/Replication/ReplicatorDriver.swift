import Causality
import Glibc
import NotesClient
import NotesModel
import NotesWire
import Replication
import Synchronization

/// Runs a replicator: connects to both daemons, and again when a connection ends.
struct ReplicatorDriver {
    let here: ClientOptions
    let address: PeerAddress
    /// The store that the address must lead to; nil for any.
    var expected: ReplicaID?
    var direction = PeerFile.Direction.both
    /// Whether ssh may ask the user.
    var isInteractive = false
    /// Called with each new state.
    let report: @Sendable (ReplicationState) -> Void

    /// Carries what each store lacks, and returns.
    ///
    /// - Returns: the last state.
    /// - Throws: `ExitFailure`, or `ClientError` if a connection fails.
    func once() async throws -> ReplicationState {
        let state = SharedState(initial, report)
        do {
            try await connectedRun(state, once: true)
        } catch let fault as ReplicationFault {
            throw ExitFailure("\(fault)", fault.isLasting ? .usage : .notNow)
        }
        return state.value
    }

    /// Keeps the stores in step until a person has to act.
    ///
    /// - Throws: `ExitFailure` with the reason.
    func run() async throws -> Never {
        var backoff = Backoff(first: .milliseconds(200), longest: .seconds(30))
        var generator = SystemRandomNumberGenerator()
        let state = SharedState(initial, report)
        let clock = ContinuousClock()
        while true {
            state.change { $0.connect() }
            let began = clock.now
            let reason: String
            do {
                try await connectedRun(state, once: false)
                reason = "the connection ended"
            } catch let fault as ReplicationFault {
                if fault.isLasting { throw stopped("\(fault)", .usage, state) }
                reason = "\(fault)"
            } catch let error as ClientError {
                let failure = ExitFailure(error)
                if failure.code == .notAllowed { throw stopped(failure.message, .notAllowed, state) }
                reason = SafeText.line("\(error)")
            } catch let failure as ExitFailure where failure.code == .noDaemon {
                reason = failure.message
            }
            // A peer that fails right after each connection must not be called without a pause.
            if clock.now - began > .seconds(60) { backoff.succeeded() }
            state.change { $0.wait(reason) }
            try await Task.sleep(for: backoff.next(using: &generator))
        }
    }

    private var initial: ReplicationState { ReplicationState(directions: direction == .both ? 2 : 1) }

    private func stopped(_ reason: String, _ code: ExitStatus, _ state: SharedState) -> ExitFailure {
        state.change { $0.stop(reason) }
        return ExitFailure(reason, code)
    }

    private func connectedRun(_ state: SharedState, once: Bool) async throws {
        let mine = PeerConnection(client: try await NotesClient.connect(here))
        do {
            let held = try await mine.client.call(.listHeld(ListHeld(limit: 1)), response: HeldResult.self).page
            state.change { $0.count(quarantined: held.quarantined) }
            let theirs = try await PeerConnection.connect(to: address, here, isInteractive: isInteractive)
            let result: Result<Void, any Error>
            do {
                let replicator = Replicator(here: mine, there: theirs, direction: direction, expected: expected)
                try await replicator.run(once: once) { isPull, event in
                    if case .notAccepted(let dot, let reason) = event {
                        Output.note(
                            "\(isPull ? "this store" : "the peer") did not accept revision \(dot): \(SafeText.line(reason))")
                    }
                    state.change { $0.take(event, isPull: isPull) }
                }
                result = .success(())
            } catch {
                result = .failure(error)
            }
            await theirs.client.close()
            try result.get()
        } catch {
            await mine.client.close()
            throw error
        }
        await mine.client.close()
    }

    /// The state, which both directions change.
    private final class SharedState: Sendable {
        private let state: Mutex<ReplicationState>
        private let report: @Sendable (ReplicationState) -> Void

        init(_ state: ReplicationState, _ report: @escaping @Sendable (ReplicationState) -> Void) {
            self.state = Mutex(state)
            self.report = report
        }

        var value: ReplicationState { state.withLock { $0 } }

        func change(_ change: (inout ReplicationState) -> Void) {
            // The report is within the lock, so that states are reported in their order.
            state.withLock {
                change(&$0)
                report($0)
            }
        }
    }
}
