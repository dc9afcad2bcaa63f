import Dependents
import NIOCore
import NIOEmbedded
import NotesModel
import NotesWire
import Testing

@testable import NotesEngine
@testable import NotesServer

/// `ConnectionHandler` on a channel without a socket, with a clock that the test advances.
@Suite struct ConnectionHandlerTests {
    @Test func withoutHello_connectionClosesAfterTenSeconds() throws {
        let fixture = HandlerFixture()
        let silent = try fixture.connect()
        let registered = try fixture.connect()
        try HandlerFixture.receive(helloLine, on: registered)
        fixture.loop.advanceTime(by: .milliseconds(9_999))
        #expect(silent.isActive)
        fixture.loop.advanceTime(by: .milliseconds(1))
        #expect(!silent.isActive)
        #expect(registered.isActive)
        #expect(fixture.table.count == 1)
    }

    @Test func linesOfOneTurn_reachTheEngineTogether() throws {
        let fixture = HandlerFixture()
        let first = try fixture.connect()
        let second = try fixture.connect()
        try HandlerFixture.receive(helloLine, on: first)
        try HandlerFixture.receive(helloLine, on: second)
        #expect(fixture.engine.submitted.map(\.count) == [1, 1])
        first.pipeline.fireChannelRead(ByteBuffer(string: line(2, "daemon.status") + line(3, "note.list")))
        first.pipeline.fireChannelReadComplete()
        second.pipeline.fireChannelRead(ByteBuffer(string: line(2, "daemon.status")))
        second.pipeline.fireChannelReadComplete()
        fixture.loop.run()
        #expect(fixture.engine.submitted.map(\.count) == [1, 1, 3])
    }

    /// The submission that a connection causes while it has a response to write is refused, so that
    /// others write theirs first.
    @Test func endedEngine_refusesEachRequestOnItsOwnConnection() throws {
        let fixture = HandlerFixture()
        let channels = try (0..<40).map { _ in try fixture.connectRegistered() }
        fixture.engine.end()
        for (index, channel) in channels.enumerated() {
            let lines = line(1_000 + index, "session.ping") + line(2_000 + index, "daemon.status")
            channel.pipeline.fireChannelRead(ByteBuffer(string: lines))
            channel.pipeline.fireChannelReadComplete()
        }
        fixture.loop.run()
        for (index, channel) in channels.enumerated() {
            let lines = try HandlerFixture.output(of: channel).split(separator: "\n")
            #expect(lines.count == 2, "connection \(index): \(lines)")
            #expect(lines.first?.contains("\"id\":\(1_000 + index),\"result\"") == true, "connection \(index): \(lines)")
            #expect(lines.last?.contains("\"id\":\(2_000 + index),\"error\"") == true, "connection \(index): \(lines)")
        }
    }

    @Test func delivery_isOneWrite_andReportsDrained() throws {
        let fixture = HandlerFixture()
        let channel = try fixture.connect()
        try HandlerFixture.receive(helloLine, on: channel)
        fixture.table.deliver([
            ConnectionOutput(
                dependent: DependentID(1), responses: [NumberedResponse(requestNumber: 1, response: .registered(testRegistered))],
                notifications: (1...3).map {
                    WatchNotification(watch: WatchID(1), number: $0, cursor: testRegistered.cursor, event: .synced)
                },
                isCutShort: false)
        ])
        let buffer = try #require(try channel.readOutbound(as: ByteBuffer.self))
        #expect(String(buffer: buffer).split(separator: "\n").count == 4)
        #expect(try channel.readOutbound(as: ByteBuffer.self) == nil)
        fixture.loop.run()
        #expect(fixture.engine.submitted.count == 1, "other sockets are looked after first")
        fixture.loop.advanceTime(by: .milliseconds(1))
        guard case .drained(DependentID(1))? = fixture.engine.submitted.last?.last else {
            Issue.record("the engine was not told that the lines have left")
            return
        }
    }

    @Test func closedConnection_isReleasedOnce() throws {
        let fixture = HandlerFixture()
        let channel = try fixture.connect()
        try HandlerFixture.receive(helloLine, on: channel)
        channel.close(promise: nil)
        fixture.loop.advanceTime(by: .milliseconds(1))
        let released = fixture.engine.submitted.joined().count { if case .released(DependentID(1)) = $0 { true } else { false } }
        #expect(released == 1)
        #expect(fixture.table.count == 0)
    }

    @Test func lingeringRefusedPeer_isClosedAfterTimeout() throws {
        let fixture = HandlerFixture { $0.lingerSecondsMax = 3 }
        let channel = try fixture.connect(as: User(id: testUser.id + 1, name: "bob"))
        try HandlerFixture.receive(helloLine, on: channel)
        #expect(try HandlerFixture.output(of: channel).contains("permission_denied"))
        fixture.loop.advanceTime(by: .seconds(3))
        #expect(!channel.isActive)
    }
}
