package import Causality
package import NoteText
package import TextMerge

/// A note in memory: one critical version and every revision above it.
///
/// A note loads from its newest suitable critical version, its floor, instead of from its first
/// revision.
///
/// `Note` is the only type that reads siblings, the revision graph and the name register. Other
/// types ask it about a version and receive a text, a name or a `Head`. `Note` answers a question
/// about the current version, which is what nearly every write asks for, from its head without a
/// walk.
///
/// `Note` has value semantics with copy-on-write storage.
package struct Note: Sendable {
    /// The contents, in an array of exactly one element. Each write moves the note from the cache
    /// into a batch and back; with the array, a copy retains one reference instead of about thirty.
    private var contents: [NoteContents]
    /// The commit sequence number of the note's newest revision; 0 until the journal has assigned
    /// one.
    package var sequence: UInt64

    /// The note's current state without its text.
    package var head: Head { contents[0].head }
    /// The note's id.
    package var id: NoteID { contents[0].head.id }
    /// The merged text, in UTF-8.
    package var text: [UInt8] { contents[0].text }
    /// The current version: the note's siblings.
    package var version: Version { contents[0].head.version }
    /// Whether the note is deleted at the current version.
    package var isDeleted: Bool { contents[0].head.isDeleted }

    /// Builds a note from a record that a journal loaded.
    ///
    /// - Precondition: the record holds at least one revision, and parents come before their
    ///   children.
    /// - Complexity: that of a walk over the revisions above the record's floor.
    package init(_ record: NoteRecord) {
        contents = [NoteContents(record)]
        sequence = record.sequence
    }

    /// Creates a note from its first revision.
    ///
    /// - Parameter holdsFloor: whether to keep the empty version, so that the batch can still apply
    ///   a write whose base is "nothing".
    package init(first revision: Revision, holdsFloor: Bool = false) {
        contents = [NoteContents(first: revision, holdsFloor: holdsFloor)]
        sequence = 0
    }

    /// The approximate memory that the note uses, in bytes: its merged text and the state of the
    /// revisions above its floor. The note cache budgets by this number.
    package var residentBytes: Int { contents[0].residentBytes }

    /// Whether the note holds its complete history, from the first revision.
    package var isWhole: Bool { contents[0].isWhole }

    /// The compaction floor: the oldest revision whose text is still held. Nil when the note has
    /// none or when the loaded part of the history does not extend down to it.
    package var compactionFloor: Dot? { contents[0].compactionFloor }

    /// Whether the note is loaded down to its compaction floor, so that the journal cannot supply
    /// any more.
    package var reachesCompactionFloor: Bool { contents[0].reachesCompactionFloor }

    /// Removes from a version the dots known to lie below the compaction floor. Every revision at
    /// or above the compaction floor has those dots in its past, so the remaining dots denote the
    /// same version.
    ///
    /// - Returns: nil when no dot remains, that is, when the text of the version was compacted.
    package func readable(of version: Version) -> Version? { contents[0].readable(of: version) }

    /// Whether every dot of a version is held in memory.
    package func knows(_ version: Version) -> Bool {
        version == self.version || contents[0].knows(version)
    }

    /// Whether a write based on the version can be merged with the revisions held in memory.
    package func covers(_ version: Version) -> Bool {
        version.isNothing ? isWhole : knows(version)
    }

    /// The dots of a version that are held in memory, reduced to its maximal dots.
    package func known(of version: Version) -> Version { contents[0].known(of: version) }

    /// The dots of a version that are not held in memory.
    package func unknown(of version: Version) -> Version { contents[0].unknown(of: version) }

    /// Reduces a version to its maximal dots.
    ///
    /// - Precondition: the note knows the version.
    package func reduced(_ version: Version) -> Version {
        version.dots.count > 1 ? contents[0].graph.reduce(version) : version
    }

    var graph: RevisionGraph { contents[0].graph }

    /// The texts of the two or more sides of a text conflict, and of their common base.
    mutating func texts(of conflict: OpenConflict, at version: Version) -> ConflictTexts? {
        contents[0].texts(of: conflict, at: version)
    }

    /// The name that the revisions of a version set, even if a tombstone hides it.
    func setName(at version: Version) -> NoteName? { contents[0].setName(at: version) }

    /// The merged text at a version; empty for `Version.nothing`, whatever is held.
    ///
    /// - Precondition: the note knows the version, and the version is reduced.
    package mutating func text(at version: Version) -> [UInt8] {
        version == self.version ? text : contents[0].text(at: version)
    }

    /// The note's state at a version, as a list would show it.
    ///
    /// - Parameters:
    ///   - author: the author to report as the last one.
    ///   - modified: the time of change to report.
    /// - Precondition: the note knows the version, and the version is reduced.
    package mutating func head(at version: Version, author: Author, modified: Timestamp) -> Head {
        contents[0].head(at: version, author: author, modified: modified)
    }

    /// The ids of the conflicts that are open at a version.
    ///
    /// - Precondition: the note knows the version, and the version is reduced.
    package mutating func openIDs(at version: Version) -> Set<ConflictID> { contents[0].openIDs(at: version) }

    /// The conflicts that a critical version at this point must carry forward, because the
    /// revisions that caused them fall below it.
    package var keptConflicts: [KeptConflict] {
        // A note that is not deleted and lists no conflict in its head has none to carry forward.
        isDeleted || !contents[0].head.conflicts.isEmpty ? contents[0].keptConflicts : []
    }

    /// Whether the note is loaded down to a compaction floor at which it is deleted, and which is no purge.
    var isCompactedWhileDeleted: Bool { contents[0].isCompactedWhileDeleted }

    /// The last LF of the text, as a critical version at this point must record it.
    package var lastLineFeed: LastLineFeed { contents[0].lastLineFeed }

    /// Whether the note is loaded far enough down to withdraw all of the given revisions.
    package func canWithdraw(_ dots: [Dot]) -> Bool {
        contents[0].canWithdraw && contents[0].withdrawable(dots).count == dots.count
    }

    /// The given revisions that are above the floor.
    func withdrawable(_ dots: [Dot]) -> [Dot] { contents[0].withdrawable(dots) }

    /// See `View.keepsName`.
    func keepsName(withdrawing dots: [Dot]) -> Bool { contents[0].keepsName(withdrawing: dots) }

    /// The revisions above the floor that are withdrawn at a version.
    ///
    /// - Precondition: the note knows the version.
    package func withdrawn(at version: Version) -> Set<Dot> { contents[0].withdrawn(at: version) }

    /// Whether the note is deleted at a version.
    package func isDeleted(at version: Version) -> Bool {
        version == self.version ? isDeleted : contents[0].isDeleted(at: version)
    }

    /// The name at a version; nil when the version is deleted, because a tombstone holds no name.
    package func name(at version: Version) -> NoteName? {
        version == self.version ? contents[0].head.name : contents[0].name(at: version)
    }

    /// Gives the newest revision another dot and time (`View.renameNewest`).
    ///
    /// - Parameter revision: it, with these.
    mutating func renameNewest(to revision: Revision) { contents[0].renameNewest(to: revision) }

    /// Appends a revision and advances the current version.
    ///
    /// - Parameter holdsFloor: whether to keep the current floor, so that versions below the new
    ///   revision remain known.
    /// - Precondition: the note knows the revision's parents, the parents are reduced, and the
    ///   edits fit the text at the parents.
    package mutating func append(_ revision: Revision, holdsFloor: Bool = false) {
        contents[0].append(revision, holdsFloor: holdsFloor)
    }
}
