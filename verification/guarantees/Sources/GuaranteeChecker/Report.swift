/// The verdicts over several histories. A guarantee is broken if any history breaks it, and kept if
/// no history breaks it and at least one has observations of it.
package struct Report {
    /// The verdict on one guarantee.
    package struct Line: Sendable {
        /// The guarantee.
        package let guarantee: Guarantee
        /// Number of observations in all histories.
        package var observations = 0
        /// The observations of the newest history that has any, for people.
        package var words = ""
        /// The first faults, each with a history that was reduced to show it.
        package var faults: [(fault: Fault, history: History)] = []
        /// Number of faults in all histories.
        package var faultsCount = 0

        /// The result over all histories.
        package var result: Verdict.Result { faultsCount > 0 ? .broken : observations > 0 ? .kept : .notJudged }
    }

    /// One line for each guarantee, in the order of the protocol.
    package private(set) var lines: [Line]
    /// Largest number of faults that are kept for one guarantee.
    private static let shownMax = 3

    /// Makes verdicts without histories, for these guarantees.
    package init(only guarantees: Set<Guarantee> = Set(Guarantee.allCases)) {
        lines = guarantees.sorted().map { Line(guarantee: $0) }
    }

    /// Whether any guarantee is broken.
    package var isBroken: Bool { lines.contains { $0.result == .broken } }

    /// Checks a history and adds its verdicts.
    package mutating func check(_ history: History) {
        let verdicts = Dictionary(uniqueKeysWithValues: Checker.verdicts(of: history).map { ($0.guarantee, $0) })
        for index in lines.indices {
            guard let verdict = verdicts[lines[index].guarantee] else { continue }
            let before = lines[index].observations
            lines[index].observations += verdict.observations
            if before == 0 || verdict.observations > 0 { lines[index].words = verdict.words }
            lines[index].faultsCount += verdict.faults.count
            for fault in verdict.faults.prefix(max(0, Self.shownMax - lines[index].faults.count)) {
                lines[index].faults.append((fault, history.shrunk(to: fault)))
            }
        }
    }
}
