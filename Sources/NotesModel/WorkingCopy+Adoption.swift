import Causality
import TextMerge

/// Taking in revisions that other replicas made: the same rules as for commands, where the writer has already been answered.
///
/// Nothing is decided anew: text, name and what it settles are as the revision says. What is asked is whether it can be one of
/// the note's at all, since whatever a peer sends ends up here, and nothing below takes a revision that does not fit.
extension WorkingCopy {
    enum AdoptionStep {
        case needs(Need)
        /// Parents that are no revisions of the note so far.
        case lacks([Dot])
        case unfit(QuarantineReason)
        case accepted(Accepted)
    }

    /// - Precondition: the dot is new to the store and to this copy; the edits do not overlap (`Array.fault(forLength:)`), and
    ///   `AdoptionRules` have no fault to find.
    mutating func adopt(_ revision: Revision) -> AdoptionStep {
        do throws(Interruption) {
            return try adopt(revision, on: try base(revision.parents, of: revision.note))
        } catch {
            switch error {
            case .needs(let need): return .needs(need)
            case .refused(.unknownBase(_, let unknown)): return .lacks(unknown.dots)
            case .refused(.revisionGone): return .unfit(.parentIsCompacted)
            case .refused: return revision.parents.isNothing ? begin(with: revision) : .lacks(revision.parents.dots)
            }
        }
    }

    private mutating func adopt(_ revision: Revision, on base: Base) throws(Interruption) -> AdoptionStep {
        guard base.version == revision.parents else { return .unfit(.parentsCoverEachOther) }
        if let reason = fault(of: revision, on: base.text) { return .unfit(reason) }
        let coversAll = revision.parents == base.head.version
        let shownBefore = coversAll ? nil : base.shown
        append(revision)
        guard let note = note(revision.note) else { preconditionFailure("a base is found in a note") }
        let text = revision.isTombstone ? [] : revision.edits.applied(to: base.text)
        return .accepted(accepted(revision, coversAll, text, before: (base.head, shownBefore), note))
    }

    /// The revision is the first of its note that comes here.
    private mutating func begin(with revision: Revision) -> AdoptionStep {
        if let reason = fault(of: revision, on: []) { return .unfit(reason) }
        let text = revision.isTombstone ? [] : revision.edits.applied(to: [])
        return .accepted(accepted(revision, true, text, before: nil, begin(revision)))
    }

    /// - Parameter before: what the note showed, its text only where the revision does not cover all.
    private func accepted(
        _ revision: Revision, _ coversAll: Bool, _ text: [UInt8], before: (head: Head, text: [UInt8]?)?, _ note: Note
    ) -> Accepted {
        let version = Version(revision.dot)
        return Accepted(
            revision: revision, coversAll: coversAll, text: text, name: note.name(at: version),
            conflicts: coversAll ? note.keptConflicts : [], shown: before?.text.map { MergedText(note.text, after: $0) },
            before: before?.head, after: note.head,
            outcome: Outcome(kind: .merged, dot: revision.dot, version: version, shown: nil))
    }

    /// - Complexity: O(edits and their bytes).
    private func fault(of revision: Revision, on text: [UInt8]) -> QuarantineReason? {
        guard revision.edits.fault(forLength: text.count) == nil else { return .editOutsideText }
        func isInside(_ offset: Int) -> Bool { offset < text.count && text[offset] & 0xC0 == 0x80 }
        guard revision.edits.allSatisfy({ !isInside($0.start) && !isInside($0.end) }) else { return .editSplitsCharacter }
        let bytes = revision.edits.reduce(text.count) { $0 + $1.growth }
        // As for commands, whose base may show twice what one write may hold. A note that grew past that by merging is
        // written on, if only to make it shorter.
        return bytes > 2 * limits.noteBytesMax && bytes > text.count ? .tooLong : nil
    }
}

/// What a revision must be, whatever it is written on.
enum AdoptionRules {
    /// More than any client has siblings to name, or conflicts to settle.
    static let parentsMax = 4_096
    static let resolvesMax = 65_536
    static let editsMax = 1 << 20
    /// Of a user's name and of a client's label, each.
    static let authorBytesMax = 4_096
    static let reservedBytesMax = 64 << 10

    static func fault(in revision: Revision) -> QuarantineReason? {
        guard !revision.parents.dots.contains(revision.dot) else { return .parentOfItself }
        guard revision.parents.dots.count <= parentsMax, revision.resolves.count <= resolvesMax,
            revision.edits.count <= editsMax, revision.author.user.utf8.count <= authorBytesMax,
            revision.author.label?.utf8.count ?? 0 <= authorBytesMax, revision.reserved.count <= reservedBytesMax
        else { return .tooMany }
        guard !revision.isTombstone || (revision.edits.isEmpty && revision.name == .unchanged) else {
            return .tombstoneWrites
        }
        guard revision.edits.allSatisfy({ UTF8Validation.isValid($0.replacement) }) else { return .editSplitsCharacter }
        return nil
    }
}
