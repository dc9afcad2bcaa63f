package import Causality
import TextMerge

/// What becomes of revisions of other replicas, in whatever order, however often and in whatever pieces they come.
///
/// Each is decided by what is known of its dot and its parents:
///
///     dot known, same content              nothing is done
///     dot known, another content           quarantined: neither of the two is thrown away
///     dot unknown, some parent unknown     waits, over restarts
///     dot unknown, parents known           accepted, if it fits (`WorkingCopy.adopt`); then those that wait for it are looked at
///     … and it does not fit                quarantined, with the reason
///
/// Pure, synchronous and deterministic, like `WorkingCopy`: what it needs to know it asks for and is supplied with. What it
/// decided holds once all of it is committed together.
///
///     while let need = adoption.run() { supply(need) }
package struct Adoption: Sendable {
    package enum Need: Hashable, Sendable {
        /// What the store holds under a dot.
        case held(Dot)
        /// What waits in the store for a dot.
        case waiting(on: Dot)
        case note(NoteID, downTo: LoadDepth)
    }

    /// What a store holds under a dot.
    package enum Held: Sendable {
        case nothing
        case committed(Revision)
        /// Committed, and its text was thinned out.
        case compacted(CompactedRevision)
        case waiting(Revision)

        /// Whether it is another content than that of the revision.
        func differs(from revision: Revision) -> Bool {
            switch self {
            case .nothing: false
            case .committed(let other), .waiting(let other): other != revision
            case .compacted(let other): !other.isOf(revision)
            }
        }

        /// The note of one that is committed.
        var note: NoteID? {
            switch self {
            case .nothing, .waiting: nil
            case .committed(let revision): revision.note
            case .compacted(let compacted): compacted.note
            }
        }

        var isWaiting: Bool {
            if case .waiting = self { true } else { false }
        }
    }

    /// This run's own: nobody else mints its dots.
    private let replica: ReplicaID
    private let commitsMax: Int
    private let limits: HoldingLimits
    /// How much the store keeps aside already.
    private let kept: HoldingAmounts
    private var copy: WorkingCopy

    private var queue: [Revision]
    /// How much of the queue is decided.
    private var decided = 0
    /// How much of the queue was offered; what follows had waited.
    private let offered: Int
    /// Dots that were committed, and whose waiting children were not looked at yet. Not empty at the end where `commitsMax`
    /// was reached: they are for the next adoption.
    package private(set) var releases: [Dot]

    private var held: [Dot: Held] = [:]
    /// Those that wait since this adoption, and for whom each of their missing parents.
    private var waitingNow: [Dot: Revision] = [:]
    private var waitingOn: [Dot: [Dot]] = [:]

    package private(set) var accepted: [Accepted] = []
    private var unfit: [Quarantined] = []
    private var waitingOrder: [Dot] = []
    private var knownCount = 0
    private var unreadableCount = 0

    /// - Parameters:
    ///   - releases: dots that were committed before, for whose sake others may have waited.
    ///   - commitsMax: once as many are accepted, no more that waited in the store are looked at.
    ///   - kept: how much the store keeps aside already, and how much it may.
    package init(
        of revisions: [Revision], releases: [Dot] = [], limits: ModelLimits, replica: ReplicaID, commitsMax: Int = .max,
        kept: HoldingAmounts = HoldingAmounts(), keptMax: HoldingLimits = HoldingLimits()
    ) {
        queue = revisions
        offered = revisions.count
        self.releases = releases
        self.replica = replica
        self.commitsMax = commitsMax
        self.limits = keptMax
        self.kept = kept
        copy = WorkingCopy(limits: limits)
    }

    /// The notes that were changed.
    package var changed: [Note] { copy.changed }
    /// The notes that were supplied from a cache, and stand as they did there.
    package var untouched: [Note] { copy.untouched }

    /// Those that are to wait in the store from now on, in the order in which they came: as many as there is room for.
    package var waiting: [Revision] {
        let all = waitingOrder.compactMap { waitingNow[$0] }
        return Array(all.prefix(Self.fitting(all, on: kept.waiting, limits.waitingMax)))
    }

    /// Those that are to be kept aside from now on: as many as there is room for.
    package var quarantined: [Quarantined] {
        Array(unfit.prefix(Self.fitting(unfit.map(\.revision), on: kept.quarantined, limits.quarantinedMax)))
    }

    /// How many of the first ones fit on what is there.
    private static func fitting(_ revisions: [Revision], on kept: HoldingAmount, _ limit: HoldingAmount) -> Int {
        var amount = kept
        for (index, revision) in revisions.enumerated() {
            amount = amount + .of(revision)
            if !amount.isWithin(limit) { return index }
        }
        return revisions.count
    }

    package var report: AdoptionReport {
        let (waiting, quarantined) = (waiting.map(\.dot), quarantined)
        let waits = waitingOrder.filter { waitingNow[$0] != nil }
        return AdoptionReport(
            committed: accepted.map(\.revision.dot), known: knownCount, waiting: waiting,
            quarantined: quarantined.map { AdoptionReport.Unfit(dot: $0.revision.dot, reason: $0.reason) },
            refused: waits.dropFirst(waiting.count).map { AdoptionReport.Refused(dot: $0, shelf: .waiting) }
                + unfit.dropFirst(quarantined.count).map { AdoptionReport.Refused(dot: $0.revision.dot, shelf: .quarantine) },
            unreadable: unreadableCount)
    }

    // MARK: What it asks for

    package mutating func supply(_ held: Held, for dot: Dot) {
        self.held[dot] = held
    }

    /// Revisions that wait in the store for the first of `releases`.
    package mutating func supply(waiting revisions: [Revision], on dot: Dot) {
        precondition(releases.first == dot, "what waits is asked for in turn")
        releases.removeFirst()
        offer(waiting: revisions)
    }

    /// Revisions that wait in the store, to be looked at again.
    package mutating func offer(waiting revisions: [Revision]) {
        for revision in revisions {
            held[revision.dot] = held[revision.dot] ?? .waiting(revision)
            queue.append(revision)
        }
    }

    /// Whether the note was supplied; if so, a need for it can only be met by reaching further down.
    package func holds(_ id: NoteID) -> Bool { copy.holds(id) }

    package func note(_ id: NoteID) -> Note? { copy.note(id) }

    package mutating func supply(cached note: Note) {
        copy.supply(cached: note)
    }

    package mutating func supply(loaded note: Note?, for id: NoteID, downTo depth: LoadDepth) {
        copy.supply(loaded: note, for: id, downTo: depth)
    }

    // MARK: Deciding

    private struct Missing: Error {
        let need: Need
    }

    /// Goes on until something is needed; nil when everything is decided.
    package mutating func run() -> Need? {
        do throws(Missing) {
            while decided < queue.count {
                try decide(queue[decided])
                decided += 1
            }
        } catch {
            return error.need
        }
        guard let dot = releases.first, accepted.count < commitsMax else { return nil }
        return .waiting(on: dot)
    }

    private mutating func decide(_ revision: Revision) throws(Missing) {
        // Nothing can be kept of it: what has no canonical bytes has no content that two stores could agree on.
        guard revision.edits.fault(forLength: .max) == nil else {
            unreadableCount += 1
            return
        }
        let known = try held(revision.dot)
        if known.differs(from: revision) { return quarantine(revision, .dotIsTaken) }
        if known.note != nil { return countKnown() }
        if !known.isWaiting, let other = waitingNow[revision.dot], other != revision {
            return quarantine(revision, .dotIsTaken)
        }
        if revision.dot.replica == replica { return quarantine(revision, .dotIsOurs) }
        if let reason = AdoptionRules.fault(in: revision) { return quarantine(revision, reason) }
        let missing = try missingParents(of: revision)
        guard missing.isEmpty else { return try lacks(missing, revision, known) }
        switch copy.adopt(revision) {
        case .needs(.note(let id, let depth)): throw Missing(need: .note(id, downTo: depth))
        case .needs(.holders): preconditionFailure("names are not asked for: what others did is not refused")
        case .lacks(let parents): try lacks(parents, revision, known)
        case .unfit(let reason): quarantine(revision, reason)
        case .accepted(let accepted): accept(accepted)
        }
    }

    /// Those that are not committed. Asked before the note is: a revision that came too early is no reason to read it further down.
    private func missingParents(of revision: Revision) throws(Missing) -> [Dot] {
        let note = copy.note(revision.note)
        var missing: [Dot] = []
        for parent in revision.parents.dots where note?.knows(Version(parent)) != true {
            switch try held(parent) {
            case .committed, .compacted: break
            case .waiting, .nothing: missing.append(parent)
            }
        }
        return missing
    }

    private func held(_ dot: Dot) throws(Missing) -> Held {
        guard let held = held[dot] else { throw Missing(need: .held(dot)) }
        return held
    }

    private mutating func lacks(_ parents: [Dot], _ revision: Revision, _ known: Held) throws(Missing) {
        for parent in parents {
            if let note = try held(parent).note, note != revision.note {
                return quarantine(revision, .parentOfAnotherNote)
            }
        }
        if known.isWaiting { return countKnown() }
        if waitingNow.updateValue(revision, forKey: revision.dot) == nil {
            waitingOrder.append(revision.dot)
        } else {
            countKnown()
        }
        for parent in parents { waitingOn[parent, default: []].append(revision.dot) }
    }

    private mutating func countKnown() {
        if decided < offered { knownCount += 1 }
    }

    private mutating func quarantine(_ revision: Revision, _ reason: QuarantineReason) {
        if waitingNow[revision.dot] == revision { waitingNow[revision.dot] = nil }
        let new = Quarantined(revision: revision, reason: reason)
        if !unfit.contains(new) { unfit.append(new) }
    }

    private mutating func accept(_ accepted: Accepted) {
        let dot = accepted.revision.dot
        self.accepted.append(accepted)
        held[dot] = .committed(accepted.revision)
        waitingNow[dot] = nil
        releases.append(dot)
        for child in waitingOn.removeValue(forKey: dot) ?? [] {
            if let revision = waitingNow[child] { queue.append(revision) }
        }
    }
}
