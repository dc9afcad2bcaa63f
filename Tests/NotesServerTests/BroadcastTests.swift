import Causality
import NIOCore
import NIOEmbedded
import NoteText
import NotesModel
import TestKit
import Testing

@testable import Dependents
@testable import NotesEngine
@testable import NotesServer

/// Broadcasts, and what a connection reports to the engine about them.
@Suite struct BroadcastTests {
    private func notification(_ number: UInt64) -> WatchNotification {
        WatchNotification(watch: WatchID(1), number: number, cursor: testRegistered.cursor, event: .synced)
    }

    // MARK: One connection

    @Test func broadcastBehindUnsentLines_isReportedOnce_thenDrained() {
        var connection = DrivenConnection.registered()
        connection.isReading = false
        for number in 1...3 as ClosedRange<UInt64> { connection.happened { $0.delivered(notification(number)) } }
        #expect(connection.written == ["notice 1", "notice 2", "notice 3"] && connection.done.isEmpty)
        let isLagging = connection.state.takeLagging()
        let isReportedAgain = connection.state.takeLagging()
        #expect(isLagging && !isReportedAgain)
        connection.happened { $0.delivered(notification(4)) }
        let isReportedForNext = connection.state.takeLagging()
        #expect(!isReportedForNext)
        connection.read(300)
        #expect(connection.done.isEmpty)
        connection.read(100)
        let isReportedAfterwards = connection.state.takeLagging()
        #expect(connection.done == ["drained"] && !isReportedAfterwards)
    }

    @Test func acceptedBroadcast_isNotReported() {
        var connection = DrivenConnection.registered()
        connection.happened { $0.delivered(notification(1)) }
        let isLagging = connection.state.takeLagging()
        #expect(connection.done.isEmpty && !isLagging)
    }

    /// The engine sent an output before it heard that the connection fell behind. Then it counts
    /// two reports.
    @Test func outputBehindBroadcast_isReportedToo() {
        var connection = DrivenConnection.registered()
        connection.isReading = false
        connection.happened { $0.delivered(notification(1)) }
        let isLagging = connection.state.takeLagging()
        connection.deliver([], notifications: [2])
        connection.read(100)
        #expect(connection.done.isEmpty)
        connection.read(100)
        #expect(isLagging && connection.done == ["drained", "drained"])
    }

    // MARK: Many connections

    /// Broadcasts one change. Returns the weight of its lines.
    @discardableResult
    private func broadcast(
        _ sequence: UInt64, seq: UInt64, to dependents: ClosedRange<UInt64>, on table: ConnectionTable
    ) -> Int {
        let time = Timestamp(milliseconds: 1)
        let head = Head(
            id: testNoteID, name: nil, version: .nothing, vector: .init(), title: "", tags: [], created: time, modified: time,
            author: Author(user: "ada", label: nil), bytes: 0, isDeleted: false, conflicts: [])
        let change = ChangeNotification(
            kind: .edited, state: NoteState(sequence: sequence, head: head, text: nil), include: .meta, base: nil, coalesced: 1,
            origin: nil)
        let cursor = Cursor(CommitPosition(sequence: sequence, replica: testRegistered.identity.replica))
        let changes = RenderedChanges([(cursor, change)], cursor: cursor)
        let recipients = dependents.map { Broadcast.Recipient(dependent: DependentID($0), watch: WatchID(1), seq: seq) }
        table.broadcast(changes, to: recipients)
        return changes.weight * recipients.count
    }

    @Test func broadcasts_areReportedOnceEach_whenAllHaveGotThem() throws {
        let fixture = HandlerFixture()
        let channels = try (1...40).map { _ in try fixture.connectRegistered() }
        fixture.engine.forget()
        try channels[7].close().wait()
        let first = broadcast(1, seq: 1, to: 1...40, on: fixture.table)
        broadcast(2, seq: 2, to: 1...40, on: fixture.table)
        // A response keeps its place behind the lines that are queued before it.
        fixture.table.deliver([
            ConnectionOutput(dependent: DependentID(40), notifications: [notification(3)])
        ])
        fixture.loop.advanceTime(by: .milliseconds(1))
        for (index, channel) in channels.enumerated() where index != 7 {
            let seqs = try HandlerFixture.output(of: channel).split(separator: "\n").compactMap { number("seq", of: String($0)) }
            #expect(seqs == (index == 39 ? [1, 2, 3] : [1, 2]))
        }
        var (weight, reports, drained) = (0, 0, 0)
        for input in fixture.engine.submitted.joined() {
            switch input {
            case .broadcastWritten(let written): (weight, reports) = (weight + written, reports + 1)
            case .drained(let dependent):
                drained += 1
                #expect(dependent == DependentID(40), "only an output is reported")
            case .lagging: Issue.record("every line was accepted")
            default: break
            }
        }
        #expect(weight == 2 * first && reports == 2 && drained == 1)
    }

    /// While many lines wait, a connection with many requests in flight waits for them, and one with a
    /// single request does not.
    @Test func waitingBroadcast_holdsBackFloods() throws {
        let fixture = HandlerFixture()
        let flood = try fixture.connectRegistered()
        let other = try fixture.connectRegistered()
        fixture.engine.forget()
        fixture.clock.tick = .microseconds(100)
        broadcast(1, seq: 1, to: 3...20_000, on: fixture.table)
        let request = #"{"jsonrpc":"2.0","id":7,"method":"daemon.status"}"# + "\n"
        try HandlerFixture.receive(String(repeating: request, count: 20), on: flood)
        try HandlerFixture.receive(request, on: other)
        fixture.table.gather(.drained(DependentID(1)))
        fixture.loop.run()
        #expect(submitted(fixture) == ["2", "drained"])
        for _ in 0..<10_000 where submitted(fixture).count < 23 { fixture.loop.advanceTime(by: .milliseconds(1)) }
        let rest = submitted(fixture).dropFirst(2)
        #expect(rest.filter { $0 == "1" }.count == 20 && rest.contains("written") && rest.count == 21)
        _ = try flood.finish(acceptAlreadyClosed: true)
        _ = try other.finish(acceptAlreadyClosed: true)
    }

