package import Causality
package import Console
import NoteText
package import NotesModel
import NotesWire

/// The output of `history` and `log`: one line per revision.
package struct HistoryTable {
    let local: (Timestamp) -> CalendarTime
    /// The width of the terminal; nil if the output is not a terminal, so nothing is cut.
    var columns: Int?
    let style: Style
    /// Revisions that undos name, and that the table does not show.
    package var hidden: [RevisionSummary] = []
    /// The sides of open conflicts.
    package var sides: Set<Dot> = []

    package init(
        local: @escaping (Timestamp) -> CalendarTime, columns: Int? = nil, style: Style, hidden: [RevisionSummary] = [],
        sides: Set<Dot> = []
    ) {
        (self.local, self.columns, self.style) = (local, columns, style)
        (self.hidden, self.sides) = (hidden, sides)
    }

    /// One revision to print.
    package struct Entry {
        package let revision: RevisionSummary
        /// The revision before it in the note's history; nil if unknown or if there is none.
        let older: RevisionSummary?
        /// The note, for tables that cover several notes; otherwise nil.
        package let note: Head?

        package init(_ revision: RevisionSummary, older: RevisionSummary?, note: Head? = nil) {
            self.revision = revision
            self.older = older
            self.note = note
        }

        /// The name of the note at this revision, as far as known.
        fileprivate var label: String? {
            guard let note else { return nil }
            let name = revision.name ?? (revision.isDeleted ? older?.name : nil)
            let label = note.isDeleted ? ShortID.text(note.id) : NoteLabel.of(note)
            return SafeText.line(name?.description ?? label)
        }
    }

    /// The lines of one note. On a terminal, a graph before them shows which revisions were written side
    /// by side.
    ///
    /// - Parameter revisions: newest first.
    package func lines(_ revisions: [RevisionSummary]) -> [String] {
        let entries = revisions.indices.map { Entry(revisions[$0], older: revisions.dropFirst($0 + 1).first) }
        return lines(entries, graph: columns == nil ? nil : HistoryGraph(revisions))
    }

    package func lines(_ entries: [Entry], graph: HistoryGraph? = nil) -> [String] {
        let effects = UndoEffects(hidden + entries.map(\.revision))
        let shortDots = ShortDots(
            entries.flatMap { entry in
                let effect = effects.effect(of: entry.revision)
                return [entry.revision.dot] + entry.revision.parents.dots + effect.undone + effect.redone
            })
        let dots = entries.map { shortDots.text($0.revision.dot) }
        let notes = entries.map(\.label)
        let authors = entries.map { SafeText.line($0.revision.author.forPeople) }
        let sizes = entries.map { ByteCount.text($0.revision.bytes) }
        let dotWidth = dots.map(\.count).max() ?? 0
        let authorWidth = authors.map(DisplayWidth.of).max() ?? 0
        let sizeWidth = sizes.map(\.count).max() ?? 0
        // The columns that the other fields and all gaps leave for the note and the change.
        let gaps = Self.gap.count * (notes.contains { $0 != nil } ? 5 : 4)
        let graphWidth = graph?.rows.first.map { $0.isEmpty ? 0 : DisplayWidth.of($0) + Self.gap.count } ?? 0
        let rest = columns.map { max(0, $0 - graphWidth - dotWidth - Self.timeColumns - authorWidth - sizeWidth - gaps) }
        let changes = entries.map { what($0, effects, shortDots, columns: rest) }
        let noteWidth = noteWidth(notes, beside: changes, columns: rest)
        return entries.indices.map { index in
            let time = local(entries[index].revision.time)
            return [
                graph.flatMap { $0.rows[index].isEmpty ? nil : $0.rows[index] },
                style.yellow(DisplayWidth.fit(dots[index], columns: dotWidth)), "\(time.day) \(time.clock)",
                notes[index].map { style.bold(DisplayWidth.fit($0, columns: noteWidth)) },
                DisplayWidth.fit(authors[index], columns: authorWidth),
                String(repeating: " ", count: sizeWidth - sizes[index].count) + sizes[index], changes[index],
            ].compactMap { $0 }.joined(separator: Self.gap)
        }
    }

    /// The width of the column of notes: as wide as the widest, but on a terminal at most what the
    /// changes leave, and at least two fifths of the space for both.
    private func noteWidth(_ notes: [String?], beside changes: [String], columns: Int?) -> Int {
        let widest = notes.map { DisplayWidth.of($0 ?? "") }.max() ?? 0
        guard let columns else { return widest }
        let change = changes.map { DisplayWidth.of(Style.stripped($0)) }.max() ?? 0
        return min(widest, max(Self.nameColumnsMin, columns * 2 / 5, columns - change))
    }

    private static let gap = "  "
    /// Columns of a time, such as `2026-11-21 10:00:00`.
    private static let timeColumns = 19
    /// Fewest columns for a name.
    private static let nameColumnsMin = 12

    /// The first names, and how many there are more.
    private static func names(_ all: [String]) -> String {
        let shown = all.prefix(3).joined(separator: ", ")
        return all.count > 3 ? "\(shown) and \(all.count - 3) more" : shown
    }

    /// The last column: the kind of change, its parents if they are not simply the line below, the
    /// conflicts that it resolved, and a new name. On a terminal, the name is cut, and omitted if the line has a column for the note.
    ///
    /// - Parameter columns: the columns for all of it; nil for no limit.
    private func what(_ entry: Entry, _ effects: UndoEffects, _ dots: ShortDots, columns: Int?) -> String {
        let (revision, older) = (entry.revision, entry.older)
        let isFirst = revision.parents.isNothing
        var words: [String] = []
        /// Adds the name after a word, cut to what the words leave of the columns.
        func append(_ word: String, _ name: NoteName) {
            let name = SafeText.line(name.description)
            let before = DisplayWidth.of(Style.stripped((words + [word]).joined(separator: ", "))) + 1
            words.append(
                "\(word) "
                    + (columns.map { DisplayWidth.fit(name, columns: max(Self.nameColumnsMin, $0 - before), fills: false) }
                        ?? name))
        }
        if !revision.withdraws.isEmpty {
            let (undone, redone) = effects.effect(of: revision)
            if !undone.isEmpty { words.append("undid " + Self.names(undone.map(dots.text))) }
            if !redone.isEmpty { words.append("redid " + Self.names(redone.map(dots.text))) }
            if revision.isDeleted { words.append(style.red("deleted")) }
        } else if revision.isDeleted {
            words.append(style.red("deleted"))
        } else if isFirst {
            words.append(style.green("created"))
        } else {
            words.append(revision.isPurge ? "purged" : revision.isStated ? "edited" : "saved")
        }
        if revision.parents.dots.count > 1 {
            words.append("merged " + revision.parents.dots.map(dots.text).joined(separator: " and "))
        } else if older != nil, !isFirst, let parent = revision.parents.single, parent != older?.dot {
            words.append("on \(dots.text(parent))")
        }
        if !revision.resolves.isEmpty {
            words.append("resolved " + (revision.resolves.count == 1 ? "a conflict" : "\(revision.resolves.count) conflicts"))
        }
        if !revision.isDeleted, isFirst || (older != nil && older?.isDeleted == false && older?.name != revision.name) {
            switch (revision.name, isFirst) {
            case (.some, _) where columns != nil && entry.note != nil: if !isFirst { words.append("renamed") }
            case (let name?, true): append("as", name)
            case (let name?, false): append("named", name)
            case (nil, true): break
            case (nil, false): words.append("name cleared")
            }
        }
        if revision.isWithdrawn { words.append(style.dim("undone")) }
        if sides.contains(revision.dot) { words.append(style.red("in conflict")) }
        if revision.isCompacted { words.append(style.dim("text compacted")) }
        return words.joined(separator: ", ")
    }
}
