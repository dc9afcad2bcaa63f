import Causality
import NotesModel
import NotesStore

/// A read of given versions of a note. The engine reads the rows from the journal in steps, between
/// which it serves other requests. The computation needs nothing else, so any thread can execute it.
///
/// A computation produces the versions from a record. If the record does not go back to the sides of
/// a conflict, it asks for a deeper one, and a second computation produces those sides.
struct VersionRead: Sendable {
    /// The request.
    let request: GetNote
    /// The note.
    let note: NoteID
    /// The last author of the note, for the empty version.
    private let author: Author
    /// How far the read of the rows is.
    private var rows: Rows
    /// The result of the first computation, if some sides are below its record.
    private var pending: Pending?

    /// How far the rows for the next computation are read.
    private enum Rows {
        case reading(RecordRead)
        case record(NoteRecord)
        /// The record was used for a computation.
        case used
        /// The note does not exist any more.
        case gone
    }

    /// The part of a response that no later write changes.
    struct Found: Sendable {
        /// The version to read; nil if the current one was requested.
        let shown: Shown?
        /// The text that edits start from.
        let from: [UInt8]?
    }

    /// A note at a version.
    struct Shown: Sendable {
        let head: Head
        let text: [UInt8]
        let conflicts: [ConflictDetail]
    }

    /// A note at a version, without the contents of some sides.
    private struct Pending {
        let head: Head
        let text: [UInt8]
        let from: [UInt8]?
        /// For each conflict of the head; nil if its sides are below the record.
        var details: [ConflictDetail?]

        var found: Found {
            Found(shown: Shown(head: head, text: text, conflicts: details.compactMap { $0 }), from: from)
        }
    }

    /// The result of a step.
    enum Step: Sendable {
        case found(Found)
        case refused(Rejection)
        /// The next step needs a record of this depth (`extend`).
        case needs(LoadDepth)
    }

    /// - Parameter author: the last author of the note.
    init(_ request: GetNote, of note: NoteID, author: Author) {
        (self.request, self.note, self.author) = (request, note, author)
        let asked = Self.asked(by: request)
        rows = .reading(RecordRead(note, downTo: .dots(asked), end: .dots(asked)))
    }

    /// The versions that a request names.
    private static func asked(by request: GetNote) -> Version {
        (request.at ?? .nothing).union(request.from ?? .nothing)
    }

    /// Whether all rows for the next computation are read.
    var hasRows: Bool { if case .reading = rows { false } else { true } }

    /// The number of revisions that the next computation replays, once the rows are read.
    var revisions: Int { if case .record(let record) = rows { record.tail.count } else { 0 } }

    /// Reads some of the rows for the next computation, and returns how many.
    ///
    /// - Parameter rowsMax: see `Journal.read(_:rowsMax:)`.
    @discardableResult
    mutating func readRows(from journal: any Journal, rowsMax: Int) throws(JournalError) -> Int {
        guard case .reading(var reading) = rows else { return 0 }
        let before = reading.rows
        try journal.read(&reading, rowsMax: rowsMax)
        rows =
            switch reading.result {
            case .record(let record?): .record(record)
            case .record(nil): .gone
            case nil, .newer: .reading(reading)
            }
        return reading.rows - before
    }

    /// Prepares to read the record that a computation asked for.
    mutating func extend(downTo depth: LoadDepth) {
        rows = .reading(RecordRead(note, downTo: depth, end: pending.map { .dots($0.head.version) } ?? .newest))
    }

    /// Computes the versions, or as much of them as the record allows.
    ///
    /// The rows are dropped.
    ///
    /// - Precondition: `hasRows`.
    /// - Complexity: that of a walk over `revisions`, and the texts at the versions and sides.
    mutating func step() throws(JournalError) -> Step {
        guard case .record(let record) = rows else { return .refused(.noteNotFound) }
        rows = .used
        var note = Note(record)
        guard var pending else { return try begin(in: &note, of: record) }
        let sources = ConflictSources(record)
        for (index, conflict) in pending.head.conflicts.enumerated() where pending.details[index] == nil {
            let detail = try sources.detail(of: conflict, in: &note, at: note.reduced(pending.head.version))
            guard let detail else {
                throw .failed("the sides of conflict \(conflict.id) in note \(note.id) cannot be computed from its revisions")
            }
            pending.details[index] = detail
        }
        return .found(pending.found)
    }

    private mutating func begin(in note: inout Note, of record: NoteRecord) throws(JournalError) -> Step {
        for version in [request.at, request.from] {
            if let version, note.readable(of: version) == nil {
                return .refused(.revisionGone(version, oldest: note.compactionFloor))
            }
        }
        let readable = note.readable(of: Self.asked(by: request)) ?? .nothing
        guard note.knows(readable) else {
            return .refused(.unknownBase(known: note.known(of: readable), unknown: note.unknown(of: readable)))
        }
        func reduced(_ version: Version) -> Version { note.reduced(note.readable(of: version) ?? .nothing) }
        let (reducedAt, reducedFrom) = (request.at.map(reduced), request.from.map(reduced))
        let from = reducedFrom.map { note.text(at: $0) }
        guard let at = reducedAt else { return .found(Found(shown: nil, from: from)) }
        let writing = record.newest(of: at) ?? (author, record.created)
        let head = note.head(at: at, author: writing.author, modified: writing.modified)
        let sources = ConflictSources(record)
        var details: [ConflictDetail?] = []
        for conflict in head.conflicts { details.append(try sources.detail(of: conflict, in: &note, at: at)) }
        let computed = Pending(head: head, text: note.text(at: at), from: from, details: details)
        let missing = zip(head.conflicts, details).filter { $0.1 == nil }.flatMap(\.0.sides)
        guard !missing.isEmpty else { return .found(computed.found) }
        pending = computed
        return .needs(.below(under: missing, at))
    }
}

/// The authors and times of a record's revisions, for the sides of conflicts.
struct ConflictSources {
    private var sources: [Dot: (author: Author, time: Timestamp)] = [:]

    /// No revisions.
    init() {}

    /// - Complexity: O(tail).
    init(_ record: NoteRecord) {
        if let floor = record.floor { sources[floor.dot] = (floor.author, floor.time) }
        add(record.tail)
    }

    /// Adds newer revisions.
    mutating func add(_ revisions: [Revision]) {
        for revision in revisions { sources[revision.dot] = (revision.author, revision.time) }
    }

    /// A conflict with the contents of its sides; nil if the record does not go back to a side.
    ///
    /// - Precondition: the note is built from the record and has the version, which is reduced.
    func detail(of conflict: OpenConflict, in note: inout Note, at version: Version) throws(JournalError) -> ConflictDetail? {
        guard let contents = note.conflictSides(of: conflict, at: version) else { return nil }
        let sides = try conflict.sides(with: contents.sides) { sources[$0] }
        return ConflictDetail(conflict: conflict, base: contents.base, sides: sides)
    }
}

extension NoteRecord {
    /// The author and time of change of the newest revision of a version in commit order. That is one of the
    /// version's dots, since children follow their parents.
    fileprivate func newest(of version: Version) -> (author: Author, modified: Timestamp)? {
        if let revision = tail.last(where: { version.dots.contains($0.dot) }) { return (revision.author, revision.modified) }
        guard let floor, version.dots.contains(floor.dot) else { return nil }
        return (floor.author, floor.modified)
    }
}
