import Causality
import NotesModel
import NotesSQL

/// Reads a page of the revisions that a peer lacks, in commit order, range by range; skips ranges
/// that the peer knows completely.
///
/// In place of a revision whose text was removed, the page has the beginning of its note. The same holds
/// for a purge, since a peer that takes a purge must erase what is below.
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
                if let beginning = try beginning(inPlaceOf: row, dot) {
                    guard count == 0 || bytes + beginning.byteCount <= limit.bytesMax else { return commit - 1 }
                    beginnings.append(beginning)
                    begun.formUnion(beginning.dots)
                    bytes += beginning.byteCount
                    continue
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

    /// The beginning that is sent in place of a revision; nil if the revision is sent itself, or its note has no
    /// beginning that can be sent.
    private mutating func beginning(inPlaceOf row: RevisionRow, _ dot: Dot) throws(SQLFault) -> NoteBeginning? {
        guard !row.flags.isDisjoint(with: [.compacted, .purge]), !unsendable.contains(row.note) else { return nil }
        // It stays there if the note cannot be read.
        unsendable.insert(row.note)
        guard let id = try queries.id(ofNumber: row.note), let entry = try queries.entry(of: id) else { return nil }
        var chain = RevisionChainReader(reader: reader, entry: entry)
        defer { reader = chain.reader }
        guard let beginning = try chain.beginning(), beginning.dots.contains(dot),
            beginning.textBytes <= NoteBeginning.bytesMax
        else { return nil }
        unsendable.remove(row.note)
        return beginning
    }
}
