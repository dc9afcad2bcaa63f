package import Causality
import TextMerge

/// What the sides of a note's open conflicts say.
extension Note {
    /// What everybody who takes part in a conflict had been shown, and what each side made of it, without who they are.
    package struct ConflictSides: Hashable, Sendable {
        package let base: ConflictContent?
        /// In the order of the conflict's sides.
        package let sides: [ConflictContent]
    }

    /// What the sides of a conflict that is open at a version say; nil where they lie below what is held.
    ///
    /// - Precondition: the version is known and reduced.
    /// - Complexity: that of the texts at the sides' versions.
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
