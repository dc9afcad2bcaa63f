import NotesModel
import TestKit
import Testing

@testable import NotesEngine

/// Who sends much waits behind who sends little, and nobody's requests change places.
@Suite struct BacklogTests {
    private func request(_ ticket: UInt64, of dependent: UInt64) -> Input {
        .request(Request(dependent: DependentID(dependent), ticket: ticket, body: .status))
    }

    @Test(arguments: seeds(200))
    func everythingIsTakenOnce_inTheOrderOfItsConnection_andNoTurnIsTooLong(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let (requestsMax, ofOneMax) = (random.pick([1, 5, 20]), random.pick([1, 3, 20]))
        var backlog = Backlog()
        var put: [UInt64: [UInt64]] = [:]
        var taken: [UInt64: [UInt64]] = [:]
        var released: Set<UInt64> = []
        var ticket: UInt64 = 0
        func take() {
            let inputs = backlog.next(requestsMax: requestsMax, ofOneMax: ofOneMax)
            var counts: [UInt64: Int] = [:]
            for input in inputs {
                switch input {
                case .request(let request):
                    let dependent = request.dependent.number
                    #expect(!released.contains(dependent), "seed \(seed): a request after the connection's end")
                    counts[dependent, default: 0] += 1
                    taken[dependent, default: []].append(request.ticket)
                case .released(let dependent): released.insert(dependent.number)
                case .drained, .allDrained, .errand, .tick: break
                }
            }
            #expect(counts.values.allSatisfy { $0 <= ofOneMax } && counts.values.reduce(0, +) <= requestsMax, "seed \(seed)")
        }
        for _ in 0..<60 {
            var inputs: [Input] = []
            for _ in 0..<random.below(30) {
                ticket += 1
                let dependent = UInt64(1 + random.below(random.pick([2, 6])))
                inputs.append(random.chance(0.1) ? .drained(DependentID(dependent)) : request(ticket, of: dependent))
                if case .request = inputs[inputs.count - 1] { put[dependent, default: []].append(ticket) }
            }
            backlog.append(inputs)
            take()
        }
        backlog.append(put.keys.sorted().map { .released(DependentID($0)) })
        while !backlog.isEmpty { take() }
        #expect(taken == put && released == Set(put.keys), "seed \(seed)")
    }

    @Test func aFlood_holdsUpNobodyElse() {
        var backlog = Backlog()
        backlog.append((1...1_000).map { request($0, of: 1) })
        backlog.append([request(1, of: 2), .drained(DependentID(3))])
        let turn = backlog.next(requestsMax: 256, ofOneMax: 64)
        #expect(turn.count == 66, "64 of the flood, and all of the others")
    }
}
