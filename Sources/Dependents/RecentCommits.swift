import DequeModule
import NotesModel

/// The newest commits, by sequence: whose each was, and which commit of the same note came before it.
///
/// A catch-up reads from the store, which knows no connections. This memory, one for all dependents, is what lets its lines
/// say whose change they show and for how many they stand, and leave out the connection's own.
///
/// Invariant: holds the commits `first ..< first + commits.count`, which end at the newest.
struct RecentCommits: Sendable {
    private struct Commit {
        let previous: UInt64
        let origin: Origin?
    }

    /// How many are kept: 32 bytes each, 1 MiB in all.
    static let commitsMax = 32_768

    private var commits: Deque<Commit> = []
    private var first: UInt64

    /// - Parameter newest: the last commit made before those that are to be recorded.
    init(newest: UInt64) {
        first = newest + 1
    }

    mutating func record(_ change: Change) {
        if commits.count == Self.commitsMax {
            commits.removeFirst()
            first += 1
        }
        commits.append(Commit(previous: change.previous, origin: change.origin))
    }

    func origin(of sequence: UInt64) -> Origin? {
        commit(sequence)?.origin
    }

    /// What is known of a note's commits in `after < sequence <= newest`, going back from `newest`, which is one of them.
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

    struct Span {
        enum Origins: Equatable {
            case none
            case one(DependentID)
            case mixed
        }

        /// At least so many, exactly where `isWhole`.
        var changes: Int
        var isWhole: Bool
        var origins: Origins

        /// Whether all are one dependent's, as far as can be known.
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
