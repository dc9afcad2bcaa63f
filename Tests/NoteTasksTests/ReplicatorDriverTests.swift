import Causality
import ClientTestKit
import Console
import NotesClient
import NotesMethods
import NotesModel
import NotesWire
import Replication
import Synchronization
import Testing

@testable import NoteTasks

/// The replicator between two scripted daemons.
struct ReplicatorDriverTests {
    /// An escape sequence, C1 controls and a mark that reverses the text.
    static let hostile = "\u{1B}[31mred\u{9B}31m\u{202E}lived\r\u{7}"

    static func isSafe(_ text: String) -> Bool { SafeText.text(text) == text && !text.contains("\r") }

    private static let own = ReplicaID(bits: 1)
    private static let other = ReplicaID(bits: 2)

    /// Two daemons, and a replicator between them.
    private struct Scene {
        let here: ScriptedPeer
        let there: ScriptedPeer
        /// The states that the replicator reported.
        let states = States()

        final class States: Sendable {
            private let texts = Mutex<[String]>([])
            private let (stream, continuation) = AsyncStream<String>.makeStream()
            var all: [String] { texts.withLock { $0 } }

            func add(_ text: String) {
                texts.withLock { $0.append(text) }
                continuation.yield(text)
            }

            /// Waits for a state.
            func wait(for prefix: String) async -> String? { await stream.first { $0.hasPrefix(prefix) } }
        }

        /// A replicator.
        ///
        /// - Parameter own: the store here that the peer's file names.
        func driver(_ silence: SilenceLimits? = nil, own: ReplicaID = ReplicatorDriverTests.own) -> ReplicatorDriver {
            var file = PeerFile(name: "peer", address: .unix(there.path), store: ReplicatorDriverTests.other)
            file.own = own
            var driver = ReplicatorDriver(here: here.options(), peer: file) { [states] in states.add("\($0)") }
            driver.peerSilence = silence
            return driver
        }

        func accept(_ peer: ScriptedPeer, _ store: ReplicaID) async throws -> ScriptedConnection {
            let connection = try await peer.acceptSilent()
            var hello = Canned.hello()
            (hello.store, hello.replica) = (store, store)
            try await connection.send(hello.line(id: try await connection.request().id))
            return connection
        }

        /// Answers the requests of a connection as an empty store does, until one has its own answer.
        ///
        /// - Parameter answer: the answer to a request; nil for that of an empty store.
        func serve(_ connection: ScriptedConnection, _ answer: (Call) -> ((RequestID) -> [UInt8])?) async throws {
            while true {
                let (id, call) = try await connection.request()
                if let own = answer(call) { return try await connection.send(own(id)) }
                switch call {
                case .listHeld:
                    let page = HeldPage(revisions: [], next: nil, quarantined: 0, waiting: 0)
                    try await connection.send(HeldResult(page).line(id: id))
                case .knownRevisions:
                    let known = KnownRevisionsResult(known: DotSet(), quarantined: DotSet(), waiting: 0, forms: [2], view: 1)
                    try await connection.send(known.line(id: id))
                default: throw ScriptedPeer.Silence(doing: "a request of the exchange, got \(call.method)")
                }
            }
        }

        /// Ends a replicator that calls the daemon here again. Its wait for the hello is not cancelled, so the
        /// connection is closed.
        func end(_ run: Task<Never, any Error>) async throws {
            let again = try await here.acceptSilent()
            run.cancel()
            again.close()
            _ = await run.result
        }

        func close() async {
            await here.close()
            await there.close()
        }
    }

    private func scene(_ body: (Scene) async throws -> Void) async throws {
        let scene = Scene(here: try await ScriptedPeer(), there: try await ScriptedPeer())
        try await body(scene)
        await scene.close()
    }

    /// The peer stops after its hello. The exchange ends with a sentence, as if there was no daemon.
    @Test func peerThatStopsAnswering_endsTheExchange() async throws {
        try await scene { scene in
            let driver = scene.driver(SilenceLimits(tick: .milliseconds(5), beforePing: 1_000_000, forPing: 2, forWork: 4))
            let run = Task { try await driver.once() }
            let here = try await scene.accept(scene.here, Self.own)
            let serving = Task { try? await scene.serve(here) { _ in nil } }
            let there = try await scene.accept(scene.there, Self.other)
            let failure = await #expect(throws: (any Error).self) { _ = try await run.value }
            let error = failure as? ExitFailure ?? (failure as? ClientError).map { ExitFailure($0) }
            #expect(error?.code == .noDaemon, "\(String(describing: failure))")
            #expect(error?.message.contains("does not answer") == true, "\(String(describing: failure))")
            here.close()
            there.close()
            _ = await serving.value
        }
    }

