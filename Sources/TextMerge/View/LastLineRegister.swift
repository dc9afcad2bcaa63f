import BitCollections
import Causality

/// Whether a note's text lacks the last LF of its kept sequence (`KeptEdits`), as a pure function
/// of its revisions.
///
/// The newest revisions that set it decide. If they differ, the LF is shown.
struct LastLineRegister: Sendable {
    /// The value at the graph's floor.
    private let floor: Bool
    /// The value that each revision above the floor sets; nil if the revision leaves it unchanged.
    private var settings: [Bool?] = []
    /// The newest revisions that set the value, among each revision and its past above the floor.
    /// Consecutive revisions that leave the value share one list.
    private var newest: [[Int]] = []

    init(floor: Bool) {
        self.floor = floor
    }

    /// Records what the next revision of the graph sets.
    ///
    /// - Complexity: O(1) for a revision with one parent, or one that sets the value; otherwise that
    ///   of reducing a version.
    mutating func record(_ hidesLast: Bool?, in graph: RevisionGraph) {
        let ordinal = settings.count
        settings.append(hidesLast)
        if hidesLast != nil {
            newest.append([ordinal])
        } else {
            let parents = graph.parentOrdinals(at: ordinal)
            newest.append(parents.count == 1 ? newest[parents[0]] : latest(of: parents.flatMap { newest[$0] }, graph))
        }
    }

    /// The settings that are not in the past of another one.
    private func latest(of settings: [Int], _ graph: RevisionGraph) -> [Int] {
        let all = Set(settings)
        guard all.count > 1 else { return Array(all) }
        return graph.reduce(Version(all.map { graph.dots[$0] })).dots.compactMap { graph.ordinal(of: $0) }
    }

    /// The value at a version.
    ///
    /// - Parameter withdrawn: the revisions that are withdrawn at the version.
    /// - Complexity: O(siblings), unless the newest settings differ, and the newest settings that are
    ///   withdrawn.
    func hidesLast(at version: Version, in graph: RevisionGraph, withdrawn: BitSet) -> Bool {
        let deciding = version.dots.compactMap { graph.ordinal(of: $0) }.flatMap { newest[$0] }
        return value(of: withdrawn.isEmpty ? deciding : counting(from: deciding, graph, withdrawn), graph)
    }

    /// The settings that count and that are the newest in the past of the given ones: each that is
    /// withdrawn is replaced by the newest in its past.
    private func counting(from settings: [Int], _ graph: RevisionGraph, _ withdrawn: BitSet) -> [Int] {
        guard settings.contains(where: { withdrawn.contains($0) }) else { return settings }
        var counting: [Int] = []
        var visited = BitSet()
        var stack = settings
        while let setting = stack.popLast() {
            guard visited.insert(setting).inserted else { continue }
            guard withdrawn.contains(setting) else {
                counting.append(setting)
                continue
            }
            for parent in graph.parentOrdinals(at: setting) { stack += newest[parent] }
        }
        return counting
    }

    /// The value that the newest of some settings give.
    private func value(of settings: [Int], _ graph: RevisionGraph) -> Bool {
        guard let first = settings.first else { return floor }
        let isHidden = self.settings[first] == true
        if settings.allSatisfy({ (self.settings[$0] == true) == isHidden }) { return isHidden }
        let newest = latest(of: settings, graph)
        return newest.allSatisfy { self.settings[$0] == true }
    }
}
