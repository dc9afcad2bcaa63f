extension Event {
    /// Whether the revision resolves a conflict of the version that its writer saw, by what it
    /// changes. (Naming the conflict in `resolves` also resolves it; the caller tests that.)
    ///
    /// - Parameters:
    ///   - restores: whether the revision brings back a deleted note, which meets every range.
    ///   - shown: the conflict in the text that the writer saw; called only if needed.
    func changeResolves(_ kind: ConflictKind, restores: Bool, shown: () -> ShownConflict) -> Bool {
        let changes = edits.filter { $0.start < $0.end || !$0.replacement.isEmpty }
        switch kind {
        case .name: return name != .none
        case .deletion: return isTombstone || restores || !changes.isEmpty
        case .text:
            guard !isTombstone else { return false }
            guard !restores else { return true }
            guard !changes.isEmpty else { return false }
            switch shown() {
            case .own(let isRemoved): return isRemoved
            case .range(let range, let text):
                return changes.contains { edit in
                    guard edit.start <= range.upperBound, edit.end >= range.lowerBound else { return false }
                    let isBeside = !range.isEmpty && (edit.start == range.lowerBound || edit.start == range.upperBound)
                    return !(isBeside && insertsLines(edit, in: text))
                }
            }
        }
    }

    /// Whether an edit at an end of a range of whole lines only inserts whole lines. In the kept
    /// sequence, a line that follows an unterminated one starts after the hidden LF (`KeptEdits`).
    private func insertsLines(_ edit: Edit, in text: KeptEdits.Base) -> Bool {
        guard edit.start == edit.end else { return false }
        guard edit.start == text.shownLength else { return edit.replacement.last == lineFeed }
        guard text.isShortened else { return text.endsWithLineFeed }
        return origin == .found && edit.replacement.first == lineFeed && edit.replacement.count > 1
    }
}

/// A text conflict as the writer of a revision saw it. `Event.changeResolves` decides by it.
enum ShownConflict {
    /// For a write with stated edits, if the conflict has bytes of its own. `isRemoved` tells whether the
    /// edits remove one of them.
    case own(isRemoved: Bool)
    /// For any other write: the lines that the conflict spans, and the end of the text.
    case range(Range<Int>, KeptEdits.Base)
}
