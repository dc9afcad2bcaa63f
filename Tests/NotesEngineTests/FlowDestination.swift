import Causality
import NoteText
import NotesMethods
import NotesModel
import NotesWire
import Replication
import Synchronization
import TestKit

/// The receiving end of a `FlowWorld`.
struct FlowDestination: ExchangeStore {
    let world: FlowWorld
    let hasFiles = false
    var store: ReplicaID { ReplicaID(bits: 2) }
    var replica: ReplicaID { ReplicaID(bits: 12) }

    func known(digests: DotSet) async throws -> KnownRevisionsResult {
        try world.state.withLock { state in
            if state.isDestinationCut() { throw FlowWorld.Cut() }
            (state.destination.seen, state.destination.lastPage) = ([], 0)
            return KnownRevisionsResult(
                known: DotSet(state.destination.held.map(FlowWorld.dot)),
                quarantined: DotSet(state.destination.quarantined.map(FlowWorld.dot)),
                waiting: state.destination.waiting.count, forms: [2], view: 1)
        }
    }

    func adopt(_ offer: AdoptParams, placed: @escaping @Sendable () -> Void) async throws -> AdoptAnswer {
        await world.pause(3)
        let fate = world.state.withLock { $0.place(offer) }
        guard fate != .failsUnplaced else { throw FlowWorld.Cut() }
        placed()
        if fate == .hangs { try await Task.sleep(for: .seconds(3_600)) }
        await world.pause(12)
        world.state.withLock { $0.destination.offersUnderWay -= 1 }
        guard case .answers(let answer) = fate else { throw FlowWorld.Cut() }
        return answer
    }

    func watch(_ params: WatchRevisions) async throws -> RevisionPages { throw FlowWorld.Cut() }
    func proceed(_ params: ProceedParams) async throws { throw FlowWorld.Cut() }
    func complete(_ revisions: DotSet) async throws {}
    func answer<Answer: WireResult>(to request: FileRequest, as answer: Answer.Type) async throws -> Answer {
        throw FlowWorld.Cut()
    }
}

extension FlowWorld.State {
    enum Fate: Equatable {
        case answers(AdoptAnswer)
        case failsUnplaced
        /// The destination may have taken the offer, and the answer is lost.
        case fails
        /// No answer comes, and an earlier offer fails.
        case hangs
    }

    mutating func isDestinationCut() -> Bool {
        if isCutNow() { destination.isCut = true }
        return destination.isCut
    }

    /// Takes an offer in its turn.
    mutating func place(_ offer: AdoptParams) -> Fate {
        let wasCut = destination.isCut
        guard !isDestinationCut() || (!wasCut && random.chance(0.5)) else {
            return wasCut && destination.offersUnderWay > 0 ? .hangs : .failsUnplaced
        }
        destination.offersUnderWay += 1
        if destination.offersUnderWay == 2 { coverage.pairs += 1 }
        if destination.offersUnderWay > 2 { faults.append("three offers were under way") }
        let numbers = offer.beginnings.map { FlowWorld.number(of: $0.revision) } + offer.revisions.map(FlowWorld.number)
        let new = numbers.filter { !destination.seen.contains($0) }
        for number in new {
            guard let page = source.unacknowledged.prefix(2).first(where: { FlowWorld.numbers(in: $0).contains(number) }) else {
                faults.append("\(number) was offered without its page, or too early")
                continue
            }
            if page.seq < destination.lastPage {
                faults.append("page \(page.seq) was offered after page \(destination.lastPage)")
            }
            destination.lastPage = page.seq
        }
        destination.seen.formUnion(new)
        let answer = answer(to: numbers, begun: Set(offer.beginnings.map { FlowWorld.number(of: $0.revision) }))
        destination.offers += 1
        return destination.isCut ? .fails : .answers(answer)
    }

    private mutating func answer(to numbers: [Int], begun: Set<Int>) -> AdoptAnswer {
        if let fullAt = script.fullAt, destination.offers >= fullAt {
            destination.isFull = true
            coverage.fulls += 1
            return .later("full")
        }
        if destination.latersInSequence < 3, random.chance(script.laterChance) {
            destination.latersInSequence += 1
            coverage.laters += 1
            return .later("busy")
        }
        destination.latersInSequence = 0
        if !script.poison.isDisjoint(with: numbers) {
            if numbers.count > 1 { coverage.oneByOne += 1 }
            return .unacceptable("poison")
        }
        var result = AdoptResult(AdoptionReport(), unreadable: [])
        let before = destination.taken
        for number in numbers { take(number, isBeginning: begun.contains(number), &result) }
        result.committed = destination.taken - before
        let isPair = destination.offersUnderWay == 2
        if let restartAt = script.restartAt, destination.offers >= restartAt + (isPair ? 0 : 3), let lost = script.held.min() {
            script.restartAt = nil
            destination.held.remove(lost)
            result.restart = true
            if isPair { coverage.restartsInPairs += 1 }
        }
        return .adopted(result)
    }

    private mutating func take(_ number: Int, isBeginning: Bool, _ result: inout AdoptResult) {
        let dot = FlowWorld.dot(number)
        guard !script.unfit.contains(number) else {
            if isBeginning {
                result.notBegun.append(.init(dot: dot, reason: "unfit"))
            } else {
                destination.quarantined.insert(number)
                result.quarantined.append(.init(dot: dot, reason: "unfit"))
            }
            return
        }
        guard !destination.held.contains(number) else {
            result.known += 1
            return
        }
        guard destination.held.isSuperset(of: script.parents[number]) else {
            if destination.waiting.contains(number) || destination.waiting.count < script.waitingMax {
                destination.waiting.insert(number)
                return result.waiting.append(dot)
            }
            if script.accepted.contains(number) { coverage.refusedBeforeTheirParents += 1 }
            return result.refused.append(dot)
        }
        destination.waiting.remove(number)
        destination.held.insert(number)
        destination.taken += 1
        let freed = destination.waiting.filter { destination.held.isSuperset(of: script.parents[$0]) }.sorted()
        for number in freed where destination.waiting.contains(number) { take(number, isBeginning: false, &result) }
        result.waiting.removeAll { destination.held.contains(FlowWorld.number(of: $0)) }
    }
}
