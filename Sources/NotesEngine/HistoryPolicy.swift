package import NotesModel

/// How long texts are kept that no note shows any more.
package enum HistoryPolicy: Hashable, Sendable {
    case keepAll
    /// What a note has shown in so many days can be read; older texts go, but for those that something still builds on.
    case keepDays(Int)

    /// The newest time of revisions whose texts may go; nil where none do.
    package func until(now: Timestamp) -> Timestamp? {
        guard case .keepDays(let days) = self else { return nil }
        return Timestamp(milliseconds: now.milliseconds - Int64(days) * 86_400_000)
    }
}
