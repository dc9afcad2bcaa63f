import Causality
import Dependents
import NotesModel
import NotesStore

/// The waiting revisions that may have all their parents by now.
struct Releasing {
    /// Committed dots whose waiting children were not checked yet.
    var dots: [Dot] = []
    /// The number of the row in the holding area up to which waiting revisions were checked since
    /// the start, or since a failure: their parents may be committed already. Nil if all were
    /// checked.
    var lookedAt: UInt64? = 0
    /// The number of the row up to which quarantined revisions were checked since the start, or since a
    /// failure; nil if all were. A configuration, another run or a later version of the daemon may accept
    /// what an earlier one did not.
    var quarantinedAt: UInt64? = 0
    /// Whether the store refused the last ones. They are tried again with the next exchange.
    var isStuck = false

    /// Whether no waiting revision is left to check.
    var isDone: Bool { dots.isEmpty && lookedAt == nil }
    /// Whether no quarantined revision is left to check either.
    var isAllDone: Bool { isDone && quarantinedAt == nil }
}
