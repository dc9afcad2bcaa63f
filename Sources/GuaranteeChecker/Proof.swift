/// The verdicts over several histories: a guarantee is broken where it is in one of them, and kept where it was judged in one.
package struct Proof {
    package struct Line: Sendable {
        package let guarantee: Guarantee
        package var observations = 0
        package var words = ""
        package var faults: [(fault: Fault, history: History)] = []
        package var faultsCount = 0

        package var result: Verdict.Result { faultsCount > 0 ? .broken : observations > 0 ? .kept : .notJudged }
    }

    package private(set) var lines: [Line]
    /// Faults that are shown of one guarantee.
    private static let shownMax = 3

    package init(only guarantees: Set<Guarantee> = Set(Guarantee.allCases)) {
        lines = guarantees.sorted().map { Line(guarantee: $0) }
    }

    package var isBroken: Bool { lines.contains { $0.result == .broken } }

    package mutating func judge(_ history: History) {
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
