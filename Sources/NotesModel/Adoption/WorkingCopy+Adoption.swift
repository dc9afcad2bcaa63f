import Causality
import NoteText
import TextMerge

/// Acceptance of revisions that other replicas made.
///
/// The rules are those for commands, but the writer has already received a response, so text, name
/// and resolved conflicts are taken from the revision. This code only validates that the revision
/// fits the note. It must be strict: it sees whatever a peer sends, and the code below it relies on
/// valid revisions.
extension WorkingCopy {
    /// The result for one revision.
    enum AdoptionStep {
        /// Data is missing; supply it and try again.
        case needs(Need)
        /// These parents are not revisions of the note so far.
        case lacks([Dot])
        /// The revision does not fit the note.
        case unfit(QuarantineReason)
        /// The revision is now part of the working copy.
        case accepted(Accepted)
    }

    /// Appends a revision of another replica to its note.
    ///
    /// - Precondition: the dot is new to the store and to this copy, the edits do not overlap
    ///   (`Array.fault(forLength:)`), and `AdoptionRules.fault(in:)` returns nil.
    mutating func adopt(_ revision: Revision) -> AdoptionStep {
        do throws(Interruption) {
            return try adopt(revision, on: try base(revision.parents, of: revision.note))
        } catch {
            switch error {
            case .needs(let need): return .needs(need)
            case .refused(.unknownBase(_, let unknown)): return .lacks(unknown.dots)
            case .refused(.revisionGone(let version, _)):
                let isNamed = revision.withdraws.contains { version == Version($0) } && version != revision.parents
                return .unfit(isNamed ? .withdrawsCompacted : .parentIsCompacted)
            case .refused(.cannotWithdraw): return .unfit(.withdrawsUnrelated)
            case .refused: return revision.parents.isNothing ? begin(with: revision) : .lacks(revision.parents.dots)
            }
        }
    }

    private mutating func adopt(_ revision: Revision, on base: Base) throws(Interruption) -> AdoptionStep {
        guard base.version == revision.parents else { return .unfit(.parentsCoverEachOther) }
        if let reason = fault(of: revision, on: base.text) { return .unfit(reason) }
        try checkWithdrawable(revision.withdraws, of: revision.note, at: base)
        let coversAll = revision.parents == base.head.version
        let shownBefore = coversAll ? nil : base.shown
        append(revision)
        guard var note = note(revision.note) else { preconditionFailure("a note with a base is loaded") }
        guard !revision.isWithdrawal else {
            let text = note.text(at: Version(revision.dot))
            let edits = TextDiff.edits(from: base.text, to: text)
            return .accepted(accepted(revision, coversAll, text, edits, before: (base.head, shownBefore), note))
        }
        let text = revision.isTombstone ? [] : revision.edits.applied(to: base.text)
        return .accepted(accepted(revision, coversAll, text, revision.edits, before: (base.head, shownBefore), note))
    }

    /// Creates the note from the revision, the first of that note to arrive.
    private mutating func begin(with revision: Revision) -> AdoptionStep {
        if let reason = fault(of: revision, on: []) { return .unfit(reason) }
        let text = revision.isTombstone ? [] : revision.edits.applied(to: [])
        return .accepted(accepted(revision, true, text, revision.edits, before: nil, begin(revision)))
    }

    /// Derives the values that the journal stores with the revision.
    ///
    /// - Parameter before: the note's previous head and, if the revision does not cover all, its
    ///   merged text.
    private func accepted(
        _ revision: Revision, _ coversAll: Bool, _ text: [UInt8], _ textEdits: [Edit], before: (head: Head, text: [UInt8]?)?,
        _ note: Note
    ) -> Accepted {
        let version = Version(revision.dot)
        return Accepted(
            revision: revision, coversAll: coversAll, text: text, name: note.name(at: version),
            conflicts: coversAll ? note.keptConflicts : [], lastLine: coversAll ? note.lastLineFeed : .shown,
            isDeleted: note.isDeleted(at: version), textEdits: textEdits,
            shown: before?.text.map { MergedText(note.text, after: $0) },
            before: before?.head, after: note.head,
            outcome: Outcome(kind: .merged, dot: revision.dot, version: version, shown: nil))
    }

    /// The reason why the edits do not fit a text; nil when they do.
    ///
    /// - Complexity: O(edits and their bytes).
    private func fault(of revision: Revision, on text: [UInt8]) -> QuarantineReason? {
        guard revision.edits.fault(forLength: text.count) == nil else { return .editOutsideText }
        func isInside(_ offset: Int) -> Bool { offset < text.count && text[offset] & 0xC0 == 0x80 }
        guard revision.edits.allSatisfy({ !isInside($0.start) && !isInside($0.end) }) else { return .editSplitsCharacter }
        let bytes = revision.edits.reduce(text.count) { $0 + $1.growth }
        // Commands allow the same: merging can double the size of a text that one write may have,
        // and a larger note still accepts writes that make it shorter.
        return bytes > 2 * limits.noteBytesMax && bytes > text.count ? .tooLong : nil
    }
}

/// The rules for a revision that do not depend on the note.
package enum AdoptionRules {
    /// Maximum number of parents. No client has more siblings to name.
    static let parentsMax = 4_096
    /// Maximum number of resolved conflicts.
    static let resolvesMax = 65_536
    /// Maximum number of edits.
    static let editsMax = 1 << 20
    /// Maximum number of withdrawn revisions.
    static let withdrawsMax = 10_000
    /// Maximum number of revisions that a mark covers.
    static let coversMax = 1 << 20
    /// Maximum length of the user and of the label, each in bytes.
    static let authorBytesMax = 4_096
    /// Maximum length of `Revision.reserved`, in bytes.
    static let reservedBytesMax = 64 << 10

    /// The first rule that the revision breaks; nil when it breaks none.
    package static func fault(in revision: Revision) -> QuarantineReason? {
        guard !revision.parents.dots.contains(revision.dot) else { return .parentOfItself }
        guard revision.parents.dots.count <= parentsMax, revision.resolves.count <= resolvesMax,
            revision.withdraws.count <= withdrawsMax, revision.mark?.covers.count ?? 0 <= coversMax,
            revision.edits.count <= editsMax,
            revision.author.user.utf8.count <= authorBytesMax,
            revision.author.label?.utf8.count ?? 0 <= authorBytesMax, revision.reserved.count <= reservedBytesMax
        else { return .tooMany }
        if let mark = revision.mark { return mark.fits(revision) ? .marked : .markWrites }
        guard !revision.isTombstone || (revision.edits.isEmpty && revision.name == .unchanged) else {
            return .tombstoneWrites
        }
        let isPlain = revision.edits.isEmpty && !revision.isTombstone && revision.resolves.isEmpty && revision.origin == .stated
        guard !revision.isWithdrawal || isPlain && !revision.parents.isNothing else { return .withdrawalWrites }
        guard revision.edits.allSatisfy({ UTF8Validation.isValid($0.replacement) }) else { return .editSplitsCharacter }
        return nil
    }
}
