package import Causality
package import TextMerge

/// One note: its revisions above a critical version, and what they show.
///
/// This is the model controller of a note. It keeps the graph, the walk and the name to itself and answers questions about
/// them; nobody else reads a sibling and decides. What is asked about the version that it shows, as nearly every write does, is
/// answered from its head.
///
/// A copy shares its memory until one of the two is changed.
package struct Note: Sendable {
    /// Exactly one. In an array, since the note goes from the cache to a batch and back with each write: a copy on the way
    /// counts one reference instead of some thirty.
    private var contents: [NoteContents]
    /// The commit of the newest revision; 0 before it is known.
    package var sequence: UInt64

    package var head: Head { contents[0].head }
    package var id: NoteID { contents[0].head.id }
    package var text: [UInt8] { contents[0].text }
    package var version: Version { contents[0].head.version }
    package var isDeleted: Bool { contents[0].head.isDeleted }

    /// The note that a journal handed over.
    ///
    /// - Precondition: the record keeps its promises: parents before children, at least one revision.
    /// - Complexity: that of the walk above the record's root.
    package init(_ record: NoteRecord) {
        contents = [NoteContents(record)]
        sequence = record.sequence
    }

    /// A note that is made by its first revision.
    ///
    /// - Parameter holdsFloor: whether a write on nothing has to stay possible.
    package init(first revision: Revision, holdsFloor: Bool = false) {
        contents = [NoteContents(first: revision, holdsFloor: holdsFloor)]
        sequence = 0
    }

    /// About what the note takes in memory, in bytes: its text, and what is kept of the revisions above the floor.
    package var residentBytes: Int { contents[0].residentBytes }

    /// Whether its whole history is held, down to the first revision.
    package var isWhole: Bool { contents[0].isWhole }

    /// The revision below which nothing can be read any more, where what is held was loaded down to it.
    package var compactionFloor: Dot? { contents[0].compactionFloor }

    /// Whether what is held goes down to the note's foot: nothing further down can be had.
    package var reachesCompactionFloor: Bool { contents[0].reachesCompactionFloor }

    /// A version without those of its dots whose texts were thinned out, as far as they were asked for: whatever stands at the foot
    /// or above has them in its past. Nil where nothing else is left of it.
    package func readable(of version: Version) -> Version? { contents[0].readable(of: version) }

    package func knows(_ version: Version) -> Bool {
        version == self.version || contents[0].knows(version)
    }

    /// Whether a write on the version can be walked with what is held.
    package func covers(_ version: Version) -> Bool {
        version.isNothing ? isWhole : knows(version)
    }

    /// The part of a version that is held here, reduced.
    package func known(of version: Version) -> Version { contents[0].known(of: version) }

    package func unknown(of version: Version) -> Version { contents[0].unknown(of: version) }

    /// - Precondition: the version is known.
    package func reduced(_ version: Version) -> Version {
        version.dots.count > 1 ? contents[0].graph.reduce(version) : version
    }

    var graph: RevisionGraph { contents[0].graph }

    /// What the sides show of a text conflict's range.
    mutating func texts(of conflict: OpenConflict, at version: Version) -> ConflictTexts? {
        contents[0].texts(of: conflict, at: version)
    }

    /// The name that the revisions of a version set, whether a tombstone hides it or not.
    func setName(at version: Version) -> NoteName? { contents[0].setName(at: version) }

    /// What a version that is known and reduced shows; nothing shows nothing, whatever is held.
    package mutating func text(at version: Version) -> [UInt8] {
        version == self.version ? text : contents[0].text(at: version)
    }

    /// What stood in a list at that version, written last by that author.
    ///
    /// - Precondition: the version is known and reduced.
    package mutating func head(at version: Version, author: Author, time: Timestamp) -> Head {
        contents[0].head(at: version, author: author, time: time)
    }

    /// The ids of the conflicts that are open at a version.
    ///
    /// - Precondition: the version is known and reduced.
    package mutating func openIDs(at version: Version) -> Set<ConflictID> { contents[0].openIDs(at: version) }

    /// What is unsettled now: what a critical version keeps of what lies below it.
    package var keptConflicts: [Conflict] {
        // Where the note is not deleted, nothing is unsettled that its head does not tell.
        isDeleted || !contents[0].head.conflicts.isEmpty ? contents[0].keptConflicts : []
    }

    package func isDeleted(at version: Version) -> Bool {
        version == self.version ? isDeleted : contents[0].isDeleted(at: version)
    }

    /// The name at a version; none where the version is deleted, since a tombstone holds no name.
    package func name(at version: Version) -> NoteName? {
        version == self.version ? contents[0].head.name : contents[0].name(at: version)
    }

    /// Adds a revision and shows it.
    ///
    /// - Parameter holdsFloor: whether versions below it have to stay known.
    /// - Precondition: its parents are known and reduced, and its edits fit the text that they show.
    package mutating func append(_ revision: Revision, holdsFloor: Bool = false) {
        contents[0].append(revision, holdsFloor: holdsFloor)
    }
}
