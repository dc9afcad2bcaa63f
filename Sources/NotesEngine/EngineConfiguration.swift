package import Dependents
package import NotesMetrics
package import NotesModel

package struct EngineConfiguration: Sendable {
    package var model: ModelLimits
    package var dependents: DependentLimits
    /// Memory for notes in use, in bytes.
    package var cacheBytesMax: Int
    /// Requests that one turn of the engine takes at most, and of one connection: what bounds how long one waits behind the others.
    package var turnRequestsMax: Int
    package var turnRequestsOfOneMax: Int
    /// Texts that the writes of one turn make, in bytes, beyond which the rest of them waits for the next: one long note is written at a
    /// time, and a thousand short ones.
    package var turnTextBytesMax: Int
    /// Notes that one turn reads at most for watches that catch up, and lines that it makes for all; the rest follows in the next.
    package var turnReadsMax: Int
    package var turnNotificationsMax: Int
    /// Lines that one dependent is sent at once, in bytes of what they show; the next leave when these have.
    package var parcelBytesMax: Int
    package var parcelNotificationsMax: Int
    /// Revisions of other replicas, and their bytes, that one commit takes in; the rest follows in the next.
    package var adoptedRevisionsMax: Int
    package var adoptedBytesMax: Int
    /// How much of what cannot be taken in, or not yet, is kept.
    package var aside: HoldingLimits
    package var history: HistoryPolicy
    package var metering = Metering.none

    package init(
        model: ModelLimits = ModelLimits(), dependents: DependentLimits = DependentLimits(), cacheBytesMax: Int = 64 << 20,
        turnRequestsMax: Int = 256, turnRequestsOfOneMax: Int = 64, turnTextBytesMax: Int = 1 << 20, turnReadsMax: Int = 64,
        turnNotificationsMax: Int = 8_192,
        parcelBytesMax: Int = 256 << 10, parcelNotificationsMax: Int = 256,
        adoptedRevisionsMax: Int = 256, adoptedBytesMax: Int = 1 << 20, aside: HoldingLimits = HoldingLimits(),
        history: HistoryPolicy = .keepAll
    ) {
        self.model = model
        self.dependents = dependents
        self.cacheBytesMax = cacheBytesMax
        self.turnRequestsMax = turnRequestsMax
        self.turnRequestsOfOneMax = turnRequestsOfOneMax
        self.turnTextBytesMax = turnTextBytesMax
        self.turnReadsMax = turnReadsMax
        self.turnNotificationsMax = turnNotificationsMax
        self.parcelBytesMax = parcelBytesMax
        self.parcelNotificationsMax = parcelNotificationsMax
        self.adoptedRevisionsMax = adoptedRevisionsMax
        self.adoptedBytesMax = adoptedBytesMax
        self.aside = aside
        self.history = history
    }
}
