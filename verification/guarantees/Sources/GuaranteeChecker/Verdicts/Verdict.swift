/// The guarantees of the protocol, in the order of its section 7. The raw value is the number
/// there.
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

    /// Name of the guarantee for people.
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

/// A violation of a guarantee, and the events that show it.
package struct Fault: Hashable, Sendable {
    /// The guarantee that is violated.
    package let guarantee: Guarantee
    /// A sentence for people without a full stop. Ids of notes in it are delimited by spaces
    /// (`History.shrunk` relies on that).
    package let words: String
    /// Indices of events, ascending.
    package let events: [Int]

    init(guarantee: Guarantee, words: String, events: [Int]) {
        self.guarantee = guarantee
        self.words = words
        self.events = Set(events).sorted()
    }
}

/// The result of checking a history for one guarantee.
package struct Verdict: Sendable {
    /// Whether the guarantee was kept, broken, or not observed at all.
    package enum Result: String, Sendable {
        case kept
        case broken = "BROKEN"
        case notJudged = "not judged"
    }

    /// The guarantee.
    package let guarantee: Guarantee
    /// The result.
    package let result: Result
    /// Number of observations that the result is based on.
    package let observations: Int
    /// A summary of the observations for people, or the reason why there are none.
    package let words: String
    /// The violations.
    package let faults: [Fault]

    init(_ guarantee: Guarantee, _ observations: Int, _ words: String, _ faults: [Fault]) {
        self.guarantee = guarantee
        self.observations = observations
        self.words = words
        self.faults = faults.filter { $0.guarantee == guarantee }
        result = !self.faults.isEmpty ? .broken : observations == 0 ? .notJudged : .kept
    }
}
