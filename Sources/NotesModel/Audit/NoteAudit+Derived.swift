import Causality
import NoteText
import TextMerge

/// What an audit computes of the derived data, and its comparison with what the store holds.
extension NoteAudit {
    /// Returns the derived values of the rows checked since the last call, in commit order.
    ///
    /// - Precondition: the audit keeps derived values.
    package mutating func takeDerived() -> [DerivedRow] {
        defer { derived = [] }
        return derived
    }

    /// The state that the store derives from a revision, which the view contains already.
    ///
    /// - Parameter before: the merged text before the revision, if the audit keeps derived values.
    mutating func derivedState(of row: StoredRevision, coversAll: Bool, after before: [UInt8]) -> DerivedRow {
        let revision = row.revision
        let version = Version(revision.dot)
        let isDeleted = view.isDeleted(at: version)
        var merged: DerivedRow.Merged?
        if !coversAll, keepsDerived {
            merged = DerivedRow.Merged(head: mergedHead(after: revision), text: MergedText(view.text, after: before))
        }
        return DerivedRow(
            dot: revision.dot, coversAll: coversAll,
            name: isDeleted ? nil : names.name(at: version, in: view.graph, withdrawn: withdrawn(at: version)),
            state: DerivedRow.State(
                isDeleted: isDeleted, isDeletedNow: view.isDeleted, conflicts: coversAll ? view.keptConflicts : [],
                lastLine: coversAll ? view.lastLineFeed : .shown, merged: merged))
    }

    /// Compares what the store derived from a revision.
    mutating func compareDerived(_ row: StoredRevision, _ expected: DerivedRow, after before: [UInt8]) {
        for difference in expected.differences(from: row) { find(.derived, row.revision.dot, difference) }
        compareShown(row, after: before)
        if keepsDerived { derived.append(expected) }
    }

    /// Compares the stored merged state after a revision with the computed one.
    private mutating func compareShown(_ row: StoredRevision, after before: [UInt8]) {
        guard let shown = row.shown else { return }
        let text = view.text
        let kept: [UInt8]? =
            switch shown.text {
            case .whole(let text): text
            case .edits(let edits): edits.fault(forLength: before.count) == nil ? edits.applied(to: before) : nil
            }
        let dot = row.revision.dot
        if case .edits = shown.text, next == 0 || !rows[next - 1].coversAll && rows[next - 1].shown == nil {
            find(.derived, dot, "the store keeps the merged text after it as edits to a text that it does not keep")
        }
        if kept != text { find(.derived, dot, "the stored merged text after it is not the computed one") }
        var expected = mergedHead(after: row.revision)
        if isList(shown.head.tags, of: expected.tags) { expected.tags = shown.head.tags }
        if shown.head != expected {
            find(.derived, dot, "the stored state of the note after it is not the computed one")
        }
    }

    /// The note's head after a revision, with an empty version vector.
    private func mergedHead(after revision: Revision) -> Head {
        let text = view.text
        return Head(
            id: id, name: view.isDeleted ? nil : names.name(at: view.version, in: view), version: view.version,
            vector: VersionVector(), title: Title.of(text), tags: Tags.of(text), created: created,
            modified: revision.modified, author: revision.author, bytes: text.count, isDeleted: view.isDeleted,
            conflicts: OpenConflict.all(view.conflicts, in: text))
    }

    /// Whether a store may have a list as the tags of the merged text: the tags that count, or all tags.
    /// An unreleased version, which had no `TagLimits`, wrote the latter, and a write replaces it.
    private func isList(_ stored: [ByteString], of tags: [ByteString]) -> Bool {
        stored == tags || stored == Tags.of(view.text, isLimited: false)
    }

    /// See `Head.created`.
    private var created: Timestamp { rows.first?.revision.created ?? head.created }

    /// Compares the head after the last row.
    mutating func finish() {
        isDone = true
        checkProvenance()
        guard let last = rows.last else { return find(.texts, nil, "it has no revision") }
        var expected = mergedHead(after: last.revision)
        expected.vector = vector
        if keepsDerived { derivedHead = expected }
        func compare(_ what: String, _ isSame: Bool) {
            if !isSame { find(.derived, nil, "\(what) is not what its revisions produce") }
        }
        compare("the set of its siblings", head.version == expected.version)
        compare("its version vector", head.vector == expected.vector)
        compare("its deletion mark", head.isDeleted == expected.isDeleted)
        compare("its size", head.bytes == expected.bytes)
        compare("its title", head.title == expected.title)
        compare("the list of its tags", isList(head.tags, of: expected.tags))
        compare("its name", head.name == expected.name)
        compare("the list of its open conflicts", head.conflicts == expected.conflicts)
        compare("the time of its creation", head.created == expected.created)
        compare("its last change", head.modified == expected.modified && head.author == expected.author)
    }
}
