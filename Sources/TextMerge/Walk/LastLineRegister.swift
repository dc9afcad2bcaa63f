import Causality

/// Whether a note's text lacks the last LF of its kept sequence (`KeptEdits`), as a pure function
/// of its revisions.
///
/// The newest revisions that set it decide. If they differ, the LF is shown.
struct LastLineRegister: Sendable {
    /// The value at the graph's floor.
    private let floor: Bool
    /// The settings above the floor, in the order of the graph.
    private var settings: [(ordinal: Int, hidesLast: Bool)] = []

    init(floor: Bool) {
        self.floor = floor
    }

    mutating func record(_ hidesLast: Bool?, by ordinal: Int) {
        if let hidesLast { settings.append((ordinal, hidesLast)) }
    }

    /// Whether every version has the same value, so that no version needs to be looked at.
    private var constant: Bool? { settings.allSatisfy { $0.hidesLast == floor } ? floor : nil }

    /// The value at a version.
    ///
    /// - Parameter withdrawn: the revisions that are withdrawn at the version.
    /// - Complexity: O(settings) if all of them have the value of the floor; otherwise O(settings x
    ///   graph).
    func hidesLast(at version: Version, in graph: RevisionGraph, withdrawn: Set<Int>) -> Bool {
        if let constant { return constant }
        let seen = settings.filter { !withdrawn.contains($0.ordinal) && graph.covers(version, graph.dots[$0.ordinal]) }
        guard !seen.isEmpty else { return floor }
        let newest = graph.reduce(Version(seen.map { graph.dots[$0.ordinal] }))
        return seen.allSatisfy { $0.hidesLast || !newest.dots.contains(graph.dots[$0.ordinal]) }
    }
}
