package import Causality
package import NotesModel
import TextMerge

/// A page of a note's revisions, newest first.
package struct StoredPage: Sendable {
    /// A revision whose row cannot be read.
    package struct Unreadable: Sendable {
        /// Its dot; nil if unknown.
        package let dot: Dot?
        /// The reason, as a sentence for people.
        package let what: String
    }

    /// A commit whose rows in the table of names of files are not those of the files that it names.
    package struct Misnamed: Sendable {
        /// The dot of the commit.
        package let dot: Dot
        /// The difference, as a sentence for people.
        package let what: String

        package init(dot: Dot, what: String) {
            (self.dot, self.what) = (dot, what)
        }
    }

    /// The revisions that could be read, newest first.
    package let revisions: [StoredRevision]
    /// The revisions that could not be read.
    package let unreadable: [Unreadable]
    /// Those of the readable revisions whose names of files are wrong.
    package let misnamed: [Misnamed]
    /// The commits of all these revisions, readable or not, newest first.
    package let commits: [UInt64]
    /// The commit before which the next page starts; nil if the note's first commit is on this
    /// page, or if an unreadable row hides which commit is next.
    package let next: UInt64?

    package init(
        revisions: [StoredRevision], unreadable: [Unreadable] = [], misnamed: [Misnamed] = [], commits: [UInt64], next: UInt64?
    ) {
        self.revisions = revisions
        self.commits = commits
        self.unreadable = unreadable
        self.misnamed = misnamed
        self.next = next
    }
}

/// An entry of `Journal.append`.
package enum JournalEntry: Sendable {
    /// A revision to commit, with the record of the named write that made it, if any.
    case commit(Commit, operation: OperationRecord?)
    /// A named write that left its note unchanged.
    case operation(OperationRecord)
    /// A revision of another replica whose parents are missing. It is neither committed nor waiting
    /// yet.
    case waiting(LinkedRevision)
    /// A revision that cannot be accepted. If the same content is already quarantined, nothing
    /// happens. If the same content is waiting, it stops waiting.
    case quarantined(Quarantined)
    /// The set of dots that a peer reports to know. It replaces the previous report.
    case heard(PeerName, knows: DotSet)
    /// Removes a peer and its report.
    case forgotten(PeerName)
    /// Removes every waiting or quarantined revision with this dot, also one that cannot be read.
    case dropped(Dot)
    /// Moves a note's compaction floor and removes texts below it.
    case compacted(Compaction)
    /// Gives texts back to commits below a note's compaction floor.
    case reopened(Reopening)
    /// Commits the revisions below the floor of a `NoteBeginning`, then the floor, which becomes the
    /// compaction floor. `erased` are the revisions that a purge has erased. What the store has of the
    /// note is erased, all of which is below a purge.
    case began([Skeleton], Commit, erased: DotSet)
}

/// A step of compaction: a note's new or current compaction floor, and commits below it whose texts
/// are removed.
package struct Compaction: Hashable, Sendable {
    /// The note to compact.
    package let note: NoteID
    /// Sequence of the compaction floor: a commit that covers all before it and is not below the
    /// current floor. Its full text is stored from then on.
    package let compactionFloor: UInt64
    /// Size of the floor's text in bytes.
    package let floorBytes: Int
    /// Commits below the floor whose texts are removed.
    package let removed: [UInt64]

    package init(note: NoteID, compactionFloor: UInt64, floorBytes: Int, removed: [UInt64]) {
        self.note = note
        self.compactionFloor = compactionFloor
        self.floorBytes = floorBytes
        self.removed = removed
    }
}

/// A part of the texts that come back to a note's commits (`NoteReopening`).
package struct Reopening: Sendable {
    /// The note.
    package let note: NoteID
    /// The texts. The newest commits below the compaction floor come first, so that each part leaves texts
    /// only above those that are still missing.
    package let texts: [NoteReopening.Text]
    /// If these are the last texts: the compaction floors with texts, which are no floors afterwards.
    package let formerFloors: [UInt64]

    package init(note: NoteID, texts: [NoteReopening.Text], formerFloors: [UInt64] = []) {
        self.note = note
        self.texts = texts
        self.formerFloors = formerFloors
    }

    /// The bytes of the texts.
    var bytes: Int { texts.reduce(0) { $1.edits.reduce($0 + ($1.text?.count ?? 0)) { $0 + $1.replacement.count } } }
}
