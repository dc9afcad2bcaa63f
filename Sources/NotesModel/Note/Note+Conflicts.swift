package import Causality
import TextMerge

/// The contents of the sides of a note's open conflicts.
extension Note {
    /// The common base of a conflict and the content of each side, without their authors.
    package struct ConflictSides: Hashable, Sendable {
        /// The content at the sides' common past; nil for a deletion.
        package let base: ConflictContent?
        /// The contents, in the order of the conflict's sides.
        package let sides: [ConflictContent]
    }

    /// The contents of the sides of a conflict that is open at a version.
    ///
    /// - Returns: nil when a side lies below the revisions held in memory.
    /// - Precondition: the note knows the version, and the version is reduced.
    /// - Complexity: that of computing the text at each side's version.
    package mutating func conflictSides(of conflict: OpenConflict, at version: Version) -> ConflictSides? {
        guard conflict.sides.allSatisfy({ graph.ordinal(of: $0) != nil }) else { return nil }
        switch conflict.kind {
        case .text:
            guard let texts = texts(of: conflict, at: version) else { return nil }
            return ConflictSides(base: .text(texts.base), sides: texts.sides.map { .text($0) })
        case .name:
            let shared = conflict.sides.dropFirst().reduce(Version(conflict.sides[0])) { graph.commonPast($0, Version($1)) }
            return ConflictSides(base: .name(name(at: shared)), sides: conflict.sides.map { .name(setName(at: Version($0))) })
        case .deletion:
            return ConflictSides(
                base: nil,
                sides: conflict.sides.map { side in
                    let version = Version(side)
                    return isDeleted(at: version) ? .deleted : .text(text(at: version))
                })
        }
    }
}
