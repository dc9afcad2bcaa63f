import Causality
import NotesModel
import NotesWire

/// `history`: one line a revision.
struct HistoryTable {
    let local: (Timestamp) -> CalendarTime
    let style: Style

    /// - Parameter revisions: newest first.
    func lines(_ revisions: [RevisionSummary]) -> [String] {
        let dots = ShortDots(revisions.map(\.dot))
        let rows = revisions.enumerated().map { index, revision in
            let older = revisions.dropFirst(index + 1).first
            return Row(
                dot: dots.text(revision.dot), author: SafeText.line(revision.author.forPeople), size: Size.text(revision.bytes),
                what: what(revision, older: older, isFirst: revision.parents.isNothing, dots))
        }
        let dotWidth = rows.map(\.dot.count).max() ?? 0
        let authorWidth = rows.map { DisplayWidth.of($0.author) }.max() ?? 0
        let sizeWidth = rows.map(\.size.count).max() ?? 0
        return zip(rows, revisions).map { row, revision in
            let time = local(revision.time)
            return [
                style.yellow(DisplayWidth.fit(row.dot, columns: dotWidth)), "\(time.day) \(time.clock)",
                DisplayWidth.fit(row.author, columns: authorWidth),
                String(repeating: " ", count: sizeWidth - row.size.count) + row.size, row.what,
            ].joined(separator: "  ")
        }
    }

    private struct Row {
        let dot: String
        let author: String
        let size: String
        let what: String
    }

    private func what(_ revision: RevisionSummary, older: RevisionSummary?, isFirst: Bool, _ dots: ShortDots) -> String {
        var words: [String] = []
        if revision.isDeleted {
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
        return words.joined(separator: ", ")
    }
}
