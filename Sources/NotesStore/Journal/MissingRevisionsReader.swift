import Causality
import NotesModel
import NotesSQL

/// Reads a page of the revisions that a peer lacks, in commit order, range by range; skips ranges
/// that the peer knows completely.
///
/// A revision that has no text any more stands for the beginning of its note, and so does a purge: the
/// peer must not have it without erasing what is below.
struct MissingRevisionsReader {
    var reader: RevisionReader
    let queries: HeadQueries
    let known: DotSet
    let limit: PageLimit
    private var revisions: [LinkedRevision] = []
    private var gone: [Dot] = []
    private var beginnings: [NoteBeginning] = []
    /// The dots that the beginnings contain.
    private var begun = DotSet()
    /// The numbers of notes whose beginnings cannot be sent, or cannot be read.
    private var unsendable: Set<UInt64> = []
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
        return RevisionPage(
            beginnings: beginnings, revisions: revisions, gone: gone, through: through, isLast: through == last)
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
            let dot = Dot(stretch.replica, counter)
            guard !begun.contains(dot) else {
                low = counter + 1
                continue
            }
            let count = beginnings.count + revisions.count + gone.count
            guard count < limit.revisionsMax else { return commit - 1 }
            low = counter + 1
            do throws(SQLFault) {
                let row = try reader.row(required: commit)
                let size = row.edits.count + PageLimit.revisionOverheadBytes
                guard count == 0 || bytes + size <= limit.bytesMax else { return commit - 1 }
                if row.flags.contains(.compacted) || row.flags.contains(.purge), !unsendable.contains(row.note) {
                    unsendable.insert(row.note)
                    if let beginning = try beginning(ofNote: row.note), beginning.dots.contains(dot),
                        beginning.textBytes <= NoteBeginning.bytesMax
                    {
                        unsendable.remove(row.note)
                        let size = beginning.byteCount
                        guard count == 0 || bytes + size <= limit.bytesMax else { return commit - 1 }
                        beginnings.append(beginning)
                        begun.formUnion(beginning.dots)
                        bytes += size
                        continue
                    }
                }
                switch try reader.committed(row, queries) {
                case .whole(let revision): revisions.append(revision)
                case .compacted(let compacted): gone.append(compacted.dot)
                }
                bytes += size
            } catch {
                // A damaged row must not keep the peer from all others.
                guard error.isOfContent else { throw error }
                gone.append(dot)
                bytes += PageLimit.revisionOverheadBytes
            }
        }
        return nil
    }

    /// The beginning of a note at its newest compaction floor; nil if it has none that can be sent.
    private mutating func beginning(ofNote number: UInt64) throws(SQLFault) -> NoteBeginning? {
        guard let id = try queries.id(ofNumber: number), let entry = try queries.entry(of: id) else { return nil }
        var walk = RevisionChainReader(reader: reader, entry: entry)
        defer { reader = walk.reader }
        return try walk.beginning()
    }
}
