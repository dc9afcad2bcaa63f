/// The number of a watch within its connection: from 1, never used again there.
package struct WatchID: Hashable, Comparable, Sendable {
    package let number: UInt64

    package init(_ number: UInt64) {
        self.number = number
    }

    package static func < (left: WatchID, right: WatchID) -> Bool {
        left.number < right.number
    }
}

/// What a line shows of a note.
package enum WatchDetail: String, Hashable, Sendable, CaseIterable {
    case meta
    case text
    case edits
}

/// Where a watch starts. Sequences here are checked: whoever reads a cursor knows whether this store has that commit.
package enum Start: Hashable, Sendable {
    /// Every matching note, then what changes.
    case snapshot
    /// What changed after this commit, each note once, then what changes. 0 is before the first commit.
    case since(UInt64)
    /// What changes from now on.
    case tail
}

/// Why a watch was not made.
package enum WatchRefusal: Error, Hashable {
    /// The dependent is gone, or was never there.
    case notRegistered
    case tooMany(limit: Int)
}
