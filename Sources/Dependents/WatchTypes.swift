import NotesModel

extension WatchDetail {
    /// The index of the case in `allCases`.
    var index: Int {
        switch self {
        case .meta: 0
        case .text: 1
        case .edits: 2
        }
    }
}

/// Where a watch starts. The sequences are checked: the code that decodes a cursor verifies that
/// this store has its commit.
package enum Start: Hashable, Sendable {
    /// With every matching note, followed by new changes.
    case snapshot
    /// With what changed after this commit, each note once, followed by new changes. 0 is before
    /// the first commit.
    case since(UInt64)
    /// With new changes only.
    case tail
}

/// Why a watch was not started.
package enum WatchRefusal: Error, Hashable {
    /// The dependent is not registered, or its connection has ended.
    case notRegistered
    /// The dependent's watches would weigh more than `limit`.
    case tooMany(limit: Int)
}
