package import Causality
import TextMerge

/// The decision about each revision that arrived from another replica, in any order, any number of
/// times and in batches of any size.
///
/// The state of its dot and its parents determines what happens to a revision:
///
///     dot known, same content              nothing
///     dot known, other content             quarantined, so that neither content is lost; but if the
///                                          other content only waits and this one is accepted, the other
///                                          one is quarantined: what waits must not keep away what fits
///     dot unknown, a parent unknown        waits for the parent, across restarts
///     dot unknown, a parent differs        quarantined: its writer saw other content
///     dot unknown, parents known           accepted if it fits (`WorkingCopy.adopt`); then the
///                                          revisions that wait for it are examined
///     the same, but it does not fit        quarantined, with the reason
///     dot erased outside its note          nothing, and what is based on it is quarantined
///
/// Pure, synchronous and deterministic, like `WorkingCopy`: it asks for the data it needs and the
/// caller supplies it. Its decisions take effect when the caller commits all of them together.
///
///     while let need = adoption.run() { supply(need) }
package struct Adoption: Sendable {
    /// The replica of this run of the daemon. No other process mints its dots.
    private let replica: ReplicaID
    private let commitsMax: Int
    private let workMax: Int
    /// The work of the accepted revisions: one unit for each revision that is concurrent with it and newest.
    private var work = 0
    private let limits: HoldingLimits
    /// The amounts already in the store's holding areas.
    private let kept: HoldingAmounts
    /// The revisions that a purge erased from the holding areas.
    private let erased: DotSet
    private var copy: WorkingCopy

    private var queue: [LinkedRevision]
    /// The number of decided revisions at the front of the queue.
    private var decided = 0
    /// The number of revisions in the queue that the peer sent. The rest had been waiting.
    private let offered: Int
    /// Committed dots whose waiting children have not been examined yet. The list is not empty at
    /// the end if `commitsMax` was reached; pass it to the next adoption.
    package private(set) var releases: [Dot]

    private var held: [Dot: Held] = [:]
    /// The hashes of committed revisions that revisions in the queue have as parents.
    private var hashes: [Dot: RevisionHash] = [:]
    /// The revisions in the queue that are in quarantine. If one still does not fit, it stays there.
    private var again: Set<LinkedRevision> = []
    /// The revisions that started to wait during this adoption, and the missing parents of each.
    private var waitingNow: [Dot: LinkedRevision] = [:]
    private var waitingOn: [Dot: [Dot]] = [:]

    /// The accepted revisions, in commit order.
    package private(set) var accepted: [Accepted] = []
    private var unfit: [Quarantined] = []
    /// The revisions in `unfit` that were waiting when another revision with the same dot was accepted.
    private var displaced: Set<LinkedRevision> = []
    /// The notes of revisions that do not fit because compaction, and no purge, removed what they need.
    package private(set) var late: Set<NoteID> = []
    /// The purges that came without their beginnings.
    private var bare: [Dot] = []
    private var waitingOrder: [Dot] = []
    private var knownCount = 0
    private var unreadableCount = 0

    /// Starts an adoption.
    ///
    /// - Parameters:
    ///   - revisions: the revisions that a peer sent.
    ///   - releases: dots committed earlier for which revisions in the store may wait.
    ///   - limits: the limits on the size of a note.
    ///   - replica: the replica of this run of the daemon.
    ///   - commitsMax: the number of accepted revisions after which no further waiting revisions
    ///     are examined.
    ///   - workMax: the work after which the rest is left to another adoption. Each revision costs as
    ///     much as its note has newest revisions.
    ///   - kept: the amounts already in the store's holding areas.
    ///   - keptMax: the limits of the holding areas.
    ///   - erased: the revisions that a purge erased from the holding areas.
    package init(
        of revisions: [LinkedRevision], releases: [Dot] = [], limits: ModelLimits, replica: ReplicaID, commitsMax: Int = .max,
        workMax: Int = .max, kept: HoldingAmounts = HoldingAmounts(), keptMax: HoldingLimits = HoldingLimits(),
        erased: DotSet = DotSet()
    ) {
        queue = revisions
        offered = revisions.count
        self.releases = releases
        self.replica = replica
        self.commitsMax = commitsMax
        self.workMax = workMax
        self.limits = keptMax
        self.kept = kept
        self.erased = erased
        copy = WorkingCopy(limits: limits)
    }

    /// The notes that the adoption changed.
    package var changed: [Note] { copy.changed }
    /// The notes that came from the cache and did not change.
    package var untouched: [Note] { copy.untouched }

    /// The revisions to add to the waiting area, in order of arrival, as many as fit.
    package var waiting: [LinkedRevision] {
        let all = waitingOrder.compactMap { waitingNow[$0] }
        return Array(all.prefix(Self.fitting(all, on: kept.waiting, limits.waitingMax)))
    }

    /// The revisions to add to the quarantine, in order of arrival, as many as fit.
    package var quarantined: [Quarantined] {
        Array(unfit.prefix(Self.fitting(unfit.map(\.revision), on: kept.quarantined, limits.quarantinedMax)))
    }

    /// The number of revisions, from the first, that fit into a holding area.
    private static func fitting(_ revisions: [LinkedRevision], on kept: HoldingAmount, _ limit: HoldingAmount) -> Int {
        var amount = kept
        for (index, revision) in revisions.enumerated() {
            amount = amount + .of(revision)
            if !amount.isWithin(limit) { return index }
        }
        return revisions.count
    }

    /// The report to return to the peer.
    package var report: AdoptionReport {
        let (waiting, quarantined) = (waiting.map(\.dot), quarantined)
        let waits = waitingOrder.filter { waitingNow[$0] != nil }
        var report = AdoptionReport(
            committed: accepted.map(\.revision.dot), known: knownCount, waiting: waiting,
            // The peer sent the revision that was accepted, not the one that this displaced.
            quarantined: quarantined.filter { !displaced.contains($0.revision) }
                .map { AdoptionReport.Unfit(dot: $0.revision.dot, reason: $0.reason) },
            refused: waits.dropFirst(waiting.count).map { AdoptionReport.Refused(dot: $0, area: .waiting) }
                + unfit.dropFirst(quarantined.count).map { AdoptionReport.Refused(dot: $0.revision.dot, area: .quarantine) },
            unreadable: unreadableCount)
        report.notBegun = bare.map { AdoptionReport.NotBegun(dot: $0, reason: .floor(.marked)) }
        return report
    }

    // MARK: Needs

    /// Supplies the store's content for a dot, after `Need.held`.
    package mutating func supply(_ held: Held, for dot: Dot) {
        self.held[dot] = held
    }

    /// Supplies the revisions in the store that wait for the first of `releases`, after
    /// `Need.waiting`.
    ///
    /// - Precondition: `dot` is the first of `releases`.
    package mutating func supply(waiting revisions: [LinkedRevision], on dot: Dot) {
        precondition(releases.first == dot, "waiting revisions are supplied in the order of the releases")
        releases.removeFirst()
        offer(waiting: revisions)
    }

    /// Adds revisions that wait in the store to the queue, to examine them again.
    package mutating func offer(waiting revisions: [LinkedRevision]) {
        for revision in revisions {
            held[revision.dot] = held[revision.dot] ?? .waiting(revision)
            queue.append(revision)
        }
    }

    /// Adds quarantined revisions to the queue, to examine them again.
    package mutating func offer(quarantined revisions: [LinkedRevision]) {
        again.formUnion(revisions)
        queue += revisions
    }

    /// Whether the note was supplied. If so, only a load down to a lower floor can satisfy a
    /// further need for it.
    package func holds(_ id: NoteID) -> Bool { copy.holds(id) }

    /// The note as changed so far; nil when it does not exist or was not supplied.
    package func note(_ id: NoteID) -> Note? { copy.note(id) }

    /// Supplies a note from the cache.
    package mutating func supply(cached note: Note) {
        copy.supply(cached: note)
    }

    /// Supplies a note that the journal loaded, after `Need.note`; nil when there is none.
    package mutating func supply(loaded note: Note?, for id: NoteID, downTo depth: LoadDepth) {
        copy.supply(loaded: note, for: id, downTo: depth)
    }

    /// Whether the next decision is about a revision that the peer sent, so that the rest may be left to
    /// another adoption (`leaveRest`).
    package var mayLeaveRest: Bool { decided < offered }

    /// Leaves the peer's revisions that are not decided to another adoption, and returns them. What is
    /// decided is ready to be committed.
    ///
    /// - Precondition: `mayLeaveRest`.
    package mutating func leaveRest() -> [LinkedRevision] {
        precondition(mayLeaveRest, "only revisions of the peer can be left")
        defer { queue.removeSubrange(decided...) }
        return Array(queue[decided..<offered])
    }

    // MARK: Deciding

    private struct Missing: Error {
        let need: Need
    }

    /// Whether an adoption ends here for its work, and leaves the rest to another one.
    private var isTired: Bool { work >= workMax }

    /// Puts off the waiting revisions in the queue until another adoption: all stay in the waiting area, or
    /// come into it, and are examined again for the sake of their parents.
    private mutating func putOffReleased() {
        let parents = queue[decided...].flatMap(\.content.parents.dots)
        let listed = Set(releases)
        for dot in Set(parents).subtracting(listed).sorted() { releases.append(dot) }
        queue.removeSubrange(decided...)
    }

    /// Decides the queue until data is missing, or until the work is enough for one adoption.
    ///
    /// - Returns: the missing data, or nil when everything is decided, or the rest has to be left
    ///   (`leaveRest`, if `mayLeaveRest`).
    package mutating func run() -> Need? {
        do throws(Missing) {
            while decided < queue.count {
                if isTired {
                    if mayLeaveRest { return nil }
                    if again.isEmpty {
                        putOffReleased()
                        break
                    }
                }
                try decide(queue[decided])
                decided += 1
            }
        } catch {
            return error.need
        }
        guard let dot = releases.first, accepted.count < commitsMax, !isTired else { return nil }
        return .waiting(on: dot)
    }

    private mutating func decide(_ revision: LinkedRevision) throws(Missing) {
        // Such a revision has no canonical bytes, so two stores could not agree on its content.
        // Drop it.
        guard revision.content.edits.fault(forLength: .max) == nil else {
            unreadableCount += 1
            return
        }
        // Also other content under the dot: the purge was to remove what arrives under it.
        if erased.contains(revision.dot) { return countKnown() }
        let known = try held(revision.dot)
        if known.differs(from: revision) { return quarantine(revision, .dotIsTaken) }
        if known.note != nil { return countKnown() }
        let waiting = known.waiting ?? waitingNow[revision.dot]
        let rival = waiting == revision ? nil : waiting
        if revision.dot.replica == replica { return quarantine(revision, .dotIsOurs) }
        if let reason = AdoptionRules.fault(in: revision.content) {
            // A purge comes as the beginning of its note. Its dot must not become one that this store refuses.
            guard reason == .marked, revision.content.mark?.kind == .purge else { return quarantine(revision, reason) }
            return bare.append(revision.dot)
        }
        let missing = try missingParents(of: revision)
        // An erased parent never arrives, so its children would keep their texts and wait for ever.
        if missing.contains(where: erased.contains) { return quarantine(revision, .parentIsCompacted) }
        guard missing.isEmpty else { return try lacks(missing, revision, rival: rival) }
        if try hasOtherParents(revision) { return quarantine(revision, .parentDiffers) }
        switch copy.adopt(revision.content) {
        case .needs(.note(let id, let depth)): throw Missing(need: .note(id, downTo: depth))
        case .needs(.holders), .needs(.time):
            preconditionFailure("an adoption asks neither for the holders of a name nor for time")
        case .lacks(let parents): try lacks(parents, revision, rival: rival)
        case .unfit(let reason):
            if reason.isOfCompaction, !needsErased(revision) { late.insert(revision.note) }
            quarantine(revision, reason)
        case .accepted(let accepted):
            if let rival { displace(rival) }
            accept(revision, accepted)
        }
    }

    /// The parents that are not committed. This check precedes loading the note, so that a revision
    /// that arrived too early does not cause a deeper load.
    private func missingParents(of revision: LinkedRevision) throws(Missing) -> [Dot] {
        var missing: [Dot] = []
        for parent in revision.content.parents.dots {
            switch try held(parent) {
            case .committed, .compacted: break
            case .waiting, .nothing: missing.append(parent)
            }
        }
        return missing
    }

    /// Whether the store has other content under the dot of a parent than the writer of the revision
    /// saw. An erased parent has no hash to compare.
    ///
    /// - Precondition: all parents are committed.
    /// - Complexity: O(bytes of each parent), once for each parent.
    private mutating func hasOtherParents(_ revision: LinkedRevision) throws(Missing) -> Bool {
        for (parent, hash) in zip(revision.content.parents.dots, revision.parentHashes) {
            if hashes[parent] == nil { hashes[parent] = try held(parent).hash }
            if let known = hashes[parent], known != hash { return true }
        }
        return false
    }

    /// Whether a purge has erased what a revision is based on.
    private func needsErased(_ revision: LinkedRevision) -> Bool {
        (revision.content.parents.dots + revision.content.withdraws).contains { dot in
            if case .compacted(let compacted) = held[dot] { compacted.isErased } else { false }
        }
    }

    private func held(_ dot: Dot) throws(Missing) -> Held {
        guard let held = held[dot] else { throw Missing(need: .held(dot)) }
        return held
    }

    /// Lets a revision wait for its parents, unless another one with its dot does.
    private mutating func lacks(_ parents: [Dot], _ revision: LinkedRevision, rival: LinkedRevision?) throws(Missing) {
        if rival != nil { return quarantine(revision, .dotIsTaken) }
        for parent in parents {
            if let note = try held(parent).note, note != revision.note {
                return quarantine(revision, .parentOfAnotherNote)
            }
        }
        if try held(revision.dot).waiting != nil { return countKnown() }
        if again.contains(revision) { return }
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

    private mutating func quarantine(_ revision: LinkedRevision, _ reason: QuarantineReason) {
        if waitingNow[revision.dot] == revision { waitingNow[revision.dot] = nil }
        guard !again.contains(revision) else { return }
        let new = Quarantined(revision: revision, reason: reason)
        if !unfit.contains(new) { unfit.append(new) }
    }

    /// Puts a revision that waits into quarantine, because another one with its dot was accepted.
    private mutating func displace(_ revision: LinkedRevision) {
        displaced.insert(revision)
        quarantine(revision, .dotIsTaken)
    }

    private mutating func accept(_ revision: LinkedRevision, _ accepted: Accepted) {
        let dot = revision.dot
        self.accepted.append(accepted)
        work += accepted.after.version.dots.count
        held[dot] = .committed(revision)
        waitingNow[dot] = nil
        releases.append(dot)
        for child in waitingOn.removeValue(forKey: dot) ?? [] {
            if let revision = waitingNow[child] { queue.append(revision) }
        }
    }
}
