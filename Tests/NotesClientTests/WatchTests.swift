import Causality
import ClientTestKit
import NotesMethods
import NotesModel
import NotesWire
import Testing

@testable import NotesClient

struct WatchTests {
    private func withWatch(
        _ limits: BufferLimits = BufferLimits(),
        _ body: (NotesClient, NoteWatch, ScriptedConnection) async throws -> Void
    ) async throws {
        let peer = try await ScriptedPeer()
        async let accepted = peer.accept()
        var options = peer.options()
        options.bufferLimits = limits
        let client = try await NotesClient.connect(options)
        let connection = try await accepted
        async let made = client.watch()
        let asked = try await connection.request()
        try await connection.send(WatchResult(watch: 1, cursor: Canned.cursor(0), isReset: false).line(id: asked.id))
        try await body(client, try await made, connection)
        await client.close()
        connection.close()
        await peer.close()
    }

    private func lines(_ count: UInt64) -> [UInt8] {
        (1...count).flatMap { Canned.changed(watch: 1, seq: $0, cursor: $0) }
    }

    @Test func slowConsumer_pausesReading_andMissesNothing() async throws {
        try await withWatch(BufferLimits(events: 10, bytes: 1 << 20)) { _, watch, connection in
            try await connection.send(lines(100))
            while watch.held < 10 { await Task.yield() }
            let events = watch.makeAsyncIterator()
            guard case .started? = try await events.next() else {
                Issue.record("no start")
                return
            }
            for seq in 1...UInt64(100) {
                #expect(watch.held <= 10)
                #expect(try await events.next()?.seq == seq)
            }
        }
    }

    @Test func buffer_isBoundedInBytes() async throws {
        let line = Canned.changed(watch: 1, seq: 1, cursor: 1)
        try await withWatch(BufferLimits(events: 1_000, bytes: line.count * 5)) { _, watch, connection in
            try await connection.send(lines(100))
            while watch.held < 5 { await Task.yield() }
            let events = watch.makeAsyncIterator()
            guard case .started? = try await events.next() else {
                Issue.record("no start")
                return
            }
            for seq in 1...UInt64(100) {
                #expect(watch.held <= 7)
                #expect(try await events.next()?.seq == seq)
            }
        }
    }

    @Test func fullBuffer_allowsCalls() async throws {
        try await withWatch(BufferLimits(events: 4, bytes: 1 << 20)) { client, watch, connection in
            try await connection.send(lines(50))
            while watch.held < 4 { await Task.yield() }
            async let ping: Void = client.ping()
            let request = try await connection.request()
            try await connection.send(EmptyResult().line(id: request.id))
            try await ping
            let events = watch.makeAsyncIterator()
            guard case .started? = try await events.next() else {
                Issue.record("no start")
                return
            }
            for seq in 1...UInt64(50) { #expect(try await events.next()?.seq == seq) }
        }
    }

    @Test func gapInSeq_endsWatchWithError() async throws {
        try await withWatch { client, watch, connection in
            try await connection.send(Canned.changed(watch: 1, seq: 1, cursor: 1) + Canned.changed(watch: 1, seq: 3, cursor: 3))
            let events = watch.makeAsyncIterator()
            guard case .started? = try await events.next() else {
                Issue.record("no start")
                return
            }
            #expect(try await events.next()?.seq == 1)
            guard case .protocolViolation? = await (#expect(throws: ClientError.self) { _ = try await events.next() }) else {
                Issue.record("the gap passed")
                return
            }
        }
    }

    @Test func cancelledWatch_isUnwatched() async throws {
        try await withWatch { client, watch, connection in
            watch.cancel()
            let request = try await connection.request()
            #expect(request.call == .unwatch(WatchID(1)))
            // Lines that were already sent are ignored.
            try await connection.send(Canned.changed(watch: 1, seq: 1, cursor: 1))
            try await connection.send(EmptyResult().line(id: request.id))
            async let ping: Void = client.ping()
            try await connection.send(EmptyResult().line(id: try await connection.request().id))
            try await ping
        }
    }

    @Test func cancelledConsumer_endsItsWatch() async throws {
        try await withWatch { client, watch, connection in
            let consumer = Task {
                var count = 0
                for try await _ in watch { count += 1 }
                return count
            }
            try await connection.send(Canned.changed(watch: 1, seq: 1, cursor: 1))
            while watch.held > 0 { await Task.yield() }
            consumer.cancel()
            #expect(try await consumer.value <= 2)
            #expect(try await connection.request().call == .unwatch(WatchID(1)))
        }
    }

    @Test func refusedWatch_failsItsCall() async throws {
        let peer = try await ScriptedPeer()
        async let accepted = peer.accept()
        let client = try await NotesClient.connect(peer.options())
        let connection = try await accepted
        let made = Task { try await client.watch() }
        try await connection.send(WireError.overloaded.line(id: try await connection.request().id))
        guard case .refused(.overloaded)? = await (#expect(throws: ClientError.self) { _ = try await made.value }) else {
            Issue.record("the refusal is lost")
            return
        }
        await client.close()
        connection.close()
        await peer.close()
    }
}
