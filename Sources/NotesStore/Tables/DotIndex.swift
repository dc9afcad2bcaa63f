import Causality
import NotesSQL

/// Maps commits to dots and back, with one small row per *range* (table `dot_range`): consecutive
/// commits whose dots are consecutive counters of one replica.
///
/// A run of the daemon that assigns all its dots without a gap is a single range. So neither the
/// row of a revision nor an index over all revisions has to contain its dot.
///
///     dot_range (first: 1, replica: A, counter: 1), (first: 4, replica: B, counter: 1)
///     commit    1    2    3    4    5
///     dot       A:1  A:2  A:3  B:1  B:2
///
/// Invariant: ranges do not overlap, neither in commits nor in dots; the newest one ends at the
/// newest commit.
struct DotIndex {
    private struct Stretch {
        let first: UInt64
        let replica: ReplicaID
        let counter: UInt64
        /// The commit after the last of the range; for the newest range, which still grows, past
        /// all commits.
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
    /// The least counter above the newest range's first at which another range of its replica
    /// starts, since revisions of another store can arrive in any order. From there on, dots belong
    /// to that range.
    private var newestCounterEnd = UInt64.max
    /// The range used last, so that reading a note's rows in order queries the table once per
    /// range.
    private var held: Stretch?
    private(set) var lastCommit: UInt64

    init(loadingFrom database: Database, replicas: ReplicaTable) throws(SQLFault) {
        lastCommit = try database.first("SELECT max(sequence) FROM revision") { $0.number(0) } ?? 0
        newest = try Self.stretch(
            "SELECT first, replica, counter FROM dot_range ORDER BY first DESC LIMIT 1", [], database, replicas)
        if newest == nil, lastCommit > 0 { throw .broken("no row of `dot_range` covers commit \(lastCommit)") }
        if let newest, newest.first > lastCommit { throw .broken("a row of `dot_range` starts after the newest commit") }
        newestCounterEnd = try counterEnd(in: database, replicas)
    }

    /// Reads `newestCounterEnd` from the table.
    private func counterEnd(in database: Database, _ replicas: ReplicaTable) throws(SQLFault) -> UInt64 {
        guard let newest, let replica = replicas.number(of: newest.replica) else { return .max }
        let next = try database.first(
            "SELECT counter FROM dot_range WHERE replica = ? AND counter > ? ORDER BY counter LIMIT 1", .number(replica),
            .number(newest.counter)
        ) { $0.number(0) }
        return next ?? .max
    }

    /// Returns the dot of a commit; nil if there is no such commit.
    mutating func dot(of commit: UInt64, from database: Database, _ replicas: ReplicaTable) throws(SQLFault) -> Dot? {
        guard commit >= 1, commit <= lastCommit else { return nil }
        if let dot = newest?.dot(of: commit) ?? held?.dot(of: commit) { return dot }
        held = try Self.stretch(
            "SELECT first, replica, counter FROM dot_range WHERE first <= ? ORDER BY first DESC LIMIT 1", [.number(commit)],
            database, replicas)
        guard let dot = held?.dot(of: commit) else { throw .broken("no row of `dot_range` covers commit \(commit)") }
        return dot
    }

    /// Returns the commit of a dot; nil if no commit has it.
    mutating func commit(of dot: Dot, from database: Database, _ replicas: ReplicaTable) throws(SQLFault) -> UInt64? {
        // This resolves the next dot of the current run without a query.
        if dot.counter < newestCounterEnd, let commit = newest?.commit(of: dot) { return commit <= lastCommit ? commit : nil }
        if let commit = held?.commit(of: dot) { return commit }
        guard let replica = replicas.number(of: dot.replica) else { return nil }
        let found = try Self.stretch(
            "SELECT first, replica, counter FROM dot_range WHERE replica = ? AND counter <= ? ORDER BY counter DESC LIMIT 1",
            [.number(replica), .number(dot.counter)], database, replicas)
        guard let found, let commit = found.commit(of: dot), commit <= lastCommit else { return nil }
        held = found
        return commit
    }

    /// Visits ranges in order, from the one that contains a commit, until the visitor returns
    /// false.
    ///
    /// - Complexity: O(log ranges), then O(1) each.
    func stretches(
        from commit: UInt64, in database: Database, _ replicas: ReplicaTable,
        visit: (DotStretch) throws(SQLFault) -> Bool
    ) throws(SQLFault) {
        let bound = min(commit, lastCommit)
        let start = try database.first("SELECT max(first) FROM dot_range WHERE first <= ?", .number(bound)) { $0.number(0) } ?? 0
        // A row determines where the one before it ends.
        var open: (first: UInt64, replica: ReplicaID, counter: UInt64)?
        var wantsMore = true
        try database.each("SELECT first, replica, counter FROM dot_range WHERE first >= ? ORDER BY first", .number(start)) {
            row throws(SQLFault) in
            let first = row.number(0)
            guard first <= lastCommit else { throw .broken("a row of `dot_range` starts after the newest commit") }
            if let open { wantsMore = try visit(try DotStretch(open.first...first - 1, open.replica, open.counter)) }
            open = (first, try replicas.id(of: row.number(1)), row.number(2))
            return wantsMore
        }
        if wantsMore, let open { _ = try visit(try DotStretch(open.first...lastCommit, open.replica, open.counter)) }
    }

    /// Records the dot of the next commit. Starts a new range if the dot does not continue the
    /// newest.
    mutating func append(_ dot: Dot, to database: Database, _ replicas: inout ReplicaTable) throws(SQLFault) {
        let commit = lastCommit + 1
        if newest?.dot(of: commit) != dot {
            let number = try replicas.number(of: dot.replica, addingTo: database)
            try database.run(
                "INSERT INTO dot_range (first, replica, counter) VALUES (?, ?, ?)", .number(commit), .number(number),
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
        let next = try database.first("SELECT first FROM dot_range WHERE first > ? ORDER BY first LIMIT 1", .number(found.first))
        {
            $0.number(0)
        }
        if let next { found.end = next }
        return found
    }
}

/// A range of consecutive commits whose dots are consecutive counters of one replica.
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

    /// Returns the commit of a counter.
    ///
    /// - Precondition: The counter is in `counters`.
    func commit(of counter: UInt64) -> UInt64 { commits.lowerBound + (counter - counters.lowerBound) }
}
