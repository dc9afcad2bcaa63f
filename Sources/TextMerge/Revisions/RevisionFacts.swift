/// The properties of a revision that conflict detection needs.
struct RevisionFacts: Sendable {
    /// Whether its edits were found by the line diff.
    let isFound: Bool
    let isTombstone: Bool
    let name: NameChange
    /// Whether it withdraws others. Such a revision is in no conflict.
    let isWithdrawal: Bool
    /// Whether it cannot be in conflict with another plain revision: its edits are stated, and it
    /// neither deletes nor renames the note; or it is a withdrawal.
    let isPlain: Bool
    /// Whether each of its edits only inserts whole lines. Two such revisions have no edits in conflict.
    var insertsOnlyLines = false

    init(_ event: Event) {
        isFound = event.origin == .found
        isTombstone = event.isTombstone
        name = event.name
        isWithdrawal = event.isWithdrawal
        isPlain = isWithdrawal || !isFound && !isTombstone && name == .none
    }
}
