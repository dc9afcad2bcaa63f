import Causality
import Dependents
import Logging
import NotesModel
import NotesStore
import TextMerge

extension Engine {
    /// The revisions that an adoption postponed: to later turns, or if the next one needs a long walk, until the
    /// load is done.
    struct PostponedRevisions {
        let revisions: [LinkedRevision]
        let load: NoteLoad?
    }

    /// Commits a part, with some of the revisions that waited for it or for earlier parts, as much as fits
    /// into one turn. Returns what it postponed. If `mayWait` is true, it also ends before a revision whose note
    /// needs a long walk.
    func take(
        _ revisions: [LinkedRevision], mayWait: Bool
    ) throws(JournalError) -> (report: AdoptionReport, postponed: PostponedRevisions?) {
        do throws(JournalError) {
            return try commit(revisions, mayWait: mayWait)
        } catch {
            // The waiting revisions are still in the store, and all are checked again.
            exchange.releasing = Releasing()
            throw error
        }
    }

    private func commit(
        _ revisions: [LinkedRevision], mayWait: Bool
    ) throws(JournalError) -> (report: AdoptionReport, postponed: PostponedRevisions?) {
        var adoption = Adoption(
            of: revisions, releases: exchange.releasing.dots, limits: configuration.model, replica: identity.replica,
            commitsMax: configuration.adoptedRevisionsMax, workMax: configuration.adoptedWorkMax,
            kept: noteCache.journal.heldAmounts, keptMax: configuration.holdingLimits,
            erased: noteCache.journal.erasedFromHolding)
        if revisions.isEmpty, exchange.releasing.dots.isEmpty { try offerHeld(to: &adoption) }
        var load: NoteLoad?
        while load == nil, let need = adoption.run() { load = try supply(need, to: &adoption, mayWait: mayWait) }
        let postponed = adoption.mayLeaveRest ? PostponedRevisions(revisions: adoption.leaveRest(), load: load) : nil
        var list = CommitList(after: noteCache.journal.lastSequence)
        for accepted in adoption.accepted {
            let committed = adoption.note(accepted.revision.note)?.sequence
            list.add(accepted, after: committed, operation: nil, origin: nil)
        }
        for revision in adoption.waiting {
            list.add(.waiting(revision))
            maintenance.compaction?.spare(revision.note)
        }
        for quarantined in adoption.quarantined {
            list.add(.quarantined(quarantined))
            logger.warning(
                "a revision from another replica cannot be applied; it is kept in the holding area",
                metadata: [
                    "event": "exchange-refused", "revision": "\(quarantined.revision.dot)", "reason": "\(quarantined.reason)",
                ])
        }
        if !list.entries.isEmpty { try append(list.entries) }
        let report = adoption.report
        try wantTexts(of: adoption.late)
        for refused in report.refused {
            logger.warning(
                refused.area == .waiting
                    ? "a revision from another replica came before its parents and the holding area is full; it must be re-sent"
                    : "a revision from another replica cannot be applied and the holding area is full; it was discarded",
                metadata: ["event": "exchange-refused", "revision": "\(refused.dot)"])
        }
        exchange.releasing.dots = adoption.releases
        noteCache.handBack(adoption.untouched)
        for note in adoption.changed { noteCache.insert(list.placed(note), isWatched: dependents.hasWatches) }
        deliver(list.changes)
        return (report, postponed)
    }

    /// Offers the next waiting revisions of the store; once all of them were offered, the next quarantined
    /// ones.
    private func offerHeld(to adoption: inout Adoption) throws(JournalError) {
        let area: HoldingArea = exchange.releasing.lookedAt != nil ? .waiting : .quarantine
        guard let number = exchange.releasing.lookedAt ?? exchange.releasing.quarantinedAt else { return }
        let page = try noteCache.journal.held(in: area, after: number, limit: configuration.adoptedRevisionsMax)
        var revisions: [LinkedRevision] = []
        for row in page {
            switch row.content {
            case .waiting(let revision): revisions.append(revision)
            case .quarantined(let quarantined): revisions.append(quarantined.revision)
            case .unreadable:
                logger.warning(
                    "a revision in the holding area cannot be read; audit the store",
                    metadata: ["event": "read-failed", "revision": "\(row.dot?.description ?? "unknown")"])
            }
        }
        switch area {
        case .waiting:
            adoption.offer(waiting: revisions)
            exchange.releasing.lookedAt = page.last?.number
        case .quarantine:
            adoption.offer(quarantined: revisions)
            exchange.releasing.quarantinedAt = page.last?.number
        }
    }

    /// Reads what the adoption needs from the note cache or the journal. Returns the load if it is long
    /// and the adoption may wait for it.
    private func supply(
        _ need: Adoption.Need, to adoption: inout Adoption, mayWait: Bool
    ) throws(JournalError) -> NoteLoad? {
        switch need {
        case .held(let dot):
            switch try noteCache.journal.committed(dot) {
            case .whole(let revision): adoption.supply(.committed(revision), for: dot)
            case .compacted(let compacted): adoption.supply(.compacted(compacted), for: dot)
            case nil: adoption.supply(try noteCache.journal.waiting(dot).map(Adoption.Held.waiting) ?? .nothing, for: dot)
            }
        case .waiting(on: let dot): adoption.supply(waiting: try noteCache.journal.waiting(on: dot), on: dot)
        case .note(let id, downTo: let depth):
            if !adoption.holds(id), let note = noteCache.take(id) {
                adoption.supply(cached: note)
            } else if mayWait, adoption.mayLeaveRest {
                switch try noteCache.load(id, downTo: depth) {
                case .ready(let note): adoption.supply(loaded: note, for: id, downTo: depth)
                case .long(let load): return load
                }
            } else {
                adoption.supply(loaded: try noteCache.loadAtOnce(id, downTo: depth), for: id, downTo: depth)
            }
        }
        return nil
    }

    /// Checks some of the waiting and quarantined revisions while the engine is idle. Returns whether none
    /// are left.
    func releaseSome() throws(JournalError) -> Bool {
        guard !exchange.releasing.isAllDone, !exchange.releasing.isStuck else { return true }
        do throws(JournalError) {
            _ = try take([], mayWait: false)
        } catch {
            if case .fatal = error { throw error }
            logger.error(
                "revisions that waited for their parents could not be committed",
                metadata: ["event": "exchange-refused", "error": "\(error)"])
            exchange.releasing.isStuck = true
        }
        return exchange.releasing.isAllDone || exchange.releasing.isStuck
    }
}
