package import Causality
package import NotesModel
import NotesSQL

/// Reads for the exchange of revisions with other stores.
extension SQLiteJournal {
    /// Builds the set from the rows of `dot_range` and the waiting revisions.
    package func knownDots() throws(JournalError) -> DotSet {
        try reading { database throws(SQLFault) in
            var known = DotSet(tables.waiting.dots)
            try tables.dots.stretches(from: 1, in: database, tables.replicas) { stretch in
                known.insert(stretch.counters, of: stretch.replica)
                return true
            }
            return known
        }
    }

    package func dots(
        after sequence: UInt64, rangesMax: Int
    ) throws(JournalError) -> (dots: DotSet, through: UInt64) {
        try reading { database throws(SQLFault) in
            var (dots, through, ranges) = (DotSet(), sequence, 0)
            guard sequence < lastSequence else { return (dots, through) }
            try tables.dots.stretches(from: sequence + 1, in: database, tables.replicas) { stretch in
                // The first range may begin before the commit; its dots are in the set of the caller.
                dots.insert(stretch.counters, of: stretch.replica)
                (through, ranges) = (stretch.commits.upperBound, ranges + 1)
                return ranges < rangesMax
            }
            return (dots, through)
        }
    }

    /// - Complexity: O(log ranges of dots) and one row.
    package func committed(_ dot: Dot) throws(JournalError) -> CommittedRevision? {
        try lending { reader, queries throws(SQLFault) in
            guard let commit = try reader.commit(of: dot) else { return nil }
            return try reader.committed(try reader.row(required: commit), queries)
        }
    }

    /// Reads neither texts nor edits.
    package func digests(of dots: DotSet) throws(JournalError) -> [RevisionDigest] {
        try lending { reader, queries throws(SQLFault) in
            var digests: [RevisionDigest] = []
            for dot in dots.prefix(RevisionDigest.countMax) {
                guard let commit = try reader.commit(of: dot) else { continue }
                let found = try reader.database.first(
                    "SELECT note, flags, hash FROM revision WHERE sequence = ?", .number(commit)
                ) { row in
                    let isErased = RevisionRow.Flags(rawValue: row.integer(1)).contains(.erased)
                    return (note: row.number(0), hash: isErased ? nil : RevisionHash(bits: row.number(2)))
                }
                guard let found, let note = try queries.id(ofNumber: found.note) else { continue }
                digests.append(RevisionDigest(dot: dot, note: note, hash: found.hash))
            }
            return digests
        }
    }

    /// The rows of `peer`, from memory.
    package var peers: [PeerName: DotSet] { tables.peers.known }

    /// The newest compaction floor, from memory.
    package var compactedThrough: UInt64 { tables.compactedThrough }

    /// - Complexity: O(limit) rows.
    package func plannable(
        of id: NoteID, before sequence: UInt64?, limit: Int
    ) throws(JournalError) -> [CompactionPlan.Row] {
        try readChain(id) { chain throws(SQLFault) in try chain.plannable(before: sequence, limit: limit) } ?? []
    }

    package func dots(of note: NoteID) throws(JournalError) -> DotSet {
        try readChain(note) { chain throws(SQLFault) in try chain.dots() } ?? DotSet()
    }

    package func compactedPast(of note: NoteID) throws(JournalError) -> CompactedPast? {
        try readChain(note) { chain throws(SQLFault) in try chain.compactedPast() } ?? nil
    }

    /// Scans ranges of dots and reads only the rows that the peer lacks.
    package func missingRevisions(
        by known: DotSet, after sequence: UInt64, limit: PageLimit
    ) throws(JournalError) -> RevisionPage {
        try lending { reader, queries throws(SQLFault) in
            var page = MissingRevisionsReader(reader: reader, queries: queries, known: known, limit: limit)
            let result = try page.read(after: sequence)
            reader = page.reader
            return result
        }
    }

    package func heldNotes(of dots: DotSet) throws(JournalError) -> [NoteID] {
        var notes: [NoteID] = []
        for dot in tables.waiting.dots where dots.contains(dot) {
            if let revision = try waiting(dot) { notes.append(revision.note) }
        }
        guard tables.quarantine.amount.revisions > 0 else { return notes }
        return notes
            + (try reading { database throws(SQLFault) in try QuarantineTable.notes(of: dots, in: database) })
    }

    /// Reads `waiting` only if the dot is among those in memory.
    package func waiting(_ dot: Dot) throws(JournalError) -> LinkedRevision? {
        guard tables.waiting.contains(dot) else { return nil }
        return try reading { database throws(SQLFault) in try WaitingTable.revision(dot, in: database) }
    }

    /// - Complexity: O(log waiting + revisions returned).
    package func waiting(on parent: Dot) throws(JournalError) -> [LinkedRevision] {
        try reading { database throws(SQLFault) in try WaitingTable.revisions(on: parent, in: database) }
    }

    /// A page of `waiting`. Throws if a row cannot be read, unlike `held(in:after:limit:)`.
    package func waiting(after number: UInt64, limit: Int) throws(JournalError) -> [StoredWaiting] {
        try reading { database throws(SQLFault) in try WaitingTable.page(after: number, limit: limit, in: database) }
    }

    /// A page of `quarantine`. Throws if a row cannot be read, unlike `held(in:after:limit:)`.
    package func quarantined(after number: UInt64, limit: Int) throws(JournalError) -> [StoredQuarantined] {
        try reading { database throws(SQLFault) in try QuarantineTable.page(after: number, limit: limit, in: database) }
    }

    package func quarantinedDots() throws(JournalError) -> DotSet {
        try reading { database throws(SQLFault) in try QuarantineTable.dots(in: database) }
    }

    /// The erased rows of `quarantine`, from memory.
    package var erasedFromHolding: DotSet { tables.quarantine.erased }

    /// Number and size of each holding area, from memory.
    package var heldAmounts: HoldingAmounts {
        var amounts = HoldingAmounts()
        (amounts.waiting, amounts.quarantined) = (tables.waiting.amount, tables.quarantine.amount)
        return amounts
    }

    /// A page of a holding area, including rows that cannot be read.
    package func held(
        in area: HoldingArea, of dot: Dot?, after number: UInt64, limit: Int
    ) throws(JournalError) -> [HeldRow] {
        try reading { database throws(SQLFault) in
            switch area {
            case .waiting: try WaitingTable.rows(of: dot, after: number, limit: limit, in: database)
            case .quarantine: try QuarantineTable.rows(of: dot, after: number, limit: limit, in: database)
            }
        }
    }

    /// - Complexity: O(log ranges of dots).
    package func dot(ofCommit sequence: UInt64) throws(JournalError) -> Dot? {
        try reading { database throws(SQLFault) in try tables.dots.dot(of: sequence, from: database, tables.replicas) }
    }
}
