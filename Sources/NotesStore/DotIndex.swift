import Causality
import GRDB

/// Which commit has which dot, both ways, from one small row a *stretch*: commits one after the other whose dots are one
/// replica's counters one after the other.
///
/// A run of the daemon that mints all its dots without a gap is one stretch, so neither a revision's row nor an index over
/// all revisions has to hold its dot.
///
///     stretch (first: 1, replica: A, counter: 1), (first: 4, replica: B, counter: 1)
///     commit    1    2    3    4    5
///     dot       A:1  A:2  A:3  B:1  B:2
///
/// Invariant: stretches do not overlap, neither in commits nor in dots; the newest one reaches to the newest commit.
struct DotIndex {
    private struct Stretch {
        let first: UInt64
        let replica: ReplicaID
        let counter: UInt64
        /// The commit after its last; of the newest stretch, which still grows, past all commits.
        var end: UInt64

        func dot(of commit: UInt64) -> Dot? {
            guard commit >= first, commit < end, counter <= Dot.counterMax - (commit - first) else { return nil }
            return Dot(replica, counter + (commit - first))
        }

        func commit(of dot: Dot) -> UInt64? {
            guard dot.replica == replica, dot.counter >= counter, dot.counter - counter < end - first else { return nil }
            return first + (dot.counter - counter)
        }
    }

    private var newest: Stretch?
    /// The least counter past the newest stretch's first that another stretch of its replica starts at: another store's
    /// revisions come in any order. What the newest stretch would be said to reach from there on is that one's.
    private var newestCounterEnd = UInt64.max
    /// The one used last, so that reading a note's rows in order asks the table once a stretch.
    private var held: Stretch?
    private(set) var lastCommit: UInt64

    init(loadingFrom database: Database, replicas: ReplicaTable) throws(SQLFault) {
        lastCommit = try database.first("SELECT max(sequence) FROM revision") { $0.number(0) } ?? 0
        newest = try Self.stretch(
            "SELECT first, replica, counter FROM stretch ORDER BY first DESC LIMIT 1", [], database, replicas)
        if newest == nil, lastCommit > 0 { throw .broken("no row of `stretch` covers commit \(lastCommit)") }
        if let newest, newest.first > lastCommit { throw .broken("a row of `stretch` starts after the newest commit") }
        newestCounterEnd = try counterEnd(in: database, replicas)
    }

    private func counterEnd(in database: Database, _ replicas: ReplicaTable) throws(SQLFault) -> UInt64 {
        guard let newest, let replica = replicas.number(of: newest.replica) else { return .max }
        let next = try database.first(
            "SELECT counter FROM stretch WHERE replica = ? AND counter > ? ORDER BY counter LIMIT 1", .number(replica),
            .number(newest.counter)
        ) { $0.number(0) }
        return next ?? .max
    }

    mutating func dot(of commit: UInt64, from database: Database, _ replicas: ReplicaTable) throws(SQLFault) -> Dot? {
        guard commit >= 1, commit <= lastCommit else { return nil }
        if let dot = newest?.dot(of: commit) ?? held?.dot(of: commit) { return dot }
        held = try Self.stretch(
            "SELECT first, replica, counter FROM stretch WHERE first <= ? ORDER BY first DESC LIMIT 1", [.number(commit)],
            database, replicas)
        guard let dot = held?.dot(of: commit) else { throw .broken("no row of `stretch` covers commit \(commit)") }
        return dot
    }

    /// Nil where no commit has the dot.
    mutating func commit(of dot: Dot, from database: Database, _ replicas: ReplicaTable) throws(SQLFault) -> UInt64? {
        // A run's own next dot is answered here, without asking the table.
        if dot.counter < newestCounterEnd, let commit = newest?.commit(of: dot) { return commit <= lastCommit ? commit : nil }
        if let commit = held?.commit(of: dot) { return commit }
        guard let replica = replicas.number(of: dot.replica) else { return nil }
        let found = try Self.stretch(
            "SELECT first, replica, counter FROM stretch WHERE replica = ? AND counter <= ? ORDER BY counter DESC LIMIT 1",
            [.number(replica), .number(dot.counter)], database, replicas)
        guard let found, let commit = found.commit(of: dot), commit <= lastCommit else { return nil }
        held = found
        return commit
    }

