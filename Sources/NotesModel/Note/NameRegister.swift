import Causality
import NoteText
import TextMerge

/// A note's name as a pure function of its revisions.
///
/// Among the revisions that set the name and are not withdrawn, those in the past of another such
/// revision do not count. Of the remaining ones, the one with the greatest dot decides. A withdrawal
/// may set the name too, as long as it is effective. The register covers the revisions
/// above a critical version, like the graph that it is used with, and keeps only the name at that
/// version.
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

    /// Gives the revision that was recorded last another dot, if it set the name.
    mutating func renameNewest(_ dot: Dot, to other: Dot) {
        if settings.last?.dot == dot { settings[settings.count - 1].dot = other }
    }

    /// The name at a version.
    ///
    /// - Complexity: O(1) if no revision above the floor sets the name, otherwise O(settings + graph).
    func name(at version: Version, in view: View) -> NoteName? {
        guard !settings.isEmpty else { return version.isNothing ? nil : floor }
        let withdrawn = version.isNothing ? [] : view.withdrawn(at: version)
        return name(at: version, in: view.graph, withdrawn: withdrawn)
    }

    /// The name at a version of a graph in which some revisions are withdrawn.
    func name(at version: Version, in graph: RevisionGraph, withdrawn: Set<Dot>) -> NoteName? {
        guard let setting = setting(at: version, in: graph, withdrawn: withdrawn) else { return version.isNothing ? nil : floor }
        return setting.name
    }

    private func setting(
        at version: Version, in graph: RevisionGraph, withdrawn: Set<Dot>
    ) -> (dot: Dot, name: NoteName?)? {
        let covered = graph.covered(settings.lazy.map(\.dot), by: version)
        let seen = settings.filter { covered.contains($0.dot) && !withdrawn.contains($0.dot) }
        guard !seen.isEmpty else { return nil }
        let current = graph.reduce(Version(seen.map(\.dot)))
        return seen.filter { current.dots.contains($0.dot) }.max { $0.dot < $1.dot }
    }
}
