package import Causality
package import Dependents
package import NotesModel

/// What a request is answered. Everything in it is durable.
package enum Response: Sendable {
    case registered(Registered)
    /// Of a creation. Where it was done before under the same operation name: the dot that it made then.
    case created(Head, replayOf: Dot?)
    /// Of a save, an edit or a deletion.
    /// `conflicts`: those that are open in the note as it is shown, where the outcome shows one.
    case wrote(Outcome, conflicts: [ConflictDetail], isReplay: Bool)
    case note(NoteResponse)
    case notes([Head], next: ListPosition?)
    /// Best first.
    case hits([SearchHit], next: SearchPosition?, isTruncated: Bool)
    case history([RevisionSummary], next: Dot?)
    case watching(WatchID, from: Cursor, isReset: Bool)
    case unwatched
    case presenceSet
    case dependents([DependentDescription])
    case status(Status)
    case audited(AuditReport)
    case backedUp(Backup)
    /// OpenMetrics text.
    case metrics(String)
    /// No answer yet: how far the request has come. Any number of these may come before the answer, of the same ticket.
    case progress(done: Int, total: Int)
    case refused(Rejection)
    case failed(RequestFailure)
}

package struct Registered: Sendable {
    package let identity: StoreIdentity
    package let cursor: Cursor
}

package struct NoteResponse: Sendable {
    /// The note at the version that was asked for.
    package let head: Head
    package let text: [UInt8]
    /// The note's siblings now.
    package let siblings: Version
    /// What is open at that version.
    package let conflicts: [ConflictDetail]
    /// Where edits were asked for: the text that they start from.
    package let from: [UInt8]?
}

package struct Status: Sendable {
    package let identity: StoreIdentity
    package let startedAt: Timestamp
    package let store: StoreStatistics
    package let dependents: Int
    package let state: StoreState

    package enum StoreState: String, Sendable {
        case ok
        /// There is no room: writes are refused, reads go on.
        case full
        case readOnly = "read_only"
    }
}

/// Why a request that is right in itself was not carried out. Nothing was changed.
package enum RequestFailure: Error, Hashable, Sendable {
    case storageFull(String)
    case storageFailed(String)
    case readOnly(String)
    case overloaded
    case backup(BackupFault)
    /// There is one already.
    case backupUnderWay
    case shuttingDown
    /// The name is already that of a write with other params.
    case operationReused
    case unknownWatch
    /// A selection that does not lie in the text of its version.
    case selection(InvalidEdit.Fault)
    case tooManyWatches(limit: Int)
    /// A place in a list or a history that is not the note's.
    case unknownPosition
    /// A search's query says nothing that could be looked for.
    case unsearchable(SearchQueryFault)
    /// The search index is being made: of `total` commits it has come to one.
    case searchBehind(done: UInt64, total: UInt64)
}
