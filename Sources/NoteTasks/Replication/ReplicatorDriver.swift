import Causality
import Console
import Glibc
package import NotesClient
import NotesMethods
import NotesModel
import NotesWire
package import Replication
import Synchronization

/// Runs a replicator: connects to both daemons, and again when a connection ends.
package struct ReplicatorDriver {
    let here: ClientOptions
    /// The peer: its address, and the two stores that may exchange revisions.
    let peer: PeerFile
    /// Whether ssh may ask the user.
    var isInteractive = false
    /// How long the peer may be silent; nil for as long as the daemon here.
    var peerSilence: SilenceLimits?
    /// Called with each new state.
    let report: @Sendable (ReplicationState) -> Void

    package init(
        here: ClientOptions, peer: PeerFile, isInteractive: Bool = false, peerSilence: SilenceLimits? = nil,
        report: @escaping @Sendable (ReplicationState) -> Void
    ) {
        self.here = here
        self.peer = peer
        self.isInteractive = isInteractive
        self.peerSilence = peerSilence
        self.report = report
    }

    /// Carries what each store lacks, and returns.
    ///
    /// - Returns: the last state.
    /// - Throws: `ExitFailure`, or `ClientError` if a connection fails.
    package func once() async throws -> ReplicationState {
        let state = SharedState(initial, report)
        do {
            try await connectedRun(state, once: true)
        } catch let fault as ReplicationFault {
            throw ExitFailure(fault)
        }
        return state.value
    }

    /// Keeps the stores in step until a person has to act.
    ///
    /// - Throws: `ExitFailure` with the reason.
    package func run() async throws -> Never {
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
                let failure = ExitFailure(fault)
                if fault.isLasting { throw stopped(failure, state) }
                reason = failure.message
            } catch let error as ClientError {
                let failure = ExitFailure(error)
                if failure.code == .notAllowed { throw stopped(failure, state) }
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

    private var initial: ReplicationState { ReplicationState(directions: peer.direction == .both ? 2 : 1) }

    private func stopped(_ failure: ExitFailure, _ state: SharedState) -> ExitFailure {
        state.change { $0.stop(failure.message) }
        return failure
    }

    private func connectedRun(_ state: SharedState, once: Bool) async throws {
        let mine = PeerConnection(client: try await NotesClient.connect(here))
        do {
            // Before the peer is called: its machine must not learn of another store.
            try peer.check(own: await mine.client.hello?.store, at: here.socketPath)
            let held = try await mine.client.call(.listHeld(ListHeld(limit: 1)), response: HeldResult.self).page
            state.change { $0.count(quarantined: held.quarantined) }
            var options = here
            if let peerSilence { options.silence = peerSilence }
            let theirs = try await PeerConnection.connect(to: peer.address, options, isInteractive: isInteractive)
            do {
                let replicator = Replicator(here: mine, there: theirs, direction: peer.direction, expected: peer.store)
                try await replicator.run(once: once) { isPull, event in
                    switch event {
                    case .notAccepted(let dot, let reason):
                        Output.note(
                            "\(isPull ? "this store" : "the peer") did not accept revision \(dot): \(SafeText.line(reason))")
                    case .differs(let dot, let what): Output.note("revision \(dot) \(what)")
                    case .file(let hash, failure: let reason?):
                        let place = isPull ? "to this store" : "to the peer"
                        Output.note("the bytes of file \(hash) did not come \(place): \(SafeText.line(reason))")
                    case .began, .carried, .refused, .waits, .files, .file: break
                    }
                    state.change { $0.take(event, isPull: isPull) }
                }
            } catch {
                await theirs.close(isFailed: true)
                throw error
            }
            await theirs.close(isFailed: false)
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
