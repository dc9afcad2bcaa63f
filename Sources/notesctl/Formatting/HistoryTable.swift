import Causality
import NotesModel
import NotesWire

/// The output of `history` and `log`: one line per revision.
struct HistoryTable {
    let local: (Timestamp) -> CalendarTime
    let style: Style

    /// One revision to print.
    struct Entry {
        let revision: RevisionSummary
        /// The revision before it in the note's history; nil if unknown or if there is none.
        let older: RevisionSummary?
        /// The note, for tables that cover several notes; otherwise nil.
        let note: Head?

        init(_ revision: RevisionSummary, older: RevisionSummary?, note: Head? = nil) {
            self.revision = revision
            self.older = older
            self.note = note
        }

        /// The name of the note at this revision, as far as known.
        fileprivate var label: String? {
            guard let note else { return nil }
            let name = revision.name ?? (revision.isDeleted ? older?.name : nil)
            let label = note.isDeleted ? String(note.id.description.prefix(ShortID.digitsMin)) : NoteLabel.of(note)
            return SafeText.line(name?.description ?? label)
        }
    }

    /// - Parameter revisions: of one note, newest first.
    func lines(_ revisions: [RevisionSummary]) -> [String] {
        lines(revisions.indices.map { Entry(revisions[$0], older: revisions.dropFirst($0 + 1).first) })
    }

    func lines(_ entries: [Entry]) -> [String] {
        let dots = ShortDots(entries.flatMap { [$0.revision.dot] + $0.revision.parents.dots + $0.revision.withdraws })
        let rows = entries.map { entry in
            let revision = entry.revision
            return Row(
                dot: dots.text(revision.dot), note: entry.label, author: SafeText.line(revision.author.forPeople),
                size: ByteCount.text(revision.bytes),
                what: what(revision, older: entry.older, isFirst: revision.parents.isNothing, dots))
        }
        let dotWidth = rows.map(\.dot.count).max() ?? 0
        let noteWidth = rows.map { DisplayWidth.of($0.note ?? "") }.max() ?? 0
        let authorWidth = rows.map { DisplayWidth.of($0.author) }.max() ?? 0
        let sizeWidth = rows.map(\.size.count).max() ?? 0
        return zip(rows, entries).map { row, entry in
            let time = local(entry.revision.time)
            return [
                style.yellow(DisplayWidth.fit(row.dot, columns: dotWidth)), "\(time.day) \(time.clock)",
                row.note.map { style.bold(DisplayWidth.fit($0, columns: noteWidth)) },
                DisplayWidth.fit(row.author, columns: authorWidth),
                String(repeating: " ", count: sizeWidth - row.size.count) + row.size, row.what,
            ].compactMap { $0 }.joined(separator: "  ")
        }
    }

    /// The first names, and how many there are more.
    private static func names(_ all: [String]) -> String {
        let shown = all.prefix(3).joined(separator: ", ")
        return all.count > 3 ? "\(shown) and \(all.count - 3) more" : shown
    }

    private struct Row {
        let dot: String
        let note: String?
        let author: String
        let size: String
        let what: String
    }

    /// The last column: the kind of change, its parents if they are not simply the line below, and
    /// a new name.
    private func what(_ revision: RevisionSummary, older: RevisionSummary?, isFirst: Bool, _ dots: ShortDots) -> String {
        var words: [String] = []
        if !revision.withdraws.isEmpty {
            words.append("undid " + Self.names(revision.withdraws.map(dots.text)))
            if revision.isDeleted { words.append(style.red("deleted")) }
        } else if revision.isDeleted {
            words.append(style.red("deleted"))
        } else if isFirst {
            words.append(style.green("created"))
        } else {
            words.append(revision.isStated ? "edited" : "saved")
        }
        if revision.parents.dots.count > 1 || (older != nil && !isFirst && revision.parents.single != older?.dot) {
            words.append("on " + revision.parents.dots.map(dots.text).joined(separator: " and "))
        }
        if !revision.isDeleted, isFirst || (older != nil && older?.isDeleted == false && older?.name != revision.name) {
            switch (revision.name, isFirst) {
            case (let name?, true): words.append("as \(SafeText.line(name.description))")
            case (let name?, false): words.append("named \(SafeText.line(name.description))")
            case (nil, true): break
            case (nil, false): words.append("name cleared")
            }
        }
        if revision.isWithdrawn { words.append(style.dim("undone")) }
        if revision.isCompacted { words.append(style.dim("text compacted")) }
        return words.joined(separator: ", ")
    }
}
