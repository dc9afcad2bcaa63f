/// What a store keeps beside its notes.
package enum HoldingArea: Hashable, Sendable {
    /// Revisions that wait for their parents.
    case waiting
    /// Revisions that were not taken in.
    case quarantine
}

/// How many revisions a store keeps that it cannot take in, or not yet, and the bytes of what they hold.
///
/// What would go past them is refused: nothing is changed, and whoever offered it has it still and may offer it again. So a peer
/// that sends what never fits, or parents that never come, fills no disk.
package struct HoldingLimits: Sendable {
    package var waitingMax = HoldingAmount(revisions: 65_536, bytes: 256 << 20)
    package var quarantinedMax = HoldingAmount(revisions: 4_096, bytes: 64 << 20)

    package init() {}
}

/// How much is kept of each.
package struct HoldingAmounts: Hashable, Sendable {
    package var waiting = HoldingAmount()
    package var quarantined = HoldingAmount()

    package init() {}
}

/// A number of revisions, and the bytes of their canonical forms.
package struct HoldingAmount: Hashable, Sendable {
    package var revisions: Int
    package var bytes: Int

    package init(revisions: Int = 0, bytes: Int = 0) {
        self.revisions = revisions
        self.bytes = bytes
    }

    package static func of(_ revision: Revision) -> HoldingAmount {
        HoldingAmount(revisions: 1, bytes: RevisionCodec.canonicalBytes(of: revision).count)
    }

    package static func + (left: HoldingAmount, right: HoldingAmount) -> HoldingAmount {
        HoldingAmount(revisions: left.revisions + right.revisions, bytes: left.bytes + right.bytes)
    }

    package static func - (left: HoldingAmount, right: HoldingAmount) -> HoldingAmount {
        HoldingAmount(revisions: left.revisions - right.revisions, bytes: left.bytes - right.bytes)
    }

    /// Whether neither is more than in the other.
    package func isWithin(_ limit: HoldingAmount) -> Bool { revisions <= limit.revisions && bytes <= limit.bytes }
}
