import Causality
import GRDB

/// Which run made which commits: one small row a run that made any.
///
/// Not the same as whose dots they have: a run also commits what other replicas wrote.
struct RunTable {
    /// Of this run.
    private let replica: ReplicaID
    /// Whether this run has its row.
    private var isRecorded = false

    init(replica: ReplicaID) {
        self.replica = replica
    }

    /// Sees to the row of this run before its first commit.
    mutating func record(
        _ commit: UInt64, in database: Database, _ replicas: inout ReplicaTable
    ) throws(SQLFault) {
        guard !isRecorded else { return }
        try database.run(
            "INSERT INTO run (first, replica) VALUES (?, ?)", .number(commit),
            .number(try replicas.number(of: replica, addingTo: database)))
        isRecorded = true
    }

    /// - Precondition: the store has the commit.
    static func replica(
        ofCommit commit: UInt64, in database: Database, _ replicas: ReplicaTable
    ) throws(SQLFault) -> ReplicaID {
        let number = try database.first(
            "SELECT replica FROM run WHERE first <= ? ORDER BY first DESC LIMIT 1", .number(commit)
        ) { $0.number(0) }
        guard let number else { throw .malformed("no run made commit \(commit)") }
        return try replicas.id(of: number)
    }
}
