package import Causality
package import Dependents
package import NoteText
package import NotesModel

/// The response to a request. Everything that it reports is durable.
package enum Response: Sendable {
    /// The response to `session.hello`.
    case registered(Registered)
    /// The response to a creation. If the same operation name was executed before, `replayOf` is
    /// the dot that it created then.
    case created(Head, replayOf: Dot?)
    /// The response to a save, an edit or a deletion. `conflicts` are those open in the merged text
    /// that the outcome contains, if it contains one.
    case wrote(Outcome, conflicts: [ConflictDetail], isReplay: Bool)
    /// The response to a purge: its revision, the paths of backups that it does not reach, and what it did to files; nil
    /// if it is not known any more.
    case purged(Dot, backups: [String], files: PurgedFiles?, isReplay: Bool)
    /// The response to a read of one note.
    case note(NoteResponse)
    /// A page of a list; `next` is nil on the last page.
    case notes([Head], next: ListPlace?)
    /// A page of tags.
    case tags(TagPage)
    /// A page of the revisions of all notes.
    case revisions(NoteRevisionPage)
    /// The dots of the store's revisions.
    case knownRevisions(KnownRevisions)
    /// A feed was started; `lacks` is the number of revisions that its peer lacks.
    case feeding(WatchID, lacks: Int)
    /// Pages of a feed were acknowledged.
    case proceeded
    /// The results for offered revisions; `unreadable` are indexes in the request.
    case adopted(AdoptionReport, unreadable: [Int])
    /// The peers.
    case peers([PeerDescription])
    /// The record of a peer was removed.
    case peerForgotten
    /// How far an upload is. `isWanted` is false if it is for a peer, and nothing names the bytes.
    case upload(isThere: Bool, offset: Int, isWanted: Bool = true)
    /// Bytes of a file of a size, from an offset on.
    case filePart([UInt8], from: Int, of: Int)
    /// Whether the bytes of a file have their hash.
    case fileChecked(isThere: Bool)
    /// The indexes of files that are not there, of those that were, and the size in bytes above which the store declines files.
    case lacking([Int], lost: [Int], fetchBytesMax: Int)
    /// A page of files that lack something.
    case files([ListedFile], next: FileHash?)
    /// A page of the holding area.
    case held(HeldPage)
    /// The number of held revisions that were removed.
    case heldDropped(Int)
    /// A page of search results, best first. `isTruncated` if more notes match than a search ranks.
    case hits([SearchHit], next: SearchPosition?, isTruncated: Bool)
    /// A page of links that mean a note; `next` is nil on the last page.
    case incomingLinks([IncomingLink], next: LinkPosition?)
    /// A page of targets that mean nothing; `next` is nil on the last page.
    case missingLinks([MissingTarget], next: MissingLinkPosition?)
    /// For each target the notes that it can mean, the meaning first, and the number of others.
    case resolvedLinks([(notes: [Head], more: Int)])
    /// A page of revisions, newest first; `next` is nil on the last page.
    case history([RevisionSummary], next: Dot?)
    /// A watch was started. `isReset` if the store does not have the cursor's history, so that the
    /// watch begins with a snapshot.
    case watching(WatchID, from: Cursor, isReset: Bool)
    /// A watch was ended.
    case unwatched
    /// The presence was set or removed.
    case presenceSet
    /// The registered dependents.
    case dependents([DependentDescription])
    /// The state of the daemon and its store.
    case status(Status)
    /// The findings of an audit.
    case audited(AuditReport)
    /// A backup was completed.
    case backedUp(Backup)
    /// OpenMetrics text.
    case metrics(String)
    /// How far a long request has come. Any number of these may precede its response, with the same
    /// request number.
    case progress(done: Int, total: Int)
    /// The model refused the request; nothing was changed.
    case refused(Rejection)
    /// The request could not be executed; nothing was changed.
    case failed(RequestFailure)
}

/// The response to a registration.
package struct Registered: Sendable {
    /// The identity of the store.
    package let identity: StoreIdentity
    /// The cursor at the store's newest commit.
    package let cursor: Cursor
}

/// A note at one version.
package struct NoteResponse: Sendable {
    /// The note at the version that was requested.
    package let head: Head
    /// The text of that version, UTF-8.
    package let text: [UInt8]
    /// The note's current siblings.
    package let siblings: Version
    /// The conflicts that are open at that version.
    package let conflicts: [ConflictDetail]
    /// The text that edits start from, if the request named a version for it.
    package let from: [UInt8]?
}

/// The state of the daemon and its store, for `daemon.status`.
package struct Status: Sendable {
    /// The identity of the store.
    package let identity: StoreIdentity
    /// When the engine started.
    package let startedAt: Timestamp
    /// Counts and sizes of the store.
    package let store: StoreStatistics
    /// The number of registered dependents.
    package let dependents: Int
    /// The number of files whose bytes are there, and the sum of these; nil for a store without a folder for them.
    package let files: (count: Int, bytes: Int)?
    /// Whether the store accepts writes.
    package let state: StoreState

    /// Whether the store accepts writes.
    package enum StoreState: String, Sendable {
        /// Writes and reads succeed.
        case ok
        /// The disk is full: writes are refused, reads succeed.
        case full
        /// The store cannot be written: writes are refused, reads succeed.
        case readOnly = "read_only"
    }
}

/// Why a request about files, or a write that gives one bytes, was not executed.
package enum FileRefusal: Hashable, Sendable {
    /// The store has no folder for files.
    case unavailable
    /// The bytes are not there.
    case missing(FileHash)
    /// The uploaded bytes are not those that were announced.
    case differs(FileHash)
    /// The file has more bytes than a file may have.
    case tooLarge(bytes: Int, limit: Int)
    /// Another store brings a file with more bytes than this one takes.
    case declined(bytes: Int, limit: Int)
    /// All files would have more bytes than they may.
    case allTooLarge(limit: Int)
    /// The user, or all users, have too many unfinished uploads.
    case tooManyUploads
}

/// Why a valid request was not executed. Nothing was changed.
package enum RequestFailure: Error, Hashable, Sendable {
    /// The disk is full.
    case storageFull(String)
    /// The store or the index failed to read or write.
    case storageFailed(String)
    /// The store cannot be written.
    case readOnly(String)
    /// Too many requests of this kind are running; the client may retry.
    case overloaded
    /// The backup failed.
    case backup(BackupFault)
    /// Another backup is running.
    case backupUnderWay
    /// The bytes of a file stand in the way.
    case file(FileRefusal)
    /// The daemon is stopping.
    case shuttingDown
    /// The operation name was used before by a write with other parameters.
    case operationReused
    /// The connection has no watch with that number.
    case unknownWatch
    /// A selection that does not lie in the text of its version.
    case selection(InvalidEdit.Fault)
    /// The connection has as many watches as it may.
    case tooManyWatches(limit: Int)
    /// The receiver of a feed is this run of the daemon itself.
    case sameReplica
    /// As many connections as may be sent revisions already are.
    case tooManyFeeds(limit: Int)
    /// The store has no record of that peer.
    case unknownPeer
    /// A position in a list or a history that does not belong to the note.
    case unknownPosition
    /// A search query without anything to search for.
    case unsearchable(SearchQueryFault)
    /// The search index is being built: it contains `done` of `total` commits.
    case searchBehind(done: UInt64, total: UInt64)
}
