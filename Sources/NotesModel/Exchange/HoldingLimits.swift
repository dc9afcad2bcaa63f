/// An area of the store for revisions that are not part of a note.
package enum HoldingArea: Hashable, Sendable {
    /// Revisions that wait for their parents.
    case waiting
    /// Revisions that were not accepted.
    case quarantine
}

/// The limits of the holding areas.
///
/// The store refuses a revision that would exceed them. The peer still has the revision and may
/// send it again. A peer therefore cannot fill the disk with invalid revisions or with revisions
/// whose parents never arrive.
package struct HoldingLimits: Sendable {
    /// The limit of the waiting area: 65,536 revisions and 256 MiB by default.
    package var waitingMax = HoldingAmount(revisions: 65_536, bytes: 256 << 20)
    /// The limit of the quarantine: 4,096 revisions and 64 MiB by default.
    package var quarantinedMax = HoldingAmount(revisions: 4_096, bytes: 64 << 20)

    /// Creates the default limits.
    package init() {}
}

/// The current contents of both holding areas.
package struct HoldingAmounts: Hashable, Sendable {
    /// The amount in the waiting area.
    package var waiting = HoldingAmount()
    /// The amount in quarantine.
    package var quarantined = HoldingAmount()

    /// Creates empty amounts.
    package init() {}
}

/// A number of revisions and the total size of their canonical bytes.
package struct HoldingAmount: Hashable, Sendable {
    /// The number of revisions.
    package var revisions: Int
    /// The total size, in bytes.
    package var bytes: Int

    package init(revisions: Int = 0, bytes: Int = 0) {
        self.revisions = revisions
        self.bytes = bytes
    }

    /// The amount that one revision takes.
    ///
    /// - Complexity: O(bytes of the revision).
    package static func of(_ revision: LinkedRevision) -> HoldingAmount {
        HoldingAmount(revisions: 1, bytes: RevisionCodec.canonicalBytes(of: revision).count)
    }

    /// The sum of both members.
    package static func + (left: HoldingAmount, right: HoldingAmount) -> HoldingAmount {
        HoldingAmount(revisions: left.revisions + right.revisions, bytes: left.bytes + right.bytes)
    }

    /// The difference of both members.
    package static func - (left: HoldingAmount, right: HoldingAmount) -> HoldingAmount {
        HoldingAmount(revisions: left.revisions - right.revisions, bytes: left.bytes - right.bytes)
    }

    /// Whether neither member exceeds that of the limit.
    package func isWithin(_ limit: HoldingAmount) -> Bool { revisions <= limit.revisions && bytes <= limit.bytes }
}
