import Causality
import Dependents
import Logging
import NotesModel
import NotesStore

/// Notes of another store whose earlier texts are gone (`NoteBeginning`).
extension Engine {
    /// Takes in beginnings, each in a commit of its own.
    ///
    /// - Parameters:
    ///   - mayPurge: whether a purge may erase what the store has of its note.
    ///   - dependent: the connection that offers them.
    /// - Returns: a report, and floors to take in as other revisions: their notes are known, so they wait for
    ///   their parents.
    /// - Complexity: O(revisions below the floors + texts), and that of purges.
    func begin(
        _ beginnings: [NoteBeginning], mayPurge: Bool, for dependent: DependentID
    ) throws(JournalError) -> (report: AdoptionReport, floors: [LinkedRevision]) {
        var report = AdoptionReport()
        var floors: [LinkedRevision] = []
        for beginning in beginnings {
            // Only the dots of beginnings before this one are missing.
            while try !findDots() {}
            switch try fault(in: beginning, mayPurge: mayPurge) {
            case nil where exchange.feeds.dots.contains(beginning.dot): report.known += 1
            case nil: report.committed += try commit(beginning, from: dependent)
            case .noteIsKnown? where !beginning.isPurge: floors.append(beginning.floor)
            case let fault?:
                report.notBegun.append(AdoptionReport.NotBegun(dot: beginning.dot, reason: fault))
                logger.warning(
                    "a note from another replica cannot be applied, and nothing of it is kept",
                    metadata: ["event": "exchange-refused", "revision": "\(beginning.dot)", "reason": "\(fault)"])
                continue
            }
            exchange.feeds.byDependent[dependent]?.receive(beginning.dots)
        }
        return (report, floors)
    }

    /// The reason why the store does not take a beginning; nil if it does, or if it has the floor already.
    ///
    /// - Precondition: `findDots()` returned true in this turn.
    private func fault(in beginning: NoteBeginning, mayPurge: Bool) throws(JournalError) -> BeginningFault? {
        do throws(BeginningFault) { try beginning.check(configuration.model) } catch { return error }
        if let held = try noteCache.journal.committed(beginning.dot) {
            let isSame =
                switch held {
                case .whole(let revision): revision == beginning.floor
                case .compacted(let compacted): compacted.isOf(beginning.floor)
                }
            return isSame ? nil : .dotIsTaken
        }
        let dots = beginning.dots
        for range in dots.ranges(of: identity.replica) where !exchange.feeds.dots.isSuperset(of: range, of: identity.replica) {
            return .dotIsOurs
        }
        let journal = noteCache.journal
        let own = try journal.dots(of: beginning.note)
        let new = dots.subtracting(own)
        guard new.subtracting(exchange.feeds.dots) == new else { return .dotIsTaken }
        let held = try journal.heldNotes(of: dots)
        guard held.allSatisfy({ $0 == beginning.note }) else { return .dotIsTaken }
        if own.isEmpty, held.isEmpty { return nil }
        if !own.isEmpty, !beginning.erases(own) {
            // The store keeps what it has, but shows another store's word for the note. So it asks for the same
            // trust as a purge.
            if beginning.continues(own), mayPurge, configuration.acceptsPurges { return nil }
            return beginning.isPurge ? .isLate : .noteIsKnown
        }
        guard mayPurge else { return .mayNotPurge }
        guard configuration.acceptsPurges else { return .purgesAreRefused }
        return try changesText(beginning) ? .textDiffers : nil
    }

    /// Whether a purge states another text than the store shows at the version below it. Of a version that
    /// the store does not show, nothing is known.
    private func changesText(_ purge: NoteBeginning) throws(JournalError) -> Bool {
        guard purge.isPurge, let now = try noteCache.journal.head(of: purge.note),
            now.head.version == purge.floor.content.parents
        else { return false }
        if now.head.isDeleted || purge.isDeleted { return now.head.isDeleted != purge.isDeleted }
        return try noteCache.text(of: now) != purge.text
    }

    /// Commits a beginning. Returns the dots of the committed revisions.
    private func commit(_ beginning: NoteBeginning, from dependent: DependentID) throws(JournalError) -> [Dot] {
        let journal = noteCache.journal
        let former = try journal.head(of: beginning.note)
        let own = former == nil ? DotSet() : try journal.dots(of: beginning.note)
        let skeletons = beginning.skeletons(besides: (own, former?.head.version ?? .nothing))
        let sequence = journal.lastSequence + UInt64(skeletons.count) + 1
        let note = beginning.note(at: sequence)
        let content = beginning.floor.content
        let previous = skeletons.isEmpty ? former?.sequence ?? 0 : sequence - 1
        var head = note.head
        if let former { head.created = former.head.created }
        let commit = Commit(
            sequence: sequence, previous: previous, revision: content, coversAll: true, text: beginning.text,
            name: beginning.name, head: head, lastLine: beginning.lastLine, isDeleted: beginning.isDeleted,
            textEdits: content.edits, isPurge: beginning.isPurge,
            parentHashes: beginning.floor.parentHashes)
        let erased = beginning.isPurge ? beginning.dots : beginning.erased
        try append([.began(skeletons, commit, erased: erased)])
        maintenance.compaction?.spare(beginning.note)
        // Waiting revisions may be based on the floor, or on what is below it.
        exchange.releasing.lookedAt = 0
        longReads.compacted(beginning.note)
        let erases = former != nil && !erased.isEmpty
        let origin: Logger.Metadata = [
            "note": "\(beginning.note)", "revision": "\(beginning.dot)", "dependent": "\(dependent.number)",
        ]
        if erases {
            logger.notice(
                "a purge from another store erased the past of a note",
                metadata: ["event": "purged"].merging(origin) { $1 })
        } else if former != nil {
            logger.notice(
                "a note goes on from the text of another store, which has compacted what this store lacks",
                metadata: ["event": "continued"].merging(origin) { $1 })
        }
        if beginning.isPurge || erases { forgetBelow(purgeOf: beginning.note) } else { forgetTexts(of: beginning.note) }
        dependents.passOver(skeletons.count)
        let change = Change(
            sequence: sequence, previous: former?.sequence ?? 0, before: former?.head, after: head, origin: nil)
        deliver([change])
        return skeletons.map(\.revision.dot) + [beginning.dot]
    }
}