    /// A running replicator calls the peer again, and its state says why until the peer answers.
    @Test func stateNamesThePeerThatDoesNotAnswer_whileItIsCalledAgain() async throws {
        try await scene { scene in
            let driver = scene.driver(SilenceLimits(tick: .milliseconds(5), beforePing: 1_000_000, forPing: 2, forWork: 4))
            let run = Task { try await driver.run() }
            let here = try await scene.accept(scene.here, Self.own)
            let serving = Task { try? await scene.serve(here) { _ in nil } }
            let there = try await scene.accept(scene.there, Self.other)
            #expect(await scene.states.wait(for: "waiting: ")?.hasSuffix("does not answer") == true)
            #expect(await scene.states.wait(for: "connecting again: ")?.hasSuffix("does not answer") == true)
            try await scene.end(run)
            for connection in [here, there] { connection.close() }
            await serving.value
        }
    }

    /// The daemon here has another store than the one that was joined with the peer: the peer is not called.
    @Test func otherStoreHere_isNotExchanged() async throws {
        try await scene { scene in
            let driver = scene.driver(own: ReplicaID(bits: 9))
            let run = Task { try await driver.once() }
            let here = try await scene.accept(scene.here, Self.own)
            let failure = await #expect(throws: ExitFailure.self) { _ = try await run.value }
            #expect(failure?.code == .usage)
            #expect(failure?.message.contains("has store \(Self.own), but this peer was set up with store") == true)
            scene.there.stopListening()
            await #expect(throws: ScriptedPeer.Silence.self) { _ = try await scene.there.acceptSilent() }
            here.close()
        }
    }

    /// The text of a peer's refusal comes into the message that ends the program, and into the state.
    @Test func refusalOfAPeer_isEscaped() async throws {
        for kind in [ErrorKind.overloaded, .internal, .permissionDenied, .unsupportedProtocol] {
            try await scene { scene in
                let driver = scene.driver()
                let run = Task { try await driver.run() }
                let here = try await scene.accept(scene.here, Self.own)
                let serving = Task { try? await scene.serve(here) { _ in nil } }
                let there = try await scene.accept(scene.there, Self.other)
                try await scene.serve(there) { call in
                    guard case .knownRevisions = call else { return nil }
                    return { WireError(kind, Self.hostile).line(id: $0) }
                }
                if kind == .permissionDenied {
                    guard case .failure(let error) = await run.result, let failure = error as? ExitFailure else { return }
                    #expect(Self.isSafe(failure.message))
                } else {
                    _ = await scene.states.wait(for: "connecting again: ")
                    try await scene.end(run)
                }
                #expect(scene.states.all.contains { $0.contains("\\x1B[31mred") }, "\(scene.states.all)")
                #expect(scene.states.all.allSatisfy(Self.isSafe), "\(scene.states.all)")
                here.close()
                there.close()
                _ = await serving.value
            }
        }
    }

    @Test func failures_areEscaped() {
        let text = Self.hostile
        let faults: [ReplicationFault] = [
            .takesNothing(text), .otherOwnStore(expected: Self.own, found: Self.other, socket: text),
        ]
        let errors: [ClientError] = [
            .daemonNotThere(path: text, .noSocket), .notAllowed(message: text), .pathTooLong(path: text, limit: 1),
            .connectionFailed(path: text, message: text), .silent(path: text), .protocolViolation(text),
            .refused(WireError(.overloaded, text)),
        ]
        for failure in faults.map({ ExitFailure($0) }) + errors.map({ ExitFailure($0) }) {
            #expect(Self.isSafe(failure.message), "\(failure.message.debugDescription)")
        }
        let hold = Output.Hold()
        Output.$hold.withValue(hold) { Output.note(text) }
        #expect(hold.texts == ["\\x1B[31mred\\x9B31m\\u{202E}lived\\x0D\\x07"])
    }
}
