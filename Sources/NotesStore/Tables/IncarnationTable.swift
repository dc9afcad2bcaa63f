import Causality
import NotesSQL

/// The `run` table: which run of the daemon made which commits, with one small row per run.
///
/// This differs from the replicas of the dots, because a run also commits revisions of other
/// replicas.
struct IncarnationTable {
    /// Id of this run.
    private let replica: ReplicaID
    /// Whether this run has a row.
    private var isRecorded = false

    init(replica: ReplicaID) {
        self.replica = replica
    }

    /// Inserts the row of this run before its first commit.
    mutating func record(
        _ commit: UInt64, in database: Database, _ replicas: inout ReplicaTable
    ) throws(SQLFault) {
        guard !isRecorded else { return }
        try database.run(
            "INSERT INTO incarnation (first, replica) VALUES (?, ?)", .number(commit),
            .number(try replicas.number(of: replica, addingTo: database)))
        isRecorded = true
    }

    /// Returns the run that made a commit, with the range of commits it is known to have made.
    ///
    /// - Parameter newest: The newest commit of the store.
    /// - Precondition: The store has the commit.
    static func run(
        ofCommit commit: UInt64, newest: UInt64, in database: Database, _ replicas: ReplicaTable
    ) throws(SQLFault) -> KnownIncarnation {
        let row = try database.first(
            "SELECT first, replica FROM incarnation WHERE first <= ? ORDER BY first DESC LIMIT 1", .number(commit)
        ) { (first: $0.number(0), replica: $0.number(1)) }
        guard let row else { throw .broken("no row of `run` covers commit \(commit)") }
        let next = try database.first("SELECT first FROM incarnation WHERE first > ? ORDER BY first LIMIT 1", .number(commit)) {
            $0.number(0)
        }
        return KnownIncarnation(commits: row.first...(next.map { $0 - 1 } ?? newest), replica: try replicas.id(of: row.replica))
    }
}

/// A range of commits that one run made.
struct KnownIncarnation {
    let commits: ClosedRange<UInt64>
    let replica: ReplicaID
}
