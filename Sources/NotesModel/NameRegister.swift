import Causality

/// A note's name as a pure function of its revisions: of those that set it and that no other such revision has seen, the one
/// with the greatest dot says it.
///
/// Held above a critical version, like the graph that it is asked with: below that, only what the name was there.
struct NameRegister: Sendable {
    /// The name at the graph's floor.
    private let floor: NoteName?
    private var settings: [(dot: Dot, name: NoteName?)] = []

    init(floor: NoteName?) {
        self.floor = floor
    }

    mutating func record(_ dot: Dot, _ edit: NameEdit) {
        if case .set(let name) = edit { settings.append((dot, name)) }
    }

    /// - Complexity: O(1) where no revision above the floor sets the name, else O(settings × the graph).
    func name(at version: Version, in graph: RevisionGraph) -> NoteName? {
        guard !settings.isEmpty else { return version.isNothing ? nil : floor }
        let seen = settings.filter { graph.covers(version, $0.dot) }
        guard !seen.isEmpty else { return version.isNothing ? nil : floor }
        let current = graph.reduce(Version(seen.map(\.dot)))
        return seen.filter { current.dots.contains($0.dot) }.max { $0.dot < $1.dot }?.name
    }
}
