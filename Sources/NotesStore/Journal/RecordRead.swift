package import Causality
package import NotesModel

/// A read of a note's record in steps (`Journal.read(_:rowsMax:)`), so that a long history does not
/// hold up the journal's other callers. The record describes the note as it was at the first step.
///
/// If compaction or a purge removes texts of the note between two steps, the reading has to begin
/// again.
package struct RecordRead: Sendable {
    /// The newest commit of the record.
    package enum End: Sendable {
        case newest
        /// The newest commit up to this one.
        case commit(UInt64)
        /// The newest commit among these dots, or the newest of all if the note has none of them. If
        /// all are below the compaction floor, the record consists of that floor.
        case dots(Version)
    }

    /// The part of the history that was asked for.
    package enum Result: Sendable {
        /// See `Journal.note(_:downTo:asOf:)`; nil if the note does not exist, or did not exist then.
        case record(NoteRecord?)
        /// The revisions after the commit `after`, oldest first, and the newest commit.
        case newer([Revision], sequence: UInt64)
    }

    /// The note.
    package let id: NoteID
    /// How far back the record reaches.
    package let depth: LoadDepth
    /// Where the record ends.
    package let end: End
    /// A commit of the note; if set, only the revisions after it are read.
    package let after: UInt64?
    /// The rows that the steps have read, of which a long one counts as several.
    package private(set) var rows = 0
    /// The newest commit of the record, once a step has found it.
    package var sequence: UInt64?
    /// The result, once the reading is complete.
    package private(set) var result: Result?
    /// Where the next step continues; nil before the first.
    var place: Place?
    /// The revisions that the steps have read, newest first, in one part for each step. So no step
    /// copies what those before it have read.
    var parts: [[Revision]] = []
    /// The number of revisions that the steps have read.
    var tailCount = 0
    /// The head's vector at the first step.
    var vector = VersionVector()

    /// Where a step begins in the chain of the note's commits.
    enum Place {
        /// At this commit, of which only the link is read, on the way to commit `target`.
        case above(UInt64, target: UInt64)
        /// At this commit, whose row is read.
        case row(UInt64, Needs)
    }

    /// The conditions for the floor that follow from the rows passed so far.
    struct Needs {
        var needed: UInt64
        var mustBeResolved: Bool
        var tailMin: Int?
    }

    package init(_ id: NoteID, downTo depth: LoadDepth, end: End = .newest, after: UInt64? = nil) {
        self.id = id
        self.depth = depth
        self.end = end
        self.after = after
    }

    /// Removes and returns the revisions that the steps have read, oldest first.
    ///
    /// - Complexity: O(revisions).
    mutating func takeTail() -> [Revision] {
        defer { parts = [] }
        return parts.reversed().flatMap { $0.reversed() }
    }

    /// Counts rows that a step has read.
    package mutating func count(_ rows: Int) {
        self.rows += rows
    }

    /// Completes the reading.
    package mutating func complete(with result: Result) {
        self.result = result
        place = nil
    }
}

extension Journal {
    /// Reads a note from a critical version up: its text as the record's floor, later revisions as
    /// the tail. See `read(_:rowsMax:)`.
    ///
    /// - Parameter sequence: if set, only commits up to it exist, except that `vector` is always the
    ///   newest.
    /// - Returns: Nil if the note does not exist, or did not exist then, or was then below its
    ///   compaction floor.
    /// - Complexity: O(commits of the note since that version), and the bytes of its text.
    package func note(_ id: NoteID, downTo depth: LoadDepth, asOf sequence: UInt64?) throws(JournalError) -> NoteRecord? {
        var reading = RecordRead(id, downTo: depth, end: sequence.map { .commit($0) } ?? .newest)
        while true {
            try read(&reading, rowsMax: .max)
            if case .record(let record) = reading.result { return record }
        }
    }
}
