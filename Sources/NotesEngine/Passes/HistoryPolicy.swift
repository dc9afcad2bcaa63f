package import NotesModel

/// How long texts are kept that are not the current text of a note.
package enum HistoryPolicy: Hashable, Sendable {
    /// Every text is kept.
    case keepAll
    /// Texts that were current within so many days are kept. Older texts are compacted, except
    /// those that something still builds on.
    case keepDays(Int)

    /// The newest time of revisions that may be compacted; nil if none may be.
    package func until(now: Timestamp) -> Timestamp? {
        guard case .keepDays(let days) = self else { return nil }
        return Timestamp(milliseconds: now.milliseconds - Int64(days) * 86_400_000)
    }
}
