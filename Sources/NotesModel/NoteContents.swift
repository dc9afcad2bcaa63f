import Causality
import TextMerge

/// What a `Note` holds, and works out of it.
///
/// Invariant: `head`, `text` and `residentBytes` are those of the view after its newest revision.
struct NoteContents: Sendable {
    private var view: View
    private var names: NameRegister
    private var vector: VersionVector
    let compactionFloor: Dot?
    /// Dots that were asked for and lie below the foot.
    private let gone: Version
    private(set) var head: Head
    private(set) var text: [UInt8] = []
    private(set) var residentBytes = 0

    /// The note that a journal handed over.
    ///
    /// - Precondition: the record keeps its promises: parents before children, at least one revision.
    /// - Complexity: that of the walk above the record's root.
    init(_ record: NoteRecord) {
        vector = record.vector
        compactionFloor = record.endsAtCompactionFloor ? record.floor?.dot : nil
        gone = record.gone
        if let floor = record.floor {
            view = View(
                floor: floor.dot, text: floor.text, isDeleted: floor.isDeleted, conflicts: floor.conflicts, naming: .sha256)
            names = NameRegister(floor: floor.name)
        } else {
            view = View(naming: .sha256)
            names = NameRegister(floor: nil)
        }
        let newest = record.tail.last.map { ($0.author, $0.time) } ?? record.floor.map { ($0.author, $0.time) }
        guard let (author, time) = newest else { preconditionFailure("a note has a revision") }
        head = Head(
            id: record.id, name: nil, version: .nothing, vector: vector, title: "", tags: [], created: record.created,
            modified: time, author: author, bytes: 0, isDeleted: false)
        // The floor stays at the root: a write on any version of the tail may be what the record was asked for.
        for revision in record.tail {
            names.record(revision.dot, revision.name)
            vector.record(revision.dot)
        }
        view.append(contentsOf: record.tail.map(Event.init), holdsFloor: true)
        refreshHead(author: author, time: time)
    }

    /// A note that is made by its first revision.
    ///
    /// - Parameter holdsFloor: whether a write on nothing has to stay possible.
    init(first revision: Revision, holdsFloor: Bool = false) {
        vector = VersionVector()
        (compactionFloor, gone) = (nil, .nothing)
        view = View(naming: .sha256)
        names = NameRegister(floor: nil)
        head = Head(
            id: revision.note, name: nil, version: .nothing, vector: vector, title: "", tags: [], created: revision.time,
            modified: revision.time, author: revision.author, bytes: 0, isDeleted: false)
        append(revision, holdsFloor: holdsFloor)
    }

    /// Whether its whole history is held, down to the first revision.
    var isWhole: Bool { view.floor.isNothing }

    /// Whether what is held goes down to the note's foot: nothing further down can be had.
    var reachesCompactionFloor: Bool { compactionFloor.map { view.floor == Version($0) } ?? false }

    /// A version without those of its dots whose texts were thinned out, as far as they were asked for: whatever stands at the foot
    /// or above has them in its past. Nil where nothing else is left of it.
    func readable(of version: Version) -> Version? {
        guard !gone.isNothing else { return version }
        let rest = version.dots.filter { !gone.dots.contains($0) }
        return rest.isEmpty && !version.isNothing ? nil : Version(rest)
    }

    func knows(_ version: Version) -> Bool {
        version.dots.allSatisfy(view.knows)
    }

    /// The part of a version that is held here, reduced.
    func known(of version: Version) -> Version {
        view.graph.reduce(Version(version.dots.filter(view.knows)))
    }

    func unknown(of version: Version) -> Version {
        Version(version.dots.filter { !view.knows($0) })
    }

    var graph: RevisionGraph { view.graph }

    /// What the sides show of a text conflict's range.
    mutating func texts(of conflict: OpenConflict, at version: Version) -> ConflictTexts? {
        guard let found = conflicts(at: version).first(where: { $0.id == conflict.id }) else { return nil }
        defer { updateResidentBytes() }
        return view.texts(of: found, at: version)
    }

    /// The name that the revisions of a version set, whether a tombstone hides it or not.
    func setName(at version: Version) -> NoteName? {
        names.name(at: version, in: view.graph)
    }

    /// What a version that is known and reduced shows; nothing shows nothing, whatever is held.
    mutating func text(at version: Version) -> [UInt8] {
        if version.isNothing { return [] }
        if version == view.version { return view.text }
        defer { updateResidentBytes() }
        return view.text(at: version)
    }

    /// What stood in a list at that version, written last by that author.
    ///
    /// - Precondition: the version is known and reduced.
    mutating func head(at version: Version, author: Author, time: Timestamp) -> Head {
        let text = text(at: version)
        var head = head
        head.version = version
        head.name = name(at: version)
        head.isDeleted = isDeleted(at: version)
        head.title = Title.of(text)
        head.tags = Tags.of(text)
        head.bytes = text.count
        head.modified = time
        head.author = author
        head.conflicts = OpenConflict.all(version.isNothing ? [] : conflicts(at: version), in: text)
        return head
    }

    /// The conflicts that are open at a version.
    ///
    /// - Precondition: the version is known and reduced, and not nothing.
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

    /// What is unsettled now: what a critical version keeps of what lies below it.
    var keptConflicts: [Conflict] { view.keptConflicts }

    func isDeleted(at version: Version) -> Bool {
        if version.isNothing { return false }
        return version == view.version ? view.isDeleted : view.isDeleted(at: version)
    }

    /// The name at a version; none where the version is deleted, since a tombstone holds no name.
    func name(at version: Version) -> NoteName? {
        isDeleted(at: version) ? nil : names.name(at: version, in: view.graph)
    }

    /// Adds a revision and shows it.
    ///
    /// - Parameter holdsFloor: whether versions below it have to stay known.
    /// - Precondition: its parents are known and reduced, and its edits fit the text that they show.
    mutating func append(_ revision: Revision, holdsFloor: Bool = false) {
        if revision.parents == view.version, !holdsFloor {
            // A critical version: view and register start anew at it.
            names = NameRegister(floor: nameAfter(revision))
        } else {
            names.record(revision.dot, revision.name)
        }
        view.append(contentsOf: [Event(revision)], holdsFloor: holdsFloor)
        vector.record(revision.dot)
        refreshHead(author: revision.author, time: revision.time)
    }

    /// The name at a revision that has all others in its past, asked before they are forgotten.
    private func nameAfter(_ revision: Revision) -> NoteName? {
        switch revision.name {
        case .set(let name): name
        case .unchanged: names.name(at: revision.parents, in: view.graph)
        }
    }

    private mutating func refreshHead(author: Author, time: Timestamp) {
        head = head(at: view.version, author: author, time: time)
        head.vector = vector
        text = view.text
        updateResidentBytes()
    }

    /// The walk keeps texts of versions that it was asked for.
    private mutating func updateResidentBytes() {
        residentBytes = text.count + view.residentBytes
    }
}

extension Event {
    init(_ revision: Revision) {
        self.init(
            dot: revision.dot, parents: revision.parents, edits: revision.edits, origin: revision.origin,
            isTombstone: revision.isTombstone, name: NameChange(revision.name), resolves: revision.resolves)
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
