import Causality
import NotesModel
import TestKit
import Testing
import TextMerge

// Code shared by test stores that keep all commits of a note in memory.

extension NoteRecord {
    /// The note from the newest critical version that reaches far enough down, or from the start.
    ///
    /// - Parameter committed: all commits of the note, in order; at least one.
    init(_ committed: [Accepted], head: Head, downTo depth: LoadDepth, isWhole: Bool = false) {
        let floor = isWhole ? nil : Self.rootIndex(of: committed, downTo: depth)
        self.init(
            id: head.id, created: committed[0].revision.created, vector: head.vector, sequence: UInt64(committed.count),
            floor: floor.map { index in
                let accepted = committed[index]
                return Floor(
                    dot: accepted.revision.dot,
                    ViewFloor(
                        text: accepted.text, lastLine: accepted.lastLine, isDeleted: accepted.isDeleted,
                        conflicts: accepted.conflicts),
                    name: accepted.name, author: accepted.revision.author, time: accepted.revision.time,
                    modified: accepted.revision.modified)
            }, tail: committed[((floor ?? -1) + 1)...].map(\.revision))
    }

    /// The newest row that has all earlier ones in its past, is in the past of all later ones, and
    /// lies at or below the requested dots; and that has no unresolved conflict if revisions are
    /// withdrawn later.
    private static func rootIndex(of committed: [Accepted], downTo depth: LoadDepth) -> Int? {
        guard depth != .start else { return nil }
        var places: [Dot: Int] = [:]
        for (index, accepted) in committed.enumerated() { places[accepted.revision.dot] = index }
        var lowest = committed.count
        lowest = depth.dots.compactMap { places[$0] }.min() ?? lowest
        var mustBeResolved = false
        if case .below(let under, _) = depth {
            mustBeResolved = true
            lowest = min(lowest, under.compactMap { places[$0].map { $0 - 1 } }.min() ?? lowest)
        }
        for (index, accepted) in committed.enumerated().reversed() {
            if accepted.coversAll, !accepted.isDeleted, lowest >= index, !mustBeResolved || accepted.conflicts.isEmpty {
                return index
            }
            if accepted.revision.isWithdrawal { mustBeResolved = true }
            let parents = accepted.revision.parents.dots.map { places[$0] ?? -1 }
            let named = accepted.revision.withdraws.map { (places[$0] ?? 0) - 1 }
            lowest = min(lowest, parents.min() ?? -1, named.min() ?? lowest)
        }
        return nil
    }
}

extension WorkingCopy {
    /// Applies a command and supplies whatever it needs.
    mutating func apply(
        _ command: Command, as write: WriteContext, heads: [NoteID: Head], note: (NoteID, LoadDepth) -> Note?
    ) -> Step {
        var met: Set<Need> = []
        while true {
            let step = apply(command, as: write)
            guard case .needs(let need) = step else { return step }
            guard met.insert(need).inserted else {
                Issue.record("what was supplied is asked for again: \(need)")
                return step
            }
            switch need {
            case .holders(let name):
                supply(holders: heads.values.filter { $0.name == name && !$0.isDeleted }.map(\.id).sorted(), of: name)
            case .note(let id, let depth): supply(loaded: note(id, depth), for: id, downTo: depth)
            case .time:
                Issue.record("a copy without a limit asks for no time")
                return step
            }
        }
    }
}
