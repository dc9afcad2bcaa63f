import ClientTestKit
import NotesMethods
import NotesModel
import NotesWire
import TestKit
import Testing

@testable import NotesClient

/// A client pings a silent daemon, and gives it up if it does not answer.
struct SilenceTests {
    private static let limits = SilenceLimits(tick: .seconds(5), beforePing: 6, forPing: 4, forWork: 24)

    /// The ticks of a silence until there is something to do.
    private func ticks(_ monitor: inout SilenceMonitor, _ awaited: SilenceMonitor.Awaited) -> (Int, SilenceMonitor.Action) {
        for tick in 1...100 {
            let action = monitor.tick(awaited)
            if action != .nothing { return (tick, action) }
        }
        return (100, .nothing)
    }

    @Test func silence_endsWithAPing_andAnUnansweredPingEndsTheConnection() {
        var monitor = SilenceMonitor(limits: Self.limits)
        // The first tick ends the one in which the last byte moved.
        #expect(ticks(&monitor, .nothing) == (7, .ping))
        #expect(ticks(&monitor, .ping) == (5, .giveUp))
    }

    @Test func request_mayTakeLongerThanAPing() {
        var monitor = SilenceMonitor(limits: Self.limits)
        #expect(ticks(&monitor, .work) == (25, .giveUp))
    }

    /// A connection on which bytes move, however slowly, is never given up.
    @Test(arguments: seeds(200)) func connection_isGivenUp_onlyAfterWholeTicksOfSilence(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let limits = SilenceLimits(
            tick: .seconds(1), beforePing: 1 + random.below(5), forPing: 1 + random.below(5), forWork: 1 + random.below(9))
        var monitor = SilenceMonitor(limits: limits)
        // Whole ticks without a byte and without a ping that was just sent.
        var silent = -1
        for _ in 0..<200 {
            if random.chance(0.3) {
                monitor.moved()
                silent = -1
            }
            let awaited = SilenceMonitor.Awaited.allCases[random.below(3)]
            silent += 1
            let expected: SilenceMonitor.Action =
                switch awaited {
                case .nothing: silent >= limits.beforePing ? .ping : .nothing
                case .ping: silent >= limits.forPing ? .giveUp : .nothing
                case .work: silent >= limits.forWork ? .giveUp : .nothing
                }
            let action = monitor.tick(awaited)
            #expect(action == expected)
            if action == .ping { silent = -1 }
        }
    }

    private func withPeer(
        _ limits: SilenceLimits, _ body: (NotesClient, ScriptedConnection) async throws -> Void
    ) async throws {
        let peer = try await ScriptedPeer()
        var options = peer.options()
        options.silence = limits
        async let accepted = peer.accept()
        let client = try await NotesClient.connect(options)
        let connection = try await accepted
        try await body(client, connection)
        await client.close()
        connection.close()
        await peer.close()
    }

    @Test func daemonThatAnswersNoPing_isLeft() async throws {
        try await withPeer(SilenceLimits(tick: .milliseconds(5), beforePing: 2, forPing: 2, forWork: 2)) { client, connection in
            guard case .ping = try await connection.request().call else {
                Issue.record("the client sends no ping")
                return
            }
            let error = await #expect(throws: ClientError.self) { try await client.ping() }
            guard case .silent? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }

    @Test func daemonThatAnswersNoRequest_isLeft_andTheCallFails() async throws {
        try await withPeer(SilenceLimits(tick: .milliseconds(5), beforePing: 1_000_000, forPing: 2, forWork: 3)) {
            client, connection in
            let call = Task { try await client.note(.id(Canned.id(1))) }
            _ = try await connection.request()
            let error = await #expect(throws: ClientError.self) { _ = try await call.value }
            guard case .silent? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }

    /// Nobody calls, and the daemon sends nothing but its answers to pings.
    @Test func daemonThatAnswersPings_isKept() async throws {
        let never = 1_000_000
        try await withPeer(SilenceLimits(tick: .milliseconds(2), beforePing: 2, forPing: never, forWork: never)) {
            client, connection in
            for _ in 0..<10 {
                let (id, call) = try await connection.request()
                guard case .ping = call else {
                    Issue.record("\(call)")
                    return
                }
                try await connection.send(EmptyResult().line(id: id))
            }
            #expect(await client.hello != nil)
        }
    }

    /// The client sends long lines in pieces; the daemon gets them whole.
    @Test func longLine_arrivesWhole() async throws {
        let never = 1_000_000
        try await withPeer(SilenceLimits(tick: .milliseconds(2), beforePing: never, forPing: never, forWork: never)) {
            client, connection in
            let text = Array(String(repeating: "a line\n", count: 100_000).utf8)
            let creation = Task { try await client.create(text: text, id: Canned.id(1)) }
            guard case (let id, .write(.createNote(let params))) = try await connection.request() else {
                Issue.record("the client creates no note")
                return
            }
            #expect(params.text == text)
            try await connection.send(WireError.permissionDenied("no").line(id: id))
            _ = await #expect(throws: ClientError.self) { _ = try await creation.value }
        }
    }
}
