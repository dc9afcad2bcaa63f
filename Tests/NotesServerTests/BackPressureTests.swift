import NotesModel
import NotesWire
import TestKit
import Testing

@testable import NotesEngine
@testable import NotesServer

/// Limits of one connection. Reaching them is no error, except for a line that is too long.
@Suite struct BackPressureTests {
    @Test func inFlightMax_pausesReadingUntilResponses() {
        var limits = ServiceLimits()
        limits.inFlightMax = 3
        var connection = DrivenConnection.registered(limits: limits)
        connection.receive((2...9).map { line($0, "daemon.status") }.joined())
        #expect(connection.submitted.map(\.requestNumber) == [2, 3, 4])
        #expect(!connection.state.wantsBytes)
        connection.response(2)
        #expect(connection.submitted.map(\.requestNumber) == [2, 3, 4, 5])
        connection.response(3, 4, 5)
        connection.response(6, 7, 8)
        connection.response(9)
        #expect(connection.written == (2...9).map { "response \($0)" })
        #expect(connection.state.wantsBytes)
    }

    @Test func serverResponses_countAsUnread() {
        var limits = ServiceLimits()
        limits.inFlightMax = 3
        var connection = DrivenConnection.registered(limits: limits)
        connection.receive(line(2, "daemon.status") + (3...9).map { line($0, "session.ping") }.joined())
        #expect(connection.submitted.count == 1)
        #expect(!connection.state.wantsBytes)
        connection.response(2)
        #expect(connection.written == ["response 2"] + (3...9).map { "pong \($0)" })
    }

    @Test func unreadResponses_pauseReading() {
        var limits = ServiceLimits()
        limits.responseBytesMax = 1_000
        var connection = DrivenConnection.registered(limits: limits)
        connection.isReading = false
        connection.receive((2...50).map { line($0, "session.ping") }.joined())
        #expect(connection.written.count == 10, "1,000 bytes in lines of 100")
        #expect(!connection.state.wantsBytes)
        connection.read(100)
        #expect(connection.written.count == 11)
        while connection.unread > 0 { connection.read(350) }
        #expect(connection.written == (2...50).map { "pong \($0)" })
        #expect(connection.state.wantsBytes)
    }

    @Test func engineResponses_waitUnencodedForSlowReader() {
        var limits = ServiceLimits()
        limits.responseBytesMax = 250
        var connection = DrivenConnection.registered(limits: limits)
        connection.isReading = false
        connection.receive((2...9).map { line($0, "daemon.status") }.joined())
        connection.response(2, 3, 4, 5, 6, 7, 8, 9)
        #expect(connection.written.count == 3)
        while connection.unread > 0 { connection.read(100) }
        #expect(connection.written == (2...9).map { "response \($0)" })
    }

    @Test func requestBytes_areBoundedTogether() {
        var limits = ServiceLimits()
        limits.lineBytesMax = 1_000
        var connection = DrivenConnection.registered(limits: limits)
        let long = line(2, "note.create", #"{"text":"\#(String(repeating: "x", count: 600))"}"#)
        connection.receive(long + long + long)
        #expect(connection.submitted.count == 2, "the second is begun while the first leaves room")
        connection.response(2)
        #expect(connection.submitted.count == 3)
    }

    @Test func drained_isReportedOnceAfterLastNotification() {
        var connection = DrivenConnection.registered()
        connection.isReading = false
        connection.deliver([], notifications: [1, 2])
        connection.read(100)
        #expect(connection.done.isEmpty)
        connection.read(100)
        #expect(connection.done == ["drained"])
        connection.receive(line(2, "session.ping"))
        connection.read(.max)
        #expect(connection.done == ["drained"])
    }

    @Test func overlongLine_isAnswered_andTheThirdCloses() {
        var limits = ServiceLimits()
        limits.lineBytesMax = 500
        var connection = DrivenConnection.registered(limits: limits)
        let overlong = String(repeating: "x", count: 501) + "\n"
        connection.receive(overlong + line(2, "session.ping"))
        connection.receive(overlong + line(3, "daemon.status") + overlong + line(4, "session.ping"))
        #expect(connection.written == ["refused - line_too_long", "pong 2", "refused - line_too_long"])
        #expect(connection.done.isEmpty, "an answer is owed")
        connection.response(2)
        #expect(connection.written.suffix(2) == ["response 3", "refused - line_too_long"])
        #expect(connection.done == ["closeOutput"])
    }

    @Test func lineLimit_risesAfterHello() {
        var connection = DrivenConnection(helloLineBytesMax: 200)
        let long = line(2, "note.create", #"{"text":"\#(String(repeating: "x", count: 600))"}"#)
        connection.receive(long)
        #expect(connection.written == ["refused - line_too_long"])
        connection.receive(helloLine + long)
        #expect(connection.submitted.count == 2)
    }

    /// For any order of events, each request gets one response, in order, and no limit is exceeded.
    @Test func randomEvents_keepOrderAndLimits() {
        for seed in seeds(200) {
            var generator = SeededGenerator(seed: seed)
            var limits = ServiceLimits()
            limits.inFlightMax = 1 + generator.below(5)
            limits.responseBytesMax = 100 * (1 + generator.below(5))
            var connection = DrivenConnection.registered(limits: limits)
            connection.isReading = generator.chance(0.3)
            var nextID = 2
            while nextID < 60 {
                switch generator.below(3) {
                case 0:
                    let methods = (0...generator.below(8)).map { _ in generator.chance(0.5) ? "session.ping" : "daemon.status" }
                    for method in methods {
                        connection.receive(line(nextID, method))
                        nextID += 1
                    }
                case 1: connection.read(generator.below(400))
                default:
                    if let next = connection.submitted.first {
                        connection.submitted.removeFirst()
                        let isRight = connection.response(next.requestNumber)
                        #expect(isRight, "seed \(seed)")
                    }
                }
                #expect(connection.submitted.count <= limits.inFlightMax, "seed \(seed)")
                #expect(connection.unread < limits.responseBytesMax + connection.lineBytes, "seed \(seed)")
            }
            for _ in 0..<1_000 where connection.written.count < nextID - 2 {
                connection.read(.max)
                if let next = connection.submitted.first {
                    connection.submitted.removeFirst()
                    connection.response(next.requestNumber)
                }
            }
            let ids = connection.written.compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }
            #expect(ids == Array(2..<nextID), "seed \(seed)")
        }
    }
}
