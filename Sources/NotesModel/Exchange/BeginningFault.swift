/// The reason why a store does not take the beginning of a note.
package enum BeginningFault: Error, Hashable, Sendable {
    /// A field contradicts another one, or exceeds a limit; see `check`.
    case invalid
    /// The revision at the floor breaks a rule.
    case floor(QuarantineReason)
    /// One of its dots denotes other content in the store.
    case dotIsTaken
    /// Only this run of the daemon may mint one of its dots, and this run did not.
    case dotIsOurs
    /// The store has revisions of the note, and the floor is not a purge.
    case noteIsKnown
    /// The store has revisions of the note that the writer of the purge had not seen.
    case isLate
    /// The user of the connection may not purge.
    case mayNotPurge
    /// The configuration of the store refuses purges of other stores.
    case purgesAreRefused
    /// It is a purge of the version that the store shows, with another text: a purge keeps the text.
    case textDiffers
}

extension BeginningFault: CustomStringConvertible {
    /// The fault as a clause about a revision, as for `QuarantineReason`.
    package var description: String {
        switch self {
        case .invalid: "its fields contradict each other, or exceed a limit on revisions below or on the text"
        case .floor(let reason): reason.description
        case .dotIsTaken: "this store has other content under a dot of the note's past"
        case .dotIsOurs: "a dot of the note's past belongs to this run of the daemon, which did not make it"
        case .noteIsKnown: "the note's past was compacted, and this store has revisions of the note"
        case .isLate: "it purges the note, and this store has writes that the purge had not seen"
        case .mayNotPurge: "it purges a note that this store has, and the connection's user is not an administrator"
        case .purgesAreRefused: "it purges a note that this store has, and the setting history.purges refuses that"
        case .textDiffers: "it purges a note, and states another text than this store has at that version"
        }
    }
}