    /// Visits stretches in order, from the one that holds a commit on, until the visitor answers false.
    ///
    /// - Complexity: O(log stretches), then O(1) each.
    func stretches(
        from commit: UInt64, in database: Database, _ replicas: ReplicaTable,
        visit: (DotStretch) throws(SQLFault) -> Bool
    ) throws(SQLFault) {
        let bound = min(commit, lastCommit)
        let start = try database.first("SELECT max(first) FROM stretch WHERE first <= ?", .number(bound)) { $0.number(0) } ?? 0
        // A row says where the one before it ends.
        var open: (first: UInt64, replica: ReplicaID, counter: UInt64)?
        var wantsMore = true
        try database.each("SELECT first, replica, counter FROM stretch WHERE first >= ? ORDER BY first", .number(start)) {
            row throws(SQLFault) in
            let first = row.number(0)
            guard first <= lastCommit else { throw .broken("a row of `stretch` starts after the newest commit") }
            if let open { wantsMore = try visit(try DotStretch(open.first...first - 1, open.replica, open.counter)) }
            open = (first, try replicas.id(of: row.number(1)), row.number(2))
            return wantsMore
        }
        if wantsMore, let open { _ = try visit(try DotStretch(open.first...lastCommit, open.replica, open.counter)) }
    }

    /// Records the next commit's dot.
    mutating func append(_ dot: Dot, to database: Database, _ replicas: inout ReplicaTable) throws(SQLFault) {
        let commit = lastCommit + 1
        if newest?.dot(of: commit) != dot {
            let number = try replicas.number(of: dot.replica, addingTo: database)
            try database.run(
                "INSERT INTO stretch (first, replica, counter) VALUES (?, ?, ?)", .number(commit), .number(number),
                .number(dot.counter))
            newest?.end = commit
            held = newest
            newest = Stretch(first: commit, replica: dot.replica, counter: dot.counter, end: .max)
            newestCounterEnd = try counterEnd(in: database, replicas)
        }
        lastCommit = commit
    }

    private static func stretch(
        _ sql: String, _ values: [SQLValue], _ database: Database, _ replicas: ReplicaTable
    ) throws(SQLFault) -> Stretch? {
        var found: Stretch?
        try database.each(sql, values) { row throws(SQLFault) in
            found = Stretch(first: row.number(0), replica: try replicas.id(of: row.number(1)), counter: row.number(2), end: .max)
            return false
        }
        guard var found else { return nil }
        let next = try database.first("SELECT first FROM stretch WHERE first > ? ORDER BY first LIMIT 1", .number(found.first)) {
            $0.number(0)
        }
        if let next { found.end = next }
        return found
    }
}

/// Commits one after the other whose dots are one replica's counters one after the other.
struct DotStretch {
    let commits: ClosedRange<UInt64>
    let replica: ReplicaID
    let counters: ClosedRange<UInt64>

    init(_ commits: ClosedRange<UInt64>, _ replica: ReplicaID, _ counter: UInt64) throws(SQLFault) {
        let (last, overflows) = counter.addingReportingOverflow(commits.upperBound - commits.lowerBound)
        guard counter >= 1, !overflows, last <= Dot.counterMax else {
            throw .broken("the dots from commit \(commits.lowerBound) on are invalid")
        }
        self.commits = commits
        self.replica = replica
        counters = counter...last
    }

    /// - Precondition: the counter is one of the stretch's.
    func commit(of counter: UInt64) -> UInt64 { commits.lowerBound + (counter - counters.lowerBound) }
}
