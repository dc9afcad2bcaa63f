extension Event {
    /// Whether the revision settles a conflict of the version that its writer saw, by what it
    /// changes. (Naming the conflict in `resolves` also settles it; the caller tests that.)
    ///
    /// - Parameters:
    ///   - restores: whether the revision brings back a deleted note, which meets every range.
    ///   - shown: the text that the writer saw, and the conflict's range in it; called only if needed.
    func settles(_ kind: ConflictKind, restores: Bool, shown: () -> (range: Range<Int>, text: SeenText)) -> Bool {
        let changes = edits.filter { $0.start < $0.end || !$0.replacement.isEmpty }
        switch kind {
        case .name: return name != .none
        case .deletion: return isTombstone || restores || !changes.isEmpty
        case .text:
            guard !isTombstone else { return false }
            guard !restores else { return true }
            guard !changes.isEmpty else { return false }
            let (range, text) = shown()
            return changes.contains { edit in
                guard edit.start <= range.upperBound, edit.end >= range.lowerBound else { return false }
                let isBeside = !range.isEmpty && (edit.start == range.lowerBound || edit.start == range.upperBound)
                return !(isBeside && insertsLines(edit, in: text))
            }
        }
    }

    /// Whether an edit at an end of a range of whole lines only inserts whole lines. In the kept
    /// sequence, a line that follows an unterminated one starts after the hidden LF (`KeptEdits`).
    private func insertsLines(_ edit: Edit, in text: SeenText) -> Bool {
        guard edit.start == edit.end else { return false }
        guard edit.start == text.length else { return edit.replacement.last == lineFeed }
        guard text.isShortened else { return text.keepsLineFeed }
        return origin == .found && edit.replacement.first == lineFeed && edit.replacement.count > 1
    }
}

/// The end of the text that a revision's writer saw.
struct SeenText {
    /// The length of the text.
    let length: Int
    /// Whether the kept sequence ends with LF.
    let keepsLineFeed: Bool
    /// Whether the text lacks that LF.
    let isShortened: Bool

    /// - Parameter hidesLast: the value of the register of the last line.
    init(keptLength: Int, endsWithLineFeed: Bool, hidesLast: Bool) {
        keepsLineFeed = endsWithLineFeed
        isShortened = hidesLast && endsWithLineFeed
        length = keptLength - (isShortened ? 1 : 0)
    }

    /// - Parameter isShortened: whether the text lacks the last LF of the kept sequence.
    init(_ text: [UInt8], isShortened: Bool) {
        self.init(
            keptLength: text.count + (isShortened ? 1 : 0), endsWithLineFeed: isShortened || text.last == lineFeed,
            hidesLast: isShortened)
    }
}
