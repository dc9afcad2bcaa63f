/// The number of a watch within its connection, from 1. It is never reused there.
package struct WatchID: Hashable, Comparable, Sendable {
    /// The number, as in the protocol.
    package let number: UInt64

    package init(_ number: UInt64) {
        self.number = number
    }

    package static func < (left: WatchID, right: WatchID) -> Bool {
        left.number < right.number
    }
}

/// How much of a note a line contains.
package enum WatchDetail: String, Hashable, Sendable, CaseIterable {
    /// The metadata without the text.
    case meta
    /// The metadata and the text.
    case text
    /// The metadata, and the edits from the text that the client has; the text if there is none to
    /// build on.
    case edits

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
