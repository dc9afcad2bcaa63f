/// The guarantees of the protocol, section 7, in its order.
package enum Guarantee: String, CaseIterable, Sendable, Comparable {
    case durable = "G1"
    case nothingLost = "G2"
    case durableFirst = "G3"
    case ordered = "G4"
    case reliable = "G5"
    case resumable = "G6"
    case isolated = "G7"
    case convergent = "G8"
    case identity = "G9"
    case refusedWhole = "G10"

    package var words: String {
        switch self {
        case .durable: "durable"
        case .nothingLost: "nothing lost"
        case .durableFirst: "durable before visible"
        case .ordered: "ordered, unique"
        case .reliable: "reliable"
        case .resumable: "resumable"
        case .isolated: "isolated"
        case .convergent: "convergent"
        case .identity: "identity"
        case .refusedWhole: "refused whole"
        }
    }

    private var number: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    package static func < (left: Guarantee, right: Guarantee) -> Bool { left.number < right.number }
}

/// One way in which a guarantee does not hold, and the events that show it.
package struct Fault: Hashable, Sendable {
    package let guarantee: Guarantee
    package let words: String
    /// Indices of events, in their order.
    package let events: [Int]

    init(guarantee: Guarantee, words: String, events: [Int]) {
        self.guarantee = guarantee
        self.words = words
        self.events = Set(events).sorted()
    }
}

/// What a history says of one guarantee.
package struct Verdict: Sendable {
    package enum Result: String, Sendable {
        case kept
        case broken = "BROKEN"
        case notJudged = "not judged"
    }

    package let guarantee: Guarantee
    package let result: Result
    /// How many observations it rests on.
    package let observations: Int
    /// What was observed; or why nothing was.
    package let words: String
    package let faults: [Fault]

    init(_ guarantee: Guarantee, _ observations: Int, _ words: String, _ faults: [Fault]) {
        self.guarantee = guarantee
        self.observations = observations
        self.words = words
        self.faults = faults.filter { $0.guarantee == guarantee }
        result = !self.faults.isEmpty ? .broken : observations == 0 ? .notJudged : .kept
    }
}