    /// The requests of a flood wait for 50 ms, and then for no more than one part of a broadcast. The test
    /// keeps the loop from writing meanwhile, because it would write the whole broadcast in less time.
    @Test func waitOfFloods_endsInTheMiddleOfABroadcast() throws {
        let fixture = HandlerFixture()
        let flood = try fixture.connectRegistered()
        fixture.engine.forget()
        fixture.clock.tick = .microseconds(100)
        fixture.table.isSliceScheduled = true
        broadcast(1, seq: 1, to: 2...20_000, on: fixture.table)
        let request = #"{"jsonrpc":"2.0","id":7,"method":"daemon.status"}"# + "\n"
        try HandlerFixture.receive(String(repeating: request, count: 20), on: flood)
        fixture.loop.advanceTime(by: .milliseconds(50))
        #expect(submitted(fixture) == [])
        fixture.table.isSliceScheduled = false
        fixture.table.deliver([ConnectionOutput]())
        fixture.loop.run()
        try #require(!fixture.table.waiting.isEmpty, "one slice of time is not enough for all recipients")
        #expect(submitted(fixture) == Array(repeating: "1", count: 20))
        fixture.table.closeAll()
        _ = try flood.finish(acceptAlreadyClosed: true)
    }

    /// The submitted inputs by name, and each request as the number of its connection.
    private func submitted(_ fixture: HandlerFixture) -> [String] {
        fixture.engine.submitted.joined().map { input in
            switch input {
            case .request(let request): "\(request.dependent.number)"
            case .broadcastWritten: "written"
            case .drained: "drained"
            default: "other"
            }
        }
    }

    // MARK: Sockets that fill up

    /// Watchers that read at random times, one only at the end. Each gets lines whose numbers rise
    /// by one and whose texts never become older, and in the end the newest text of every note.
    @Test(arguments: seeds(6)) func randomReaders_missNothing(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let server = try await TestServer(threads: random.pick([1, 2]))
        let writer = try await SocketClient.registered(at: server.path)
        let isLong = random.chance(0.7)
        let filler = String(repeating: "x", count: isLong ? 20_000 : 100)
        var readers: [Reader] = []
        for _ in 0..<6 {
            let socket = try await SocketClient.registered(at: server.path)
            _ = try await socket.call(2, "notes.watch", #"{"include":"text"}"#)
            readers.append(Reader(socket: socket))
        }
        let ids = (0..<3).map { "01890000-0000-7000-8000-00000000000\($0)" }
        var bases: [Int: Substring] = [:]
        var newest: [Int: Int] = [:]
        for request in 2...151 {
            let note = random.below(3)
            newest[note, default: 0] += 1
            let base = bases[note].map { #""base":"\#($0)","# } ?? ""
            let response = try await writer.call(
                request, base.isEmpty ? "note.create" : "note.save",
                #"{"id":"\#(ids[note])",\#(base)"text":"\#(newest[note] ?? 0) \#(filler)"}"#)
            bases[note] = member("version", of: response)
            if random.chance(0.2) {
                let reader = 1 + random.below(5)
                try await readers[reader].read(until: newest, of: ids)
            }
        }
        for reader in readers.indices { try await readers[reader].read(until: newest, of: ids) }
        for (index, reader) in readers.enumerated() {
            #expect(reader.faults.isEmpty, "seed \(seed), reader \(index)")
        }
        if isLong { #expect(readers[0].lines < 150, "seed \(seed): what it did not read was coalesced") }
        try await server.stop()
    }

    /// A watcher of all notes, whose texts begin with a number that rises.
    private struct Reader {
        let socket: SocketClient
        private(set) var lines = 0
        private(set) var faults: [String] = []
        private var seq = 0
        private var texts: [Substring: Int] = [:]

        init(socket: SocketClient) {
            self.socket = socket
        }

        /// Reads until it has the given text of every note.
        mutating func read(until newest: [Int: Int], of ids: [String]) async throws {
            while newest.contains(where: { texts[ids[$0][...], default: 0] < $1 }) {
                let line = try #require(try await socket.line())
                seq += 1
                if number("seq", of: line) != seq { faults.append("number \(seq) expected: \(line.prefix(200))") }
                guard line.contains("note.changed"), let id = member("id", of: line), let text = number("text", of: line) else {
                    continue
                }
                lines += 1
                if text <= texts[id, default: 0] { faults.append("text \(text) of \(id) after \(texts[id] ?? 0)") }
                texts[id] = text
            }
        }
    }
}

/// The value of a member that is a string or a number, up to its first character that a number or
/// a version has not.
private func member(_ name: String, of line: String) -> Substring? {
    guard let start = line.firstRange(of: "\"\(name)\":") else { return nil }
    return line[start.upperBound...].drop { $0 == "\"" }.prefix { !" \",}".contains($0) }
}

/// The number that a member is or begins with.
private func number(_ name: String, of line: String) -> Int? {
    member(name, of: line).flatMap { Int($0) }
}
