import DequeModule
import NotesModel

/// The newest commits by sequence: the origin of each, and the previous commit of the same note.
///
/// Why: a catch-up reads from the store, which does not record connections. This memory, shared by
/// all dependents, lets catch-up lines report their origin and the number of commits they stand
/// for, and lets a watch without echo leave out the connection's own writes.
///
/// Example: commits 5 and 8 change note a. `span(endingAt: 8, after: 3)` follows 8 → 5 → the
/// previous commit of 5. If that is at most 3, the span is two whole changes. If 5 is older than
/// this memory, the span is at least two changes, not whole.
///
/// Invariant: holds the commits `first ..< first + commits.count`, which end at the newest.
struct RecentCommits: Sendable {
    /// One commit.
    private struct Commit {
        let previous: UInt64
        let origin: Origin?
    }

    /// The number of commits kept: 32 bytes each, 1 MiB in all.
    static let commitsMax = 32_768

    private var commits: Deque<Commit> = []
    /// The sequence of the oldest commit kept.
    private var first: UInt64

    /// - Parameter newest: the last commit before those that will be recorded.
    init(newest: UInt64) {
        first = newest + 1
    }

    /// Adds the next commit, and drops the oldest if there are more than `commitsMax`.
    mutating func record(_ change: Change) {
        if commits.count == Self.commitsMax {
            commits.removeFirst()
            first += 1
        }
        commits.append(Commit(previous: change.previous, origin: change.origin))
    }

    /// The origin of a commit; nil if it had none or is not kept.
    func origin(of sequence: UInt64) -> Origin? {
        commit(sequence)?.origin
    }

    /// The note's commits in `after < sequence <= newest`, followed back from `newest`, which is
    /// one of them.
    ///
    /// - Complexity: O(the note's commits in the span), and over all notes O(`commitsMax`).
    func span(endingAt newest: UInt64, after: UInt64) -> Span {
        var span = Span(changes: 0, isWhole: true, origins: .none)
        var sequence = newest
        while sequence > after {
            span.changes += 1
            guard let commit = commit(sequence) else {
                span.isWhole = false
                break
            }
            span.add(commit.origin?.dependent)
            sequence = commit.previous
        }
        return span
    }

    private func commit(_ sequence: UInt64) -> Commit? {
        guard sequence >= first, sequence - first < UInt64(commits.count) else { return nil }
        return commits[Int(sequence - first)]
    }

    /// A run of commits of one note.
    struct Span {
        /// The dependents that made the commits.
        enum Origins: Equatable {
            /// No commit was added yet.
            case none
            /// One dependent made all of them.
            case one(DependentID)
            /// Several dependents made them, or at least one has no dependent as its origin.
            case mixed
        }

        /// The number of commits; a lower bound unless `isWhole`.
        var changes: Int
        /// Whether every commit of the span is kept.
        var isWhole: Bool
        var origins: Origins

        /// Whether all commits are known and were made by one dependent.
        func isAlone(_ dependent: DependentID) -> Bool {
            isWhole && origins == .one(dependent)
        }

        fileprivate mutating func add(_ dependent: DependentID?) {
            guard let dependent else {
                origins = .mixed
                return
            }
            switch origins {
            case .none: origins = .one(dependent)
            case .one(let other) where other == dependent: break
            case .one, .mixed: origins = .mixed
            }
        }
    }
}
