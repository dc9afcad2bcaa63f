import Causality
import NoteText
import TextMerge

/// The storage of a `Note` and the computations on it.
///
/// Invariant: `head`, `text` and `residentBytes` describe the view after its newest revision.
struct NoteContents: Sendable {
    private var view: View
    private var names: NameRegister
    private var vector: VersionVector
    let compactionFloor: Dot?
    /// Whether the note is deleted at the compaction floor, and a store without one still has the text that
    /// shows again without the deletion. A purge leaves no such text anywhere.
    private let hidesCompactedText: Bool
    /// The number of revisions that the journal loaded above the view's floor; 0 after the floor was
    /// raised.
    ///
    /// A writer who needed them probably needs them again, and loading them costs a walk. So the floor
    /// stays until as many revisions again were appended, which bounds the cost and the memory by
    /// twice those of the load.
    private var loaded = 0
    /// Dots that the caller asked the journal for and that lie below the compaction floor.
    private let gone: Version
    private(set) var head: Head
    private(set) var text: [UInt8] = []
    private(set) var residentBytes = 0

    /// Builds the contents from a record that a journal loaded.
    ///
    /// - Precondition: the record holds at least one revision, and parents come before their
    ///   children.
    /// - Complexity: that of a walk over the revisions above the record's floor.
    init(_ record: NoteRecord) {
        vector = record.vector
        compactionFloor = record.endsAtCompactionFloor ? record.floor?.dot : nil
        hidesCompactedText = record.floor.map { $0.state.isDeleted && !$0.isPurge } ?? false
        gone = record.gone
        if let floor = record.floor {
            view = View(floor: floor.dot, floor.state, naming: .sha256)
            names = NameRegister(floor: floor.name)
        } else {
            view = View(naming: .sha256)
            names = NameRegister(floor: nil)
        }
        let newest = record.tail.last.map { ($0.author, $0.modified) } ?? record.floor.map { ($0.author, $0.modified) }
        guard let (author, modified) = newest else { preconditionFailure("a note has a revision") }
        head = Head(
            id: record.id, name: nil, version: .nothing, vector: vector, title: "", tags: [], created: record.created,
            modified: modified, author: author, bytes: 0, isDeleted: false)
        // Keep the floor at the record's root: the caller may have loaded the record for a write
        // that is based on any version of the tail.
        for revision in record.tail {
            names.record(revision.dot, revision.name)
            vector.record(revision.dot)
        }
        view.append(contentsOf: record.tail.map(Event.init), holdsFloor: true)
        loaded = record.tail.count
        refreshHead(author: author, modified: modified)
    }

    /// Creates the contents from a note's first revision.
    ///
    /// - Parameter holdsFloor: whether to keep the empty version as the floor.
    init(first revision: Revision, holdsFloor: Bool = false) {
        vector = VersionVector()
        (compactionFloor, hidesCompactedText, gone) = (nil, false, .nothing)
        view = View(naming: .sha256)
        names = NameRegister(floor: nil)
        head = Head(
            id: revision.note, name: nil, version: .nothing, vector: vector, title: "", tags: [], created: revision.created,
            modified: revision.modified, author: revision.author, bytes: 0, isDeleted: false)
        append(revision, holdsFloor: holdsFloor)
    }

    /// Whether the complete history is held, from the first revision.
    var isWhole: Bool { view.floor.isNothing }

    /// Whether the view starts at the compaction floor, so that the journal cannot supply any more.
    var reachesCompactionFloor: Bool { compactionFloor.map { view.floor == Version($0) } ?? false }
    var isCompactedWhileDeleted: Bool { reachesCompactionFloor && hidesCompactedText }

    /// Removes from a version the dots known to lie below the compaction floor. Every revision at
    /// or above the compaction floor has those dots in its past. Nil when no dot remains.
    func readable(of version: Version) -> Version? {
        guard !gone.isNothing else { return version }
        let rest = version.dots.filter { !gone.dots.contains($0) }
        return rest.isEmpty && !version.isNothing ? nil : Version(rest)
    }

    func knows(_ version: Version) -> Bool {
        version.dots.allSatisfy(view.knows)
    }

    /// The dots of a version that are held in memory, reduced to its maximal dots.
    func known(of version: Version) -> Version {
        view.graph.reduce(Version(version.dots.filter(view.knows)))
    }

    func unknown(of version: Version) -> Version {
        Version(version.dots.filter { !view.knows($0) })
    }

    var graph: RevisionGraph { view.graph }

    /// The texts of the sides of a text conflict, and of their common base.
    mutating func texts(of conflict: OpenConflict, at version: Version) -> ConflictTexts? {
        guard let found = conflicts(at: version).first(where: { $0.id == conflict.id }) else { return nil }
        defer { updateResidentBytes() }
        return view.texts(of: found, at: version)
    }

    /// The name that the revisions of a version set, even if a tombstone hides it.
    func setName(at version: Version) -> NoteName? {
        names.name(at: version, in: view)
    }

    /// The merged text at a known and reduced version; empty for `Version.nothing`, whatever is
    /// held.
    mutating func text(at version: Version) -> [UInt8] {
        if version.isNothing { return [] }
        if version == view.version { return view.text }
        defer { updateResidentBytes() }
        return view.text(at: version)
    }

