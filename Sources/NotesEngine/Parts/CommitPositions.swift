import Causality
import NotesModel
import NotesStore

/// The names of this store's commits.
struct CommitPositions {
    private let identity: StoreIdentity
    /// The newest commit when the engine started. Other runs of the daemon made the commits up to it.
    private let sequenceAtStart: UInt64
    /// The position of that commit, which every cursor contains until the first commit; nil until it is first
    /// needed.
    private var positionAtStart: CommitPosition?

    init(identity: StoreIdentity, atStart sequence: UInt64) {
        self.identity = identity
        sequenceAtStart = sequence
    }

    /// The name of a commit, or of the position before the first commit.
    mutating func position(_ sequence: UInt64, in journal: any Journal) throws(JournalError) -> CommitPosition {
        if sequence == 0 { return CommitPosition(sequence: 0, replica: identity.store) }
        if sequence > sequenceAtStart { return CommitPosition(sequence: sequence, replica: identity.replica) }
        if sequence == sequenceAtStart, let positionAtStart { return positionAtStart }
        guard let replica = try journal.replica(ofCommit: sequence) else {
            throw .fatal("the store does not record who made commit \(sequence): its tables of runs and revisions disagree")
        }
        let position = CommitPosition(sequence: sequence, replica: replica)
        if sequence == sequenceAtStart { positionAtStart = position }
        return position
    }
}
