import Causality
import TextMerge

/// Edits that the session asks the editor to show.
extension EditSession {
    /// An edit that a remote editor was offered and has not responded to.
    package struct Offer: Sendable {
        /// A newer text of the daemon, and its open conflicts.
        struct Adoption: Sendable {
            let version: Version
            let text: [UInt8]
            let marks: [Range<Int>]
        }

        package let number: UInt64
        let edits: [Edit]
        /// The daemon's text that the edit shows; nil for an undo or a redo.
        let adoption: Adoption?
        package let origin: EditOffer.Origin
        /// The step that the user requested; nil for others' text.
        var step: Step?
        let caret: Int?
        /// Whether the user has typed since, so that the editor will decline.
        var isCrossed = false
    }

    /// How long a busy editor may type nothing before the session offers again, and how long the session
    /// waits after an editor declined for no visible reason.
    static let (busyMax, declinedPause) = (Duration.seconds(30), Duration.milliseconds(300))

    /// Whether the editor can be offered an edit now.
    var mayOffer: Bool { offer == nil && !isBusy && offerAt == nil }

    /// Whether the text of others can be shown now. A remote editor's own text goes to the daemon first.
    var mayTake: Bool { mayOffer && (!isRemote || text.isSame(as: shadow)) }

    /// Shows a text of the daemon.
    mutating func propose(_ edits: [Edit], adopting adoption: Offer.Adoption) {
        propose(edits, adoption, .others, nil, caret: nil)
    }

    /// Makes a step that the user asked for.
    mutating func step(_ step: Step, _ now: Duration) {
        let edits: [Edit]
        var caret: Int?
        switch step {
        case .want(let wanted):
            edits = StatedDiff.shortEdits(from: text, to: wanted)
        case .undo, .redo:
            let isUndo = if case .undo = step { true } else { false }
            guard let effect = history.take(isUndo: isUndo, in: text) else {
                actions.append(.tell(isUndo ? .nothingToUndo : .nothingToRedo))
                return
            }
            if effect.isClash { actions.append(.tell(.bothKept)) }
            (edits, caret) = (effect.edits, effect.caret)
        }
        let growth = edits.dropLast().reduce(0) { $0 + $1.growth }
        let end = edits.last.map { $0.start + growth + $0.replacement.count }
        propose(edits, nil, step.origin, step, caret: caret ?? end)
        if !isRemote { typed(now) }
    }

    private mutating func propose(
        _ edits: [Edit], _ adoption: Offer.Adoption?, _ origin: EditOffer.Origin, _ step: Step?, caret: Int?
    ) {
        offers += 1
        let offer = Offer(number: offers, edits: edits, adoption: adoption, origin: origin, step: step, caret: caret)
        guard isRemote else {
            show(offer)
            if !edits.isEmpty { actions.append(.apply(edits)) }
            return
        }
        self.offer = offer
        actions.append(
            .offer(
                EditOffer(
                    number: offer.number, changes: changes, edits: edits, version: adoption?.version ?? version, origin: origin,
                    caret: caret)))
    }

    private mutating func show(_ offer: Offer) {
        if let adoption = offer.adoption {
            adopt(adoption.version, adoption.text)
            marks = adoption.marks
            apply(offer.edits, isOwn: false)
        } else {
            if case .want = offer.step, !offer.edits.isEmpty {
                history.record(offer.edits, on: text, continues: false)
            } else {
                history.end(isShown: true)
            }
            apply(offer.edits, isOwn: true)
        }
        if let caret = offer.caret { (self.caret, anchor) = (caret, nil) }
    }

    mutating func accepted(_ number: UInt64, _ now: Duration) {
        guard let offer, offer.number == number else { return }
        guard !offer.isCrossed else { return actions.append(.fault(.accepted)) }
        self.offer = nil
        acceptedOffers = number
        show(offer)
        if offer.adoption == nil {
            owesSaved = true
            typed(now)
        }
    }

    mutating func declined(_ number: UInt64, isBusy: Bool, _ now: Duration) {
        guard let offer, offer.number == number else { return }
        self.offer = nil
        self.isBusy = isBusy
        if isBusy { offerAt = now + Self.busyMax } else if !offer.isCrossed { offerAt = now + Self.declinedPause }
        if offer.adoption != nil {
            isBehind = true
        } else if let step = offer.step {
            history.end(isShown: false)
            steps.insert(step, at: 0)
        }
    }

    /// Tells the editor which of its changes are durable.
    mutating func acknowledge() {
        guard isRemote, flight == nil, reading == nil, queue.isEmpty else { return }
        let isWritten = text.isSame(as: shadow)
        if isWritten { writtenChanges = changes }
        guard savedChanges < writtenChanges || isWritten && owesSaved else { return }
        savedChanges = writtenChanges
        if isWritten { owesSaved = false }
        actions.append(.saved(changes: savedChanges, offers: acceptedOffers, version))
    }
}

extension EditSession.Step {
    fileprivate var origin: EditOffer.Origin { if case .redo = self { .redo } else { .undo } }
}
