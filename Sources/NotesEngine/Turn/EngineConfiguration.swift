package import Dependents
package import NotesMetrics
package import NotesModel

/// The limits and policies of the engine.
package struct EngineConfiguration: Sendable {
    /// The limits on names, texts, tags and merges.
    package var model: ModelLimits
    /// The limits on watches and on pending changes.
    package var dependents: DependentLimits
    /// Memory of the note cache, in bytes.
    package var cacheBytesMax: Int
    /// Weight of the requests (`Request.Body.weight`) that one turn executes. This bounds how long a request
    /// waits for the others.
    package var turnWeightMax: Int
    /// Requests of one connection that one turn executes.
    package var turnRequestsOfOneMax: Int
    /// Bytes of text that the writes of one turn may produce; the other writes wait for the next
    /// turn. So a turn commits one long note, or a thousand short ones.
    package var turnTextBytesMax: Int
    /// Revisions that a read of an old version, or the check of a note by an audit, replays on the
    /// engine's thread. Another thread replays more, so that no other request waits for it.
    package var shortWalkRevisionsMax: Int
    /// Rows of the journal that the engine reads at a time for a long walk. It executes a turn between
    /// two times.
    package var walkRowsMax: Int
    /// Links of a note's commits that a turn reads at once to reach an old commit.
    var shortDescentRowsMax: Int { max(1, walkRowsMax / 8) }
    /// Revisions that the reads of old versions of one turn may read; further such reads wait for the
    /// next turn. Each read counts as at least 64.
    package var turnRevisionsMax: Int
    /// Notes that one turn reads for watches that catch up; the rest follows in the next turn.
    package var turnReadsMax: Int
    /// Notifications that one turn builds for all dependents; the rest follows in the next turn.
    package var turnNotificationsMax: Int
    /// Bytes of text in the notifications that one dependent is sent at once; further ones follow
    /// when these are written.
    package var outputBytesMax: Int
    /// Notifications that one dependent is sent at once.
    package var outputNotificationsMax: Int
    /// Bytes of broadcasts, counted once for each receiver, that the event loops may have still to
    /// write when the engine broadcasts another turn's changes. Beyond that, changes wait in the
    /// watches' outboxes. 64 MiB are some 140,000 short lines, which take 30 ms.
    package var broadcastBytesMax: Int
    /// Revisions from other replicas that one commit takes in; the rest follows in the next commit.
    package var adoptedRevisionsMax: Int
    /// The work after which the other revisions from other replicas follow in later commits
    /// (`Adoption.init`). A revision with 1,000 siblings takes some 10 ms.
    package var adoptedWorkMax = 2_048
    /// The size of the holding area for revisions that cannot be applied, or not yet.
    package var holdingLimits: HoldingLimits
    /// Which old texts are kept.
    package var history: HistoryPolicy
    /// Whether purges of other stores erase what this one has of their notes.
    package var acceptsPurges = true
    /// The limits on files.
    package var files = FileLimits()
    /// Where the engine registers its metrics.
    package var metering = Metering.none

    /// Ranges of commits that one turn examines to find the dots of the store or the revisions that a
    /// peer lacks.
    package var turnRangesMax = 4_096

    package init(
        model: ModelLimits = ModelLimits(), dependents: DependentLimits = DependentLimits(), cacheBytesMax: Int = 64 << 20,
        turnWeightMax: Int = 256, turnRequestsOfOneMax: Int = 64, turnTextBytesMax: Int = 1 << 20,
        shortWalkRevisionsMax: Int = 64, walkRowsMax: Int = 256, turnRevisionsMax: Int = 1_024, turnReadsMax: Int = 64,
        turnNotificationsMax: Int = 8_192,
        outputBytesMax: Int = 256 << 10, outputNotificationsMax: Int = 256,
        broadcastBytesMax: Int = 64 << 20,
        adoptedRevisionsMax: Int = 256, holdingLimits: HoldingLimits = HoldingLimits(),
        history: HistoryPolicy = .keepAll
    ) {
        self.model = model
        self.dependents = dependents
        self.cacheBytesMax = cacheBytesMax
        self.turnWeightMax = turnWeightMax
        self.turnRequestsOfOneMax = turnRequestsOfOneMax
        self.turnTextBytesMax = turnTextBytesMax
        self.shortWalkRevisionsMax = shortWalkRevisionsMax
        self.walkRowsMax = walkRowsMax
        self.turnRevisionsMax = turnRevisionsMax
        self.turnReadsMax = turnReadsMax
        self.turnNotificationsMax = turnNotificationsMax
        self.outputBytesMax = outputBytesMax
        self.outputNotificationsMax = outputNotificationsMax
        self.broadcastBytesMax = broadcastBytesMax
        self.adoptedRevisionsMax = adoptedRevisionsMax
        self.holdingLimits = holdingLimits
        self.history = history
    }
}
