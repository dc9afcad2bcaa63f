import Causality
import Logging
import NotesModel
import NotesStore

extension Engine {
    /// The maximum number of rows of one step of a reopening.
    private static let reopenedRowsMax = 64

    /// Asks for the compacted texts of notes.
    ///
    /// - Complexity: O(commits of the notes).
    func wantTexts(of notes: Set<NoteID>) throws(JournalError) {
        for id in notes.sorted() where exchange.reopenings.mayAdd(id) {
            guard let past = try pastOfCompacted(id), let reopening = NoteReopening(id, past) else { continue }
            maintenance.compaction?.spare(id)
            exchange.reopenings.add(reopening)
        }
    }

    /// Nil also for a damaged note, which an audit names.
    private func pastOfCompacted(_ id: NoteID) throws(JournalError) -> CompactedPast? {
        do throws(JournalError) {
            return try noteCache.journal.compactedPast(of: id)
        } catch {
            if case .fatal = error { throw error }
            return nil
        }
    }

    /// Takes one step towards a note whose texts are all there.
    ///
    /// - Returns: whether there was nothing to do.
    func reopenSome() throws(JournalError) -> Bool {
        guard var reopening = exchange.reopenings.takeNext() else { return true }
        if reopening.isReady {
            for dot in reopening.kept where reopening.isCollecting {
                if case .whole(let revision)? = try noteCache.journal.committed(dot) { _ = reopening.take(revision) }
            }
            reopening.run(rowsMax: Self.reopenedRowsMax, configuration.model)
            exchange.reopenings.putBack(reopening)
            return false
        }
        let id = reopening.note
        guard reopening.isDone else {
            exchange.reopenings.putBack(reopening)
            exchange.reopenings.giveUp(id)
            logger.warning(
                "the old texts of a note that a peer sent do not fit the store's; the note stays compacted",
                metadata: ["event": "exchange-refused", "note": "\(id)"])
            return false
        }
        let texts = reopening.newestTexts(Self.reopenedRowsMax)
        let isLast = texts.count == reopening.texts.count
        let floors = isLast ? reopening.floors : []
        exchange.reopenings.putBack(reopening)
        // If the disk is full, the peer offers again, and the same texts are written then.
        try append([.reopened(Reopening(note: id, texts: texts, formerFloors: floors))])
        exchange.reopenings.wrote(texts.count, of: id)
        noteCache.forget(id)
        longReads.compacted(id)
        guard isLast else { return false }
        exchange.reopenings.remove(id)
        exchange.reopenings.revived += try quarantined(of: id)
        exchange.reopenings.isChanged = true
        try wantTexts(of: exchange.reopenings.postponed)
        logger.notice(
            "a note has the old texts again that compaction had removed, since a peer wrote on one of them",
            metadata: ["event": "reopened", "note": "\(id)"])
        return false
    }

    /// The quarantined revisions of a note that can be read.
    ///
    /// - Complexity: O(quarantined revisions).
    private func quarantined(of id: NoteID) throws(JournalError) -> [LinkedRevision] {
        var (found, last): ([LinkedRevision], UInt64) = ([], 0)
        while true {
            let page = try noteCache.journal.held(in: .quarantine, of: nil, after: last, limit: 256)
            guard let end = page.last else { return found }
            last = end.number
            for row in page {
                if case .quarantined(let quarantined) = row.content, quarantined.revision.note == id {
                    found.append(quarantined.revision)
                }
            }
        }
    }
}
