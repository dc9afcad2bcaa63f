import Causality
import Console
import Glibc
import NoteTasks
import NotesModel
import NotesSQL

/// The state of the mirror of the directory.
extension FileRecords {
    /// Records the state of the mirror, if it has changed. Approvals of removals that still wait stay.
    ///
    /// - Throws: `ExitFailure` if it cannot be recorded.
    /// - Complexity: O(files that wait) if the state has changed, otherwise O(1) writes.
    func keep(_ state: MirrorState) throws {
        guard let database, keptState.map({ state.isNews(after: $0) }) ?? true else { return }
        try explained { () throws(SQLFault) in
            try database.transaction { () throws(SQLFault) in
                try database.run(
                    """
                    INSERT INTO mirror VALUES (?, ?, ?, ?, ?, ?)
                    ON CONFLICT (place) DO UPDATE SET looked = excluded.looked, in_step = COALESCE(excluded.in_step, in_step),
                        notes = excluded.notes, conflicts = excluded.conflicts, failure = excluded.failure
                    """, .integer(place), .integer(state.looked.milliseconds),
                    state.inStep.map { .integer($0.milliseconds) } ?? .null, .number(state.notes), .number(state.conflicts),
                    .optional(state.failure.map { Array($0.utf8) }))
                let former = try MirrorRecords.waiting(database, place)
                guard former.map(\.unapproved) != state.waiting.map(\.unapproved) else { return }
                let approved = Dictionary(uniqueKeysWithValues: former.map { ($0.path, $0) })
                try database.run("DELETE FROM waiting WHERE place = ?", .integer(place))
                for waiting in state.waiting {
                    let before = approved[waiting.path]
                    let isSame = waiting.removal != nil && before?.removal == waiting.removal
                    try database.run(
                        "INSERT INTO waiting VALUES (?, ?, ?, ?, ?, ?, ?)", .integer(place), .blob(waiting.path),
                        .blob(Array(waiting.kind.rawValue.utf8)), .blob(Array(waiting.reason.utf8)),
                        .optional(waiting.removal?.note.bytes),
                        .optional(waiting.removal.map { Array($0.version.description.utf8) }),
                        (isSame ? before?.approved : nil).map { .integer($0.milliseconds) } ?? .null)
                }
            }
        }
        keptState = state
    }

    /// The recorded state of the mirror; nil if there is none.
    ///
    /// - Throws: `ExitFailure` if it cannot be read.
    func mirrorState() throws -> MirrorState? {
        guard let database else { return nil }
        var state: MirrorState?
        try explained { () throws(SQLFault) in state = try MirrorRecords.state(database, place) }
        return state
    }

    /// The removals that a person has approved, by path.
    ///
    /// - Parameter time: the present time; older approvals than `MirrorState.approvalTime` do not count.
    /// - Throws: `ExitFailure` if they cannot be read.
    func approvedRemovals(at time: Timestamp) throws -> [[UInt8]: MirrorState.Removal] {
        guard let database else { return [:] }
        var removals: [[UInt8]: MirrorState.Removal] = [:]
        try explained { () throws(SQLFault) in
            for waiting in try MirrorRecords.waiting(database, place) where waiting.isApproved(at: time) {
                removals[waiting.path] = waiting.removal
            }
        }
        return removals
    }
}

extension MirrorState.Waiting {
    /// A copy without the approval.
    var unapproved: Self {
        var copy = self
        copy.approved = nil
        return copy
    }

    /// Whether an approval of the removal counts.
    func isApproved(at time: Timestamp) -> Bool {
        guard removal != nil, let approved else { return false }
        return (0..<MirrorState.approvalTime).contains(time.milliseconds.minus(clamping: approved.milliseconds))
    }
}
