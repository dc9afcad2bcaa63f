import Causality
package import NoteText
package import NotesModel
package import TextMerge

/// Links revisions to their parents, as their writers' stores would.
///
/// The first revision that is given for a dot is the parent that others mean. A parent that is not
/// given has the hash 0, and so has a parent that is reached in a cycle.
///
/// - Parameter known: further revisions that may be parents.
package func linked(_ revisions: [Revision], onto known: [LinkedRevision] = []) -> [LinkedRevision] {
    var lineage = Lineage(revisions, known)
    return revisions.map { lineage.linked($0) }
}

private struct Lineage {
    private var given: [Dot: Revision] = [:]
    /// The hashes of parents; 0 while one is being computed.
    private var hashes: [Dot: RevisionHash] = [:]

    init(_ revisions: [Revision], _ known: [LinkedRevision]) {
        for revision in known { hashes[revision.dot] = RevisionHash(of: revision) }
        for revision in revisions where given[revision.dot] == nil { given[revision.dot] = revision }
    }

    mutating func linked(_ revision: Revision) -> LinkedRevision {
        LinkedRevision(revision, parentHashes: revision.parents.dots.map { hash(of: $0) })
    }

    private mutating func hash(of dot: Dot) -> RevisionHash {
        if let hash = hashes[dot] { return hash }
        hashes[dot] = RevisionHash(bits: 0)
        guard let parent = given[dot], parent.edits.fault(forLength: .max) == nil else { return RevisionHash(bits: 0) }
        let hash = RevisionHash(of: linked(parent))
        hashes[dot] = hash
        return hash
    }
}

extension LinkedRevision {
    /// A revision whose parents all have the hash 0, for tests that do not compare it.
    package static func onAnyParents(_ revision: Revision) -> LinkedRevision {
        LinkedRevision(revision, parentHashes: revision.parents.dots.map { _ in RevisionHash(bits: 0) })
    }
}

extension RevisionHash {
    /// The hash of a revision whose parents all have the hash 0.
    package init(onAnyParents revision: Revision) {
        self.init(of: .onAnyParents(revision))
    }
}

extension StoredRevision {
    /// A stored revision whose parents all have the hash 0.
    package init(
        revision: Revision, hash: RevisionHash, bytes: Int, text: [UInt8]?, name: NoteName?, coversAll: Bool,
        conflicts: [KeptConflict], lastLine: LastLineFeed = .shown, isDeleted: Bool? = nil, isCompacted: Bool = false,
        isCompactionFloor: Bool = false, kept: RevisionHash? = nil, shown: Merged? = nil
    ) {
        self.init(
            revision: revision, parentHashes: LinkedRevision.onAnyParents(revision).parentHashes, hash: hash, bytes: bytes,
            text: text, name: name, coversAll: coversAll, conflicts: conflicts, lastLine: lastLine, isDeleted: isDeleted,
            isCompacted: isCompacted, isCompactionFloor: isCompactionFloor, kept: kept, shown: shown)
    }
}
