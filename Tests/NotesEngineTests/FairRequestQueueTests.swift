import Causality
import Dependents
import NotesMethods
import NotesModel
import TestKit
import Testing

@testable import NotesEngine

/// A connection that sends many requests waits for those that send few, and the requests of each
/// connection keep their order.
@Suite struct FairRequestQueueTests {
    private func request(_ requestNumber: UInt64, of dependent: UInt64, _ body: Call = .audit) -> Input {
        .request(Request(dependent: DependentID(dependent), requestNumber: requestNumber, body: .call(body)))
    }

    @Test(arguments: seeds(100))
    func requests_areTakenOnceInOrder_withinTurnLimits(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let (weightMax, ofOneMax) = (random.pick([1, 5, 20, 90]), random.pick([1, 3, 20]))
        let heavy = Call.undo(count: 640)
        var requestQueue = FairRequestQueue()
        var put: [UInt64: [UInt64]] = [:]
        var taken: [UInt64: [UInt64]] = [:]
        var released: Set<UInt64> = []
        var requestNumber: UInt64 = 0
        func take() {
            let inputs = requestQueue.next(weightMax: weightMax, ofOneMax: ofOneMax)
            // The turn defers some: those of a connection from one on.
            let deferring = UInt64(1 + random.below(12))
            var (deferred, isDeferring) = ([Input](), false)
            var (counts, weights) = ([UInt64: Int](), [Int]())
            for input in inputs {
                switch input {
                case .request(let request):
                    let dependent = request.dependent.number
                    #expect(!released.contains(dependent), "seed \(seed): a request after the connection's end")
                    counts[dependent, default: 0] += 1
                    weights.append(request.body.weight)
                    isDeferring = isDeferring || dependent == deferring && random.chance(0.3)
                    if dependent == deferring, isDeferring {
                        deferred.append(input)
                    } else {
                        taken[dependent, default: []].append(request.requestNumber)
                    }
                case .released(let dependent) where dependent.number == deferring && isDeferring: deferred.append(input)
                case .released(let dependent): released.insert(dependent.number)
                case .drained, .lagging, .broadcastWritten, .errand, .tick: break
                }
            }
            let heaviest = weights.max() ?? 0
            #expect(counts.values.allSatisfy { $0 <= ofOneMax }, "seed \(seed)")
            #expect(weights.reduce(0, +) < weightMax + max(1, heaviest), "seed \(seed)")
            requestQueue.putBack(deferred)
        }
        for _ in 0..<60 {
            var inputs: [Input] = []
            for _ in 0..<random.below(30) {
                requestNumber += 1
                let dependent = UInt64(1 + random.below(random.pick([2, 6])))
                let body = random.chance(0.2) ? heavy : .audit
                inputs.append(random.chance(0.1) ? .drained(DependentID(dependent)) : request(requestNumber, of: dependent, body))
                if case .request = inputs[inputs.count - 1] { put[dependent, default: []].append(requestNumber) }
            }
            requestQueue.append(inputs)
            take()
        }
        requestQueue.append(put.keys.sorted().map { .released(DependentID($0)) })
        while !requestQueue.isEmpty { take() }
        #expect(taken == put && released == Set(put.keys), "seed \(seed)")
    }

    /// The writes that a connection sent before it ended are carried out. Its reads are dropped.
    @Test func endedConnection_keepsOnlyWrites() {
        var requestQueue = FairRequestQueue()
        let list = Call.list(ListNotes(limit: 1_000))
        requestQueue.append((1...20).map { request($0, of: 1, $0 % 10 == 0 ? .audit : list) })
        #expect(requestQueue.next(weightMax: 64, ofOneMax: 64).count == 2)
        requestQueue.append([.released(DependentID(1))])
        let rest = requestQueue.next(weightMax: 64, ofOneMax: 64)
        let numbers = rest.compactMap { input in if case .request(let request) = input { request.requestNumber } else { nil } }
        #expect(numbers == [10, 20] && rest.count == 3 && requestQueue.isEmpty)
    }

    /// Fifty connections list a thousand notes, again and again. A read of another connection is in the next
    /// turn, which is not longer than any other.
    @Test(arguments: [1, 20])
    func heavyRequests_delayNoOther(atOnce: UInt64) {
        let list = Call.list(ListNotes(limit: 1_000))
        var requestQueue = FairRequestQueue()
        var waiting = (1...50).map { UInt64($0) }
        for turn in 0..<40 as Range<UInt64> {
            requestQueue.append(
                waiting.flatMap { dependent in
                    (0..<atOnce).map { number in
                        .request(
                            Request(dependent: DependentID(dependent), requestNumber: turn * atOnce + number, body: .call(list)))
                    }
                })
            if turn % 7 == 6 { requestQueue.append([request(turn, of: 99)]) }
            let taken = requestQueue.next(weightMax: 256, ofOneMax: 64).compactMap { input in
                if case .request(let request) = input { request } else { nil }
            }
            #expect(taken.contains { $0.dependent.number == 99 } == (turn % 7 == 6), "turn \(turn)")
            #expect(taken.reduce(0) { $0 + $1.body.weight } < 256 + Request.Body.call(list).weight, "turn \(turn)")
            waiting = taken.filter { $0.requestNumber % atOnce == atOnce - 1 }.map(\.dependent.number).filter { $0 != 99 }
        }
    }

    @Test func flood_delaysNoOther() {
        var requestQueue = FairRequestQueue()
        requestQueue.append((1...1_000).map { request($0, of: 1) })
        requestQueue.append([request(1, of: 2), .drained(DependentID(3))])
        let turn = requestQueue.next(weightMax: 256, ofOneMax: 64)
        #expect(turn.count == 66, "64 of the flood, and all of the others")
    }
}

extension Call {
    fileprivate static func undo(count: Int) -> Call {
        let dots = (1...UInt64(count)).map { Dot(ReplicaID(bits: 1), $0) }
        return .write(.undoNote(UndoNote(id: noteID(1), base: nil, revisions: dots)))
    }
}
