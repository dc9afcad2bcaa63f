import Dependents
import NIOCore
import NIOEmbedded
import NoteText
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
                dependent: DependentID(1), responses: [(requestNumber: 1, response: .registered(testRegistered))],
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

    /// Two written lines take a slice of time here. The sockets and short responses of other connections get
    /// their turn between slices, and the order of the responses of a connection stays.
    @Test func longResponses_areWrittenInSlices() throws {
        let fixture = HandlerFixture()
        let (first, second, other) = (
            try fixture.connectRegistered(), try fixture.connectRegistered(), try fixture.connectRegistered()
        )
        for channel in [first, second] {
            try HandlerFixture.receive((2...7).map { line($0, "daemon.metrics") }.joined(), on: channel)
        }
        try HandlerFixture.receive(line(2, "daemon.status"), on: other)
        fixture.clock.tick = ConnectionTable.slice
        fixture.table.deliver([output(1, 2...6, Self.long), output(2, 2...7, Self.long)])
        fixture.table.deliver([output(3, 2...2, .unwatched), output(1, 7...7, .unwatched)])
        var slices: [[[Int]]] = [try [first, second, other].map(ids)]
        try HandlerFixture.receive(line(8, "session.ping") + line(9, "daemon.status"), on: first)
        fixture.loop.run()
        guard case .request(let request)? = fixture.engine.submitted.last?.last, request.requestNumber == 8 else {
            Issue.record("the requests of a connection whose responses wait were not taken")
            return
        }
        while !fixture.table.waiting.isEmpty {
            slices.append(try [first, second, other].map(ids))
            fixture.loop.advanceTime(by: ConnectionTable.pause)
        }
        slices.append(try [first, second, other].map(ids))
        // A slice may also go to a connection that waits for its next one.
        #expect(
            slices.filter { $0 != [[], [], []] } == [
                [[2, 3], [], [2]], [[], [2, 3], []], [[4, 5], [], []], [[], [4, 5], []], [[6, 7], [], []], [[], [6, 7], []],
                [[8], [], []],
            ])
    }

    /// The engine's outputs come in separate tasks, which a loop may run one after the other.
    @Test func longResponse_waitsUntilTheSocketsAreServed_afterAnother() throws {
        let fixture = HandlerFixture()
        let channels = [try fixture.connectRegistered(), try fixture.connectRegistered()]
        for channel in channels { try HandlerFixture.receive(line(2, "daemon.metrics"), on: channel) }
        fixture.table.deliver([output(1, 2...2, Self.long)])
        fixture.table.deliver([output(2, 2...2, Self.long)])
        #expect(try channels.map(ids) == [[2], []])
        fixture.loop.advanceTime(by: ConnectionTable.pause)
        #expect(try channels.map(ids) == [[], [2]])
    }

    @Test func shortResponses_areWrittenAtOnce_whileLongOnesWait() throws {
        let fixture = HandlerFixture()
        let (long, other) = (try fixture.connectRegistered(), try fixture.connectRegistered())
        for channel in [long, other] {
            try HandlerFixture.receive((2...9).map { line($0, "daemon.metrics") }.joined(), on: channel)
        }
        fixture.clock.tick = ConnectionTable.slice
        fixture.table.deliver([output(1, 2...9, Self.long)])
        fixture.clock.tick = .zero
        fixture.table.deliver([output(2, 2...9, .unwatched)])
        #expect(!fixture.table.waiting.isEmpty)
        #expect(try ids(of: other) == Array(2...9))
    }

    private static let long = Response.metrics(String(repeating: " ", count: 2 * ServiceLimits.smallResponseBytesMax))

    /// Some responses of the engine.
    private func output(_ dependent: UInt64, _ requests: ClosedRange<UInt64>, _ response: Response) -> ConnectionOutput {
        ConnectionOutput(
            dependent: DependentID(dependent),
            responses: requests.map { (requestNumber: $0, response: response) }, notifications: [],
            isCutShort: false)
    }

    private func ids(of channel: EmbeddedChannel) throws -> [Int] {
        try HandlerFixture.output(of: channel).split(separator: "\n").map { line in
            try #require(line.split(separator: "\"id\":").last.flatMap { Int($0.prefix { $0.isNumber }) })
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

    @Test func lingeringRefusedClient_isClosedAfterTimeout() throws {
        let fixture = HandlerFixture { $0.lingerSecondsMax = 3 }
        let channel = try fixture.connect(as: User(id: testUser.id + 1, name: "bob"))
        try HandlerFixture.receive(helloLine, on: channel)
        #expect(try HandlerFixture.output(of: channel).contains("permission_denied"))
        fixture.loop.advanceTime(by: .seconds(3))
        #expect(!channel.isActive)
    }
}
