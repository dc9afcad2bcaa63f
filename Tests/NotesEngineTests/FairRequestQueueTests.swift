import NotesModel
import TestKit
import Testing

@testable import NotesEngine

/// A connection that sends many requests waits for those that send few, and the requests of each
/// connection keep their order.
@Suite struct FairRequestQueueTests {
    private func request(_ requestNumber: UInt64, of dependent: UInt64) -> Input {
        .request(Request(dependent: DependentID(dependent), requestNumber: requestNumber, body: .status))
    }

    @Test(arguments: seeds(100))
    func requests_areTakenOnceInOrder_withinTurnLimits(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let (requestsMax, ofOneMax) = (random.pick([1, 5, 20]), random.pick([1, 3, 20]))
        var requestQueue = FairRequestQueue()
        var put: [UInt64: [UInt64]] = [:]
        var taken: [UInt64: [UInt64]] = [:]
        var released: Set<UInt64> = []
        var requestNumber: UInt64 = 0
        func take() {
            let inputs = requestQueue.next(requestsMax: requestsMax, ofOneMax: ofOneMax)
            var counts: [UInt64: Int] = [:]
            for input in inputs {
                switch input {
                case .request(let request):
                    let dependent = request.dependent.number
                    #expect(!released.contains(dependent), "seed \(seed): a request after the connection's end")
                    counts[dependent, default: 0] += 1
                    taken[dependent, default: []].append(request.requestNumber)
                case .released(let dependent): released.insert(dependent.number)
                case .drained, .lagging, .broadcastWritten, .errand, .tick: break
                }
            }
            #expect(counts.values.allSatisfy { $0 <= ofOneMax } && counts.values.reduce(0, +) <= requestsMax, "seed \(seed)")
        }
        for _ in 0..<60 {
            var inputs: [Input] = []
            for _ in 0..<random.below(30) {
                requestNumber += 1
                let dependent = UInt64(1 + random.below(random.pick([2, 6])))
                inputs.append(random.chance(0.1) ? .drained(DependentID(dependent)) : request(requestNumber, of: dependent))
                if case .request = inputs[inputs.count - 1] { put[dependent, default: []].append(requestNumber) }
            }
            requestQueue.append(inputs)
            take()
        }
        requestQueue.append(put.keys.sorted().map { .released(DependentID($0)) })
        while !requestQueue.isEmpty { take() }
        #expect(taken == put && released == Set(put.keys), "seed \(seed)")
    }

    @Test func flood_delaysNoOther() {
        var requestQueue = FairRequestQueue()
        requestQueue.append((1...1_000).map { request($0, of: 1) })
        requestQueue.append([request(1, of: 2), .drained(DependentID(3))])
        let turn = requestQueue.next(requestsMax: 256, ofOneMax: 64)
        #expect(turn.count == 66, "64 of the flood, and all of the others")
    }
}
