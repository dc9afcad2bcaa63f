import Causality
import NotesModel

/// Selects the dots whose digests two stores compare. A part contains the newest dots of both running daemons,
/// since a peer may have forged revisions under dots that were still unused, and the next stretch of all common
/// dots. The first stretch begins at a random place, and the last dot is followed by the first.
struct RevisionComparison {
    /// The number of dots of a part for each of the runs.
    private static let newestMax = 128

    /// The place at which the next stretch begins, as a fraction of the common dots.
    private var place: Double

    /// - Parameter place: from 0 up to 1.
    init(from place: Double) { self.place = place }

    /// The dots of the next part.
    ///
    /// - Parameters:
    ///   - common: the dots that both stores hold.
    ///   - runs: the replicas of the present runs of both daemons.
    mutating func next(of common: DotSet, runs: [ReplicaID]) -> DotSet {
        let count = common.count
        guard count > RevisionDigest.countMax else { return common }
        var part = DotSet()
        for run in Set(runs) {
            guard let last = common.ranges(of: run).last else { continue }
            part.insert(
                max(last.lowerBound, last.upperBound - min(last.upperBound, UInt64(Self.newestMax)) + 1)...last.upperBound,
                of: run)
        }
        let stretch = RevisionDigest.countMax - part.count
        let from = min(Int(place * Double(count)), count - 1)
        let first = common.dots(from: from, count: stretch)
        for dot in first + common.dots(from: 0, count: stretch - first.count) { part.insert(dot) }
        place = Double((from + stretch) % count) / Double(count)
        return part
    }

    /// The dots under which two stores hold different revisions, with what to say about each.
    static func differences(_ mine: [RevisionDigest], _ theirs: [RevisionDigest]) -> [(dot: Dot, what: String)] {
        let held = Dictionary(mine.lazy.map { ($0.dot, $0) }) { first, _ in first }
        return theirs.compactMap { other in
            guard let own = held[other.dot], !own.agrees(with: other) else { return nil }
            return (
                other.dot,
                own.note == other.note
                    ? "of note \(own.note) has another content there"
                    : "is of note \(own.note) here and of note \(other.note) there"
            )
        }
    }
}
