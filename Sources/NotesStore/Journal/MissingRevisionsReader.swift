import Causality
import NotesModel
import NotesSQL

/// Reads a page of the revisions that a peer lacks, in commit order, range by range; skips ranges
/// that the peer knows completely.
struct MissingRevisionsReader {
    var reader: RevisionReader
    let queries: HeadQueries
    let known: DotSet
    let limit: PageLimit
    private var revisions: [LinkedRevision] = []
    private var gone: [Dot] = []
    private var bytes = 0

    init(reader: RevisionReader, queries: HeadQueries, known: DotSet, limit: PageLimit) {
        self.reader = reader
        self.queries = queries
        self.known = known
        self.limit = limit
    }

    mutating func read(after sequence: UInt64) throws(SQLFault) -> RevisionPage {
        let last = reader.dots.lastCommit
        var through = last
        if sequence < last {
            // A copy, since the closure modifies the reader.
            let index = reader.dots
            var ranges = 0
            try index.stretches(from: sequence + 1, in: reader.database, reader.replicas) { stretch throws(SQLFault) in
                if let stop = try read(stretch, after: sequence) {
                    through = stop
                    return false
                }
                ranges += 1
                guard ranges < limit.rangesMax else {
                    through = stretch.commits.upperBound
                    return false
                }
                return true
            }
        }
        return RevisionPage(revisions: revisions, gone: gone, through: through, isLast: through == last)
    }

    /// Reads the revisions of one range that the peer lacks. If the page is full, returns the last
    /// commit that was examined, otherwise nil.
    private mutating func read(_ stretch: DotStretch, after sequence: UInt64) throws(SQLFault) -> UInt64? {
        let passed = max(stretch.commits.lowerBound, sequence + 1) - stretch.commits.lowerBound
        var low = stretch.counters.lowerBound + passed
        while low <= stretch.counters.upperBound,
            let counter = known.firstMissing(of: low...stretch.counters.upperBound, of: stretch.replica)
        {
            let commit = stretch.commit(of: counter)
            let row = try reader.row(required: commit)
            let size = row.edits.count + PageLimit.revisionOverheadBytes
            let count = revisions.count + gone.count
            guard count < limit.revisionsMax, count == 0 || bytes + size <= limit.bytesMax else { return commit - 1 }
            switch try reader.committed(row, queries) {
            case .whole(let revision): revisions.append(revision)
            case .compacted(let compacted): gone.append(compacted.dot)
            }
            bytes += size
            low = counter + 1
        }
        return nil
    }
}
