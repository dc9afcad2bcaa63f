import Causality
import NotesModel
import NotesStore
import TextMerge

/// The revisions of other stores that are no part of a note, for people.
extension Engine {
    /// A page of the holding area. Rows that cannot be read are left out; an audit names them.
    ///
    /// - Complexity: O(bytes of the rows of the page, and of the rows that are read at once).
    func held(_ list: ListHeld) throws(JournalError) -> Response {
        let journal = noteCache.journal
        let amounts = journal.heldAmounts
        var page = HeldPage(
            revisions: [], next: nil, quarantined: amounts.quarantined.revisions, waiting: amounts.waiting.revisions)
        var place = list.after ?? HeldPlace(.quarantine, after: 0)
        var (rest, bytes) = (list.limit, 0)
        while true {
            let rows = try journal.held(
                in: place.area, of: list.dot, after: place.number, limit: min(rest, Self.heldRowsAtOnce))
            guard let last = rows.last else {
                guard place.area == .quarantine else { return .held(page) }
                place = HeldPlace(.waiting, after: 0)
                continue
            }
            page.revisions += rows.compactMap { HeldRevision($0, isWhole: list.dot != nil) }
            bytes += rows.reduce(0) { $0 + $1.bytes }
            rest -= rows.count
            place.number = last.number
            guard rest > 0, bytes < Self.heldBytesMax else {
                page.next = place
                return .held(page)
            }
        }
    }

    /// Removes the held revisions with these dots. A peer may offer them again.
    func dropHeld(_ dots: [Dot]) throws(JournalError) -> Response {
        let before = noteCache.journal.heldAmounts
        do throws(JournalError) {
            try append(Set(dots).sorted().map(JournalEntry.dropped))
        } catch {
            if case .fatal = error { throw error }
            return .failed(RequestFailure(error))
        }
        let after = noteCache.journal.heldAmounts
        return .heldDropped(
            before.waiting.revisions - after.waiting.revisions + before.quarantined.revisions - after.quarantined.revisions)
    }

    /// The number of rows that are read at once, and the bytes after which a page ends.
    private static let heldRowsAtOnce = 8
    private static let heldBytesMax = 1 << 20
}

extension HeldRow {
    /// The number of bytes that its revision inserts.
    fileprivate var bytes: Int {
        switch content {
        case .waiting(let revision): revision.insertedBytes
        case .quarantined(let quarantined): quarantined.revision.insertedBytes
        case .unreadable: 0
        }
    }
}

extension LinkedRevision {
    fileprivate var insertedBytes: Int { content.edits.reduce(0) { $0 + $1.replacement.count } }
}

extension HeldRevision {
    /// Describes a row; nil if it cannot be read.
    fileprivate init?(_ row: HeldRow, isWhole: Bool) {
        let bytesMax = isWhole ? Int.max : Self.excerptBytesMax
        switch row.content {
        case .waiting(let revision): self.init(revision.content, reason: nil, bytesMax: bytesMax)
        case .quarantined(let quarantined):
            self.init(quarantined.revision.content, reason: quarantined.reason, bytesMax: bytesMax)
        case .unreadable: return nil
        }
    }
}
