import EditSession
import Testing
import TextMerge

/// An editor with pipes to and from its session, which the test empties when it likes.
struct RemoteEditor {
    /// What the editor sent and the session has not received, and the length of the text after it.
    var sent: [(event: EditEvent, length: Int)] = []
    var offers: [EditOffer] = []
    /// The number of changes that the user made, and of those of which it knows that they are durable.
    var (changes, saved): (UInt64, UInt64) = (0, 0)
    var isBusy = false
    var caret = 0
    var faults: [String] = []
    /// The words that an undo or a redo removed.
    var withdrawn: Set<String> = []
    /// Offers that were accepted, and declined.
    var (accepted, declined) = (0, 0)
}

extension EditWorld {
    /// A person's session receives the oldest message of the editor. Then it has the text that the editor had.
    mutating func hear(_ person: Int) {
        guard !people[person].editor.sent.isEmpty else { return }
        let (event, length) = people[person].editor.sent.removeFirst()
        give(event, to: person)
        #expect(people[person].session.text.count == length)
    }

    /// A person's editor receives the oldest edit of the session, and takes it if its user typed nothing since.
    mutating func look(_ person: Int) {
        guard !people[person].editor.offers.isEmpty else { return }
        let offer = people[person].editor.offers.removeFirst()
        guard offer.changes == people[person].editor.changes, !people[person].editor.isBusy else {
            people[person].editor.declined += 1
            return send(.declined(offer.number, isBusy: people[person].editor.isBusy), to: person)
        }
        people[person].editor.accepted += 1
        let old = people[person].mirror
        let before = people[person].words
        people[person].mirror = offer.edits.applied(to: old)
        if offer.origin != .others {
            people[person].editor.withdrawn.formUnion(before.subtracting(people[person].words))
        }
        people[person].editor.caret =
            offer.caret ?? EditSession.caret(people[person].editor.caret, in: old, after: offer.edits)
        send(.accepted(offer.number), to: person)
    }

    mutating func becomeReady(_ person: Int) {
        people[person].editor.isBusy = false
        send(.ready, to: person)
    }
}
