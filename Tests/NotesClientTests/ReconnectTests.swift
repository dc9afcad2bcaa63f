import Causality
import ClientTestKit
import NoteText
import NotesClient
import NotesMethods
import NotesModel
import NotesWire
import Testing

/// Calls and watches across the loss of a connection.
struct ReconnectTests {
    @Test func withoutReconnecting_callsFailWithPossibleEffect() async throws {
        let peer = try await ScriptedPeer()
        async let accepted = peer.accept()
        let client = try await NotesClient.connect(peer.options())
        let connection = try await accepted
        let write = Task { try await client.save(Canned.id(1), base: Canned.version(1), text: [0x61]) }
        _ = try await connection.request()
        let read = Task { try await client.note(.id(Canned.id(1))) }
        _ = try await connection.request()
        connection.close()
        guard
            case .connectionLost(mayHaveHappened: true)? = await (#expect(throws: ClientError.self) { _ = try await write.value })
        else {
            Issue.record("a write may have happened")
            return
        }
        guard
            case .connectionLost(mayHaveHappened: false)? = await (#expect(throws: ClientError.self) { _ = try await read.value })
        else {
            Issue.record("a read does not happen")
            return
        }
        await peer.close()
    }

    @Test func resending_keepsOpsAndOrder() async throws {
        let peer = try await ScriptedPeer()
        async let accepted = peer.accept()
        var options = peer.options(reconnecting: true)
        options.resending = .whatMayBeRepeated
        let client = try await NotesClient.connect(options)
        let first = try await accepted
        let one = Task { try await client.save(Canned.id(1), base: Canned.version(1), text: [0x61]) }
        let before1 = try await first.request().call
        let two = Task { try await client.save(Canned.id(2), base: Canned.version(2), text: [0x62]) }
        let before2 = try await first.request().call
        first.close()

        let second = try await peer.accept()
        let after1 = try await second.request()
        let after2 = try await second.request()
        #expect(after1.call == before1)
        #expect(after2.call == before2)
        guard case .write(.saveNote(let save1)) = after1.call, case .write(.saveNote(let save2)) = after2.call else {
            Issue.record("not sent again: \(after1.call), \(after2.call)")
            return
        }
        #expect(save1.op != nil && save2.op != nil && save1.op != save2.op)
        try await second.send(Canned.saved(11).line(id: after1.id) + Canned.saved(12).line(id: after2.id))
        #expect(try await one.value.version == Canned.version(11))
        #expect(try await two.value.version == Canned.version(12))
        await client.close()
        second.close()
        await peer.close()
    }

    @Test func withoutResending_writesFail_andClientContinues() async throws {
        let peer = try await ScriptedPeer()
        async let accepted = peer.accept()
        let client = try await NotesClient.connect(peer.options(reconnecting: true))
        let first = try await accepted
        let write = Task { try await client.save(Canned.id(1), base: Canned.version(1), text: []) }
        _ = try await first.request()
        first.close()
        await #expect(throws: ClientError.self) { _ = try await write.value }
        async let later: Void = client.ping()
        let second = try await peer.accept()
        let (id, call) = try await second.request()
        #expect(call == .ping)
        try await second.send(EmptyResult().line(id: id))
        try await later
        await client.close()
        second.close()
        await peer.close()
    }

    @Test func watch_resumesFromLastCursor_withNewSeq() async throws {
        let peer = try await ScriptedPeer()
        async let accepted = peer.accept()
        let client = try await NotesClient.connect(peer.options(reconnecting: true))
        let first = try await accepted
        async let made = client.watch(WatchNotes(filter: Filter(prefix: "work/"), snapshot: false))
        let asked = try await first.request()
        try await first.send(WatchResult(watch: 1, cursor: Canned.cursor(4), isReset: false).line(id: asked.id))
        let watch = try await made
        try await first.send(Canned.changed(watch: 1, seq: 1, cursor: 5) + Canned.changed(watch: 1, seq: 2, cursor: 9))
        let events = watch.makeAsyncIterator()
        guard case .started(let start)? = try await events.next() else {
            Issue.record("no start")
            return
        }
        #expect(start == WatchStart(cursor: Canned.cursor(4), isReset: false, isResumed: false))
        #expect(try await events.next()?.seq == 1)
        first.close()

        let second = try await peer.accept()
        let again = try await second.request()
        guard case .watch(let params) = again.call else {
            Issue.record("asked \(again.call)")
            return
        }
        #expect(params.since == Canned.cursor(9))
        #expect(params.filter == Filter(prefix: "work/"))
        try await second.send(WatchResult(watch: 3, cursor: Canned.cursor(9), isReset: false).line(id: again.id))
        try await second.send(Canned.changed(watch: 3, seq: 1, cursor: 12))

        // Events that arrived before the loss are still delivered, in order.
        #expect(try await events.next()?.cursor == Canned.cursor(9))
        guard case .interrupted? = try await events.next() else {
            Issue.record("no word of the loss")
            return
        }
        guard case .started(let resumed)? = try await events.next() else {
            Issue.record("no word of the return")
            return
        }
        #expect(resumed.isResumed && !resumed.isReset)
        let line = try await events.next()
        #expect(line?.seq == 1)
        #expect(line?.cursor == Canned.cursor(12))
        await client.close()
        second.close()
        await peer.close()
    }

    @Test func snapshotCutBeforeFirstLine_isRequestedAgain() async throws {
        let peer = try await ScriptedPeer()
        async let accepted = peer.accept()
        let client = try await NotesClient.connect(peer.options(reconnecting: true))
        let first = try await accepted
        async let made = client.watch()
        let asked = try await first.request()
        try await first.send(WatchResult(watch: 1, cursor: Canned.cursor(40), isReset: false).line(id: asked.id))
        let watch = try await made
        first.close()
        let second = try await peer.accept()
        guard case .watch(let params) = try await second.request().call else {
            Issue.record("no watch")
            return
        }
        #expect(params.since == nil)
        #expect(params.snapshot)
        watch.cancel()
        await client.close()
        second.close()
        await peer.close()
    }

    @Test func watchOfStoppedDaemon_waitsUntilClientCloses() async throws {
        let peer = try await ScriptedPeer()
        async let accepted = peer.accept()
        let client = try await NotesClient.connect(peer.options(reconnecting: true))
        let first = try await accepted
        async let made = client.watch()
        let asked = try await first.request()
        try await first.send(WatchResult(watch: 1, cursor: Canned.cursor(0), isReset: false).line(id: asked.id))
        let events = try await made.makeAsyncIterator()
        await peer.close()
        first.close()
        guard case .started? = try await events.next(), case .interrupted? = try await events.next() else {
            Issue.record("no word of the loss")
            return
        }
        await client.close()
        await #expect(throws: ClientError.self) { _ = try await events.next() }
        #expect(try await events.next() == nil)
    }
}