    /// The note's state at a version, with the given author and time of change.
    ///
    /// - Precondition: the version is known and reduced.
    mutating func head(at version: Version, author: Author, modified: Timestamp) -> Head {
        let text = text(at: version)
        return Head(
            id: head.id, name: name(at: version), version: version, vector: vector, title: Title.of(text), tags: Tags.of(text),
            created: head.created, modified: modified, author: author, bytes: text.count, isDeleted: isDeleted(at: version),
            conflicts: OpenConflict.all(version.isNothing ? [] : conflicts(at: version), in: text))
    }

    /// The conflicts that are open at a version.
    ///
    /// - Precondition: the version is known and reduced, and is not `nothing`.
    private mutating func conflicts(at version: Version) -> [Conflict] {
        if version == view.version { return view.conflicts }
        defer { updateResidentBytes() }
        return view.conflicts(at: version)
    }

    /// The ids of the conflicts that are open at a version.
    ///
    /// - Precondition: the version is known and reduced.
    mutating func openIDs(at version: Version) -> Set<ConflictID> {
        version.isNothing ? [] : Set(conflicts(at: version).map(\.id))
    }

    /// The conflicts that a critical version at this point must carry forward.
    var keptConflicts: [KeptConflict] { view.keptConflicts }

    /// See `ViewFloor.lastLine`.
    var lastLineFeed: LastLineFeed { view.lastLineFeed }

    /// Whether revisions above the floor can be withdrawn (`View.canWithdraw`).
    var canWithdraw: Bool { view.canWithdraw }

    /// The given revisions that are above the floor.
    func withdrawable(_ dots: [Dot]) -> [Dot] { dots.filter { view.graph.ordinal(of: $0) != nil } }

    /// See `View.keepsName`.
    func keepsName(withdrawing dots: [Dot]) -> Bool { view.keepsName(withdrawing: dots) }

    /// The revisions above the floor that are withdrawn at a known version.
    func withdrawn(at version: Version) -> Set<Dot> { version.isNothing ? [] : view.withdrawn(at: version) }

    func isDeleted(at version: Version) -> Bool {
        if version.isNothing { return false }
        return version == view.version ? view.isDeleted : view.isDeleted(at: version)
    }

    /// The name at a version; nil when the version is deleted, because a tombstone holds no name.
    func name(at version: Version) -> NoteName? {
        isDeleted(at: version) ? nil : names.name(at: version, in: view)
    }

    /// Appends a revision and advances the current version.
    ///
    /// - Parameter holdsFloor: whether to keep the current floor, so that versions below the new
    ///   revision remain known.
    /// - Precondition: the parents are known and reduced, and the edits fit the text at the
    ///   parents.
    mutating func append(_ revision: Revision, holdsFloor: Bool = false) {
        let holdsFloor = holdsFloor || view.graph.count < 2 * loaded
        if revision.parents == view.version, !holdsFloor, revision.mayBeFloor {
            loaded = 0
            // The new revision becomes the floor: restart the name register at it. The view does
            // the same.
            names = NameRegister(floor: nameAfter(revision))
        } else {
            names.record(revision.dot, revision.name)
        }
        view.append(contentsOf: [Event(revision)], holdsFloor: holdsFloor)
        vector.record(revision.dot)
        refreshHead(author: revision.author, modified: revision.modified)
    }

    /// Gives the newest revision another dot and time (`View.renameNewest`).
    ///
    /// - Parameter revision: it, with these.
    mutating func renameNewest(to revision: Revision) {
        guard let newest = view.graph.dots.last else { preconditionFailure("a revision is above the floor") }
        if newest != revision.dot {
            view.renameNewest(to: revision.dot)
            names.renameNewest(newest, to: revision.dot)
            vector.record(revision.dot)
        }
        (head.version, head.vector, head.modified) = (view.version, vector, revision.modified)
    }

    /// The name at a revision that has all others in its past. Call it before the register forgets
    /// them.
    private func nameAfter(_ revision: Revision) -> NoteName? {
        switch revision.name {
        case .set(let name): name
        case .unchanged: names.name(at: revision.parents, in: view)
        }
    }

    private mutating func refreshHead(author: Author, modified: Timestamp) {
        head = head(at: view.version, author: author, modified: modified)
        text = view.text
        updateResidentBytes()
    }

    /// Recomputes `residentBytes`. Queries call it too, because the walk caches the texts they
    /// compute.
    private mutating func updateResidentBytes() {
        residentBytes = text.count + view.residentBytes
    }
}

extension Event {
    init(_ revision: Revision) {
        self.init(
            dot: revision.dot, parents: revision.parents, edits: revision.edits, origin: revision.origin,
            isTombstone: revision.isTombstone, name: NameChange(revision.name), resolves: revision.resolves,
            withdraws: revision.withdraws)
    }
}

extension NameChange {
    fileprivate init(_ edit: NameEdit) {
        self =
            switch edit {
            case .unchanged: .none
            case .set(let name): .set(name?.bytes.utf8)
            }
    }
}

extension ConflictNaming {
    static let sha256 = ConflictNaming { SHA256.hash(of: $0) }
}
