import ClientTestKit
import NotesModel
import NotesWire
import TestKit
import Testing

@testable import NotesClient

/// The state machines of a client, without a socket.
struct MachineTests {
    @Test(arguments: seeds(20)) func backoff_doublesToItsBound_withinUpperHalf(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var backoff = Backoff(first: .milliseconds(100), longest: .seconds(5))
        for bound in [100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000, 5_000] {
            let wait = backoff.next(using: &generator)
            #expect(wait >= .milliseconds(bound) / 2 && wait <= .milliseconds(bound), "seed \(seed): \(wait) for \(bound) ms")
        }
        backoff.succeeded()
        #expect(backoff.next(using: &generator) <= .milliseconds(100), "seed \(seed)")
    }

    /// Compares the pipeline with a simple model: each request that was submitted, and neither
    /// answered nor withdrawn, is waiting or in flight, in order.
    @Test(arguments: seeds(50)) func pipeline_sendsEachRequestOnceInOrder_withinLimits(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var pipeline = RequestPipeline(inFlightBytesMax: 100)
        pipeline.inFlightMax = 5
        var waiting: [ClientRequest] = []
        var inFlight: [ClientRequest] = []
        var newest: Int64 = 0
        for _ in 0..<300 {
            switch generator.below(5) {
            case 0, 1:
                newest += 1
                let line = [UInt8](repeating: 0x61, count: generator.below(60))
                let request = ClientRequest(
                    id: newest, line: line, isWrite: generator.chance(0.5), mayBeRepeated: generator.chance(0.5))
                pipeline.submit(request)
                waiting.append(request)
            case 2:
                let sent = pipeline.nextToSend()
                let bytes = inFlight.reduce(0) { $0 + $1.line.count } + (waiting.first?.line.count ?? 0)
                let isAllowed = !waiting.isEmpty && inFlight.count < 5 && (inFlight.isEmpty || bytes <= 100)
                #expect((sent != nil) == isAllowed, "seed \(seed)")
                if let sent {
                    #expect(sent.id == waiting.removeFirst().id, "seed \(seed)")
                    inFlight.append(sent)
                }
            case 3:
                if let oldest = inFlight.first {
                    let isOther = pipeline.answered(oldest.id + 1)
                    let isOldest = pipeline.answered(oldest.id)
                    #expect(!isOther && isOldest, "seed \(seed)")
                    inFlight.removeFirst()
                }
            default:
                if generator.chance(0.2) {
                    let lost = pipeline.connectionLost(resends: true)
                    #expect(lost.map(\.id) == inFlight.filter { !$0.mayBeRepeated }.map(\.id), "seed \(seed)")
                    waiting = inFlight.filter(\.mayBeRepeated) + waiting
                    inFlight = []
                } else if let request = waiting.last {
                    let isThere = pipeline.withdraw(request.id)
                    let isThereStill = pipeline.withdraw(request.id)
                    #expect(isThere && !isThereStill, "seed \(seed)")
                    waiting.removeLast()
                }
            }
            #expect(pipeline.isAnyInFlight == !inFlight.isEmpty, "seed \(seed)")
        }
    }

    private func link(reconnecting: Bool) -> LinkStateMachine {
        LinkStateMachine(reconnecting: reconnecting ? Backoff() : nil, generator: SeededGenerator(seed: 1))
    }

    private let absent = ClientError.daemonNotThere(path: "/x", .noSocket)

    @Test func link_doesNotRetryFirstConnect() {
        var link = link(reconnecting: true)
        #expect(link.start() == .connect)
        #expect(link.failed(absent) == .close)
    }

    @Test func link_reconnectsAfterHello_withRequestedDelay() {
        var link = link(reconnecting: true)
        #expect(link.start() == .connect)
        #expect(link.connected() == .sayHello)
        #expect(link.greeted(Canned.hello()) == .proceed)
        link.closingAnnounced(retryAfterMilliseconds: 7_000)
        #expect(link.failed(.connectionLost(mayHaveHappened: false)) == .pause(.seconds(7)))
        #expect(link.pauseOver() == .connect)
        guard case .pause(let wait) = link.failed(absent) else {
            Issue.record("it gave up")
            return
        }
        #expect(wait < .seconds(1))
        #expect(link.pauseOver() == .connect)
        #expect(link.connected() == .sayHello)
        #expect(link.failed(.notAllowed(message: "")) == .close)
        #expect(link.close() == .nothing)
    }

    @Test func link_clampsRequestedDelay() {
        var link = link(reconnecting: true)
        _ = link.start()
        _ = link.connected()
        _ = link.greeted(Canned.hello())
        link.closingAnnounced(retryAfterMilliseconds: .max)
        #expect(link.failed(.connectionLost(mayHaveHappened: false)) == .pause(.seconds(60)))
    }

    @Test func connectError_separatesForbiddenFromAbsent() {
        guard case .notAllowed = Connector.error(Failing.with(13), path: "/x") else {
            Issue.record("EACCES")
            return
        }
        guard case .daemonNotThere(_, .noSocket) = Connector.error(Failing.with(2), path: "/x") else {
            Issue.record("ENOENT")
            return
        }
        guard case .daemonNotThere(_, .nobodyListens) = Connector.error(Failing.with(111), path: "/x") else {
            Issue.record("ECONNREFUSED")
            return
        }
    }
}
