import Causality
import NIOCore
import NIOEmbedded
import NoteText
import NotesModel
import NotesWire
import TestKit
import Testing

@testable import NotesEngine
@testable import NotesServer

/// Limits on the memory that all connections together use.
@Suite struct LoadTests {
    private static let refusal = #"{"jsonrpc":"2.0","id":null,"error":{"code":4003"#

    private static func create(_ id: Int, bytes: Int) -> String {
        line(id, "note.create", #"{"text":"\#(String(repeating: "x", count: bytes))"}"#)
    }

    private static func requests(_ engine: HandlerFixture.SilentEngine) -> Int {
        engine.submitted.joined().count { if case .request(let request) = $0, request.requestNumber > 1 { true } else { false } }
    }

    // MARK: Requests

    /// A client connects, floods and disconnects repeatedly while the engine is blocked.
    @Test func requestsOfClosedConnections_countUntilReleased() throws {
        let fixture = HandlerFixture { $0.limits.requestBytesMax = 100_000 }
        var refused = 0
        for _ in 0..<50 {
            let channel = try fixture.connectRegistered()
            try HandlerFixture.receive(Self.create(2, bytes: 30_000), on: channel)
            if try HandlerFixture.output(of: channel).contains("overloaded") { refused += 1 }
            try channel.close().wait()
            fixture.loop.run()
        }
        #expect(Self.requests(fixture.engine) <= 4, "four of 30,000 bytes are past 100,000")
        #expect(refused >= 46)
        fixture.engine.forget()
        #expect(fixture.table.load.requestBytes == 0)
        let channel = try fixture.connectRegistered()
        try HandlerFixture.receive(Self.create(2, bytes: 30_000), on: channel)
        fixture.loop.run()
        #expect(Self.requests(fixture.engine) == 1)
    }

    // MARK: Half lines

    private static func halfLineFixture() -> HandlerFixture {
        HandlerFixture {
            $0.limits.lineBytesMax = 100_000
            $0.limits.bufferedBytesMax = 200_000
        }
    }

    @Test func partialLinesOverHalfLimit_areRefused() throws {
        let fixture = Self.halfLineFixture()
        let request = Self.create(2, bytes: 60_000)
        var channels: [EmbeddedChannel] = []
        for _ in 0..<20 {
            let channel = try fixture.connectRegistered()
            try HandlerFixture.receive(String(request.prefix(40_000)), on: channel)
            channels.append(channel)
        }
        let refused = try channels.filter { try HandlerFixture.output(of: $0).contains(Self.refusal) }
        #expect(refused.count == 18, "the first two have 80,000 bytes")
        #expect(fixture.table.load.bufferedBytes == 80_000)
        for channel in channels { try HandlerFixture.receive(request.dropFirst(40_000) + line(3, "daemon.status"), on: channel) }
        fixture.loop.run()
        #expect(Self.requests(fixture.engine) == 22, "two notes, and what everybody asked then")
        #expect(fixture.table.load.bufferedBytes == 0)
    }

    @Test func singleLine_isAcceptedWithAnyBufferLimit() throws {
        let fixture = HandlerFixture {
            $0.limits.lineBytesMax = 100_000
            $0.limits.bufferedBytesMax = 1
        }
        let channel = try fixture.connectRegistered()
        let request = Array(Self.create(2, bytes: 99_900).utf8)
        for piece in stride(from: 0, to: request.count, by: 5_000) {
            let bytes = request[piece..<min(piece + 5_000, request.count)]
            try HandlerFixture.receive(String(decoding: bytes, as: UTF8.self), on: channel)
        }
        fixture.loop.run()
        #expect(Self.requests(fixture.engine) == 1)
    }

    @Test func partialLine_isFreedWithItsConnection() throws {
        let fixture = Self.halfLineFixture()
        for _ in 0..<10 {
            let channel = try fixture.connectRegistered()
            try HandlerFixture.receive(String(Self.create(2, bytes: 90_000).prefix(80_000)), on: channel)
            #expect(fixture.table.load.bufferedBytes == 80_000)
            try channel.close().wait()
            #expect(fixture.table.load.bufferedBytes == 0)
        }
    }

    /// However lines are split, each is taken or refused, none waits for another, and buffered
    /// bytes stay within the limit.
    @Test func anyMixOfPartialLines_isAcceptedOrRefused() throws {
        for seed in seeds(20) {
            var generator = SeededGenerator(seed: seed)
            let fixture = Self.halfLineFixture()
            var channels: [(channel: EmbeddedChannel, rest: Substring)] = []
            let count = 2 + generator.below(12)
            for _ in 0..<count {
                let channel = try fixture.connectRegistered()
                channels.append((channel, Self.create(2, bytes: 20_000 + generator.below(79_000))[...]))
            }
            let most = 100_000 + count * ServiceLimits.smallResponseBytesMax
            while let index = channels.indices.filter({ !channels[$0].rest.isEmpty }).randomElement(using: &generator) {
                let piece = channels[index].rest.prefix(1 + generator.below(30_000))
                channels[index].rest = channels[index].rest.dropFirst(piece.count)
                try HandlerFixture.receive(String(piece), on: channels[index].channel)
                #expect(fixture.table.load.bufferedBytes <= most, "seed \(seed)")
            }
            fixture.loop.run()
            let refused = try channels.count { try HandlerFixture.output(of: $0.channel).contains(Self.refusal) }
            #expect(Self.requests(fixture.engine) + refused == count, "seed \(seed)")
            #expect(refused < count, "seed \(seed)")
            #expect(fixture.table.load.bufferedBytes == 0, "seed \(seed)")
        }
    }

    // MARK: Unread answers

    private static let answerBytes = 100_000

    private static func note(_ requestNumber: UInt64) -> (requestNumber: UInt64, response: Response) {
        let head = Head(
            id: testNoteID, name: nil, version: Version(Dot(ReplicaID(bits: 2), 1)), vector: VersionVector(), title: "", tags: [],
            created: Timestamp(milliseconds: 1), modified: Timestamp(milliseconds: 1), author: Author(user: "a", label: nil),
            bytes: answerBytes, isDeleted: false)
        let text = [UInt8](repeating: 0x78, count: answerBytes)
        return (
            requestNumber: requestNumber,
            response: .note(NoteResponse(head: head, text: text, siblings: head.version, conflicts: [], from: nil))
        )
    }

    private static func blockedReader(othersWaitingBytes: Int) -> DrivenConnection {
        var limits = ServiceLimits()
        limits.lineBytesMax = 1 << 20
        limits.bufferedBytesMax = 8 << 20
        var connection = DrivenConnection.registered(limits: limits)
        connection.isReading = false
        connection.lineBytes = answerBytes
        connection.state.othersWaitingBytes = othersWaitingBytes
        return connection
    }

    @Test func crowdedServer_limitsUnreadResponsesToOne() {
        var connection = Self.blockedReader(othersWaitingBytes: 4 << 20)
        connection.receive((2...6).map { line($0, "note.get", #"{"name":"a"}"#) }.joined())
        connection.deliver([Self.note(2), Self.note(3), (requestNumber: 4, response: .unwatched), Self.note(5)])
        #expect(connection.written == ["response 2", "response 3", "response 4", "response 5"])
        #expect(connection.state.bufferedBytes == 4 * Self.answerBytes)
        #expect(connection.kinds == ["note", "overloaded", "unwatched", "overloaded"])
        #expect(!connection.state.wantsBytes)
        connection.read(.max)
        #expect(connection.state.wantsBytes && connection.state.bufferedBytes == 0)
        connection.deliver([Self.note(6)])
        #expect(connection.kinds.last == "note", "who has read is served, however crowded it is")
    }

    @Test func fullServer_startsNothing_andAbandonsReads() {
        var connection = Self.blockedReader(othersWaitingBytes: 0)
        connection.receive((2...3).map { line($0, "note.get", #"{"name":"a"}"#) }.joined())
        connection.state.othersWaitingBytes = 8 << 20 + 1
        connection.deliver([Self.note(2), (requestNumber: 3, response: .unwatched)])
        #expect(connection.kinds == ["overloaded", "unwatched"])
        connection.read(.max)
        connection.submitted = []
        connection.receive(line(4, "note.list"))
        connection.read(.max)
        connection.receive(line(5, "session.ping"))
        #expect(connection.submitted.isEmpty)
        #expect(connection.written.suffix(2) == ["refused 4 overloaded", "pong 5"])
    }

    /// Many requests for long texts cost at most the limit on unread responses of one connection,
    /// not their number times the text.
    @Test func unencodedResponses_countAsUnread() {
        var limits = ServiceLimits()
        limits.responseBytesMax = 3 * Self.answerBytes
        var connection = DrivenConnection.registered(limits: limits)
        connection.isReading = false
        connection.lineBytes = Self.answerBytes
        connection.receive((2...9).map { line($0, "note.get", #"{"name":"a"}"#) }.joined())
        connection.deliver((2...9).map { Self.note($0) })
        #expect(connection.state.bufferedBytes > 8 * Self.answerBytes)
        #expect(!connection.state.wantsBytes)
        while connection.unread > 0 { connection.read(Self.answerBytes) }
        #expect(connection.state.bufferedBytes == 0)
        #expect(connection.state.wantsBytes)
    }

    /// Watches that are not read are bounded by the limits of dependents and cause no refusals.
    @Test func unreadNotifications_doNotCount() {
        var connection = Self.blockedReader(othersWaitingBytes: 0)
        connection.deliver([], notifications: [1])
        #expect(connection.unread > 0 && connection.state.bufferedBytes == 0)
        connection.receive(line(2, "session.ping"))
        connection.deliver([], notifications: [2])
        #expect(connection.state.bufferedBytes == Self.answerBytes)
        connection.read(2 * Self.answerBytes)
        #expect(connection.unread > 0 && connection.state.bufferedBytes == 0)
    }
}
