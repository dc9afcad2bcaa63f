import Console
import NoteTasks
import NoteText
import NotesModel
import NotesWire

/// The output of `list`: one line per note, in columns that fit the terminal.
struct NoteTable {
    let now: Timestamp
    let local: (Timestamp) -> CalendarTime
    /// The width of the terminal; nil if the output is not a terminal, so nothing is cut.
    let columns: Int?
    let style: Style

    /// Terminal width below which sizes are omitted and the conflict mark is `!`.
    private static let sizeColumnsMin = 60
    /// Terminal width below which ids are omitted too.
    private static let idColumnsMin = 50

    /// - Parameter hasHeading: whether the first line names the columns.
    /// - Complexity: O(n log n), for the ids.
    func lines(_ notes: [Head], inConflict: Set<NoteID> = [], hasHeading: Bool = false) -> [String] {
        let available = columns ?? .max
        let hasSize = available >= Self.sizeColumnsMin
        let idLength = available < Self.idColumnsMin ? 0 : ShortID.length(for: notes.map(\.id))
        let times = notes.map { RelativeTime.relative($0.modified, now: now, local: local($0.modified)) }
        let sizes = hasSize ? notes.map { ByteCount.text($0.file?.bytes ?? $0.bytes) } : notes.map { _ in "" }
        let labels = notes.map { SafeText.line(NoteLabel.of($0)) }
        let mark = hasSize ? "in conflict" : "!"
        func width(_ texts: [String], _ heading: String) -> Int {
            max(texts.map(DisplayWidth.of).max() ?? 0, hasHeading ? heading.count : 0)
        }
        let timeWidth = width(times, Self.headings.time)
        let sizeWidth = hasSize ? width(sizes, Self.headings.size) : 0
        let after = [timeWidth, sizeWidth, idLength].filter { $0 > 0 }.map { $0 + Self.gap.count }.reduce(0, +)
        let labelWidth = max(labelWidth(labels, used: after), hasHeading ? min(Self.headings.name.count, available) : 0)
        func line(_ label: String, _ time: String, _ size: String, _ id: String) -> String {
            [
                label, DisplayWidth.fit(time, columns: timeWidth),
                String(repeating: " ", count: max(0, sizeWidth - size.count)) + size, id,
            ].filter { !$0.isEmpty }.joined(separator: Self.gap)
        }
        let rows = notes.indices.map { index in
            let note = notes[index]
            let label = DisplayWidth.fitMiddle(labels[index], columns: labelWidth)
            let front = line(
                note.name == nil ? label : style.bold(label), times[index], sizes[index],
                style.dim(ShortID.text(note.id, idLength)))
            var rest = columns.map { max(0, $0 - after - labelWidth) }
            var end = ""
            if inConflict.contains(note.id), (rest ?? .max) >= Self.gap.count + mark.count {
                end = Self.gap + style.red(mark)
                rest = rest.map { $0 - Self.gap.count - mark.count }
            }
            let tail = tail(note, rest.map { max(0, $0 - Self.gap.count) })
            return Self.trimmed(front + end + (tail.isEmpty ? "" : Self.gap + tail))
        }
        guard hasHeading, !notes.isEmpty else { return rows }
        let heading = line(
            DisplayWidth.fit(Self.headings.name, columns: labelWidth), Self.headings.time,
            hasSize ? Self.headings.size : "", DisplayWidth.fit(idLength > 0 ? Self.headings.id : "", columns: idLength))
        let title = Self.gap + Self.headings.title
        let hasTitle = available >= after + labelWidth + title.count
        return [style.dim(Self.trimmed(heading + (hasTitle ? title : "")))] + rows
    }

    private static let headings = (name: "NAME", time: "CHANGED", size: "SIZE", id: "ID", title: "TITLE")

    /// The space between columns.
    private static let gap = "  "

    /// The width of the label column: as wide as the widest label, but on a terminal at most three
    /// fifths of the space that remains, so that titles and tags get the rest.
    private func labelWidth(_ labels: [String], used: Int) -> Int {
        let widest = labels.map(DisplayWidth.of).max() ?? 0
        guard let columns else { return widest }
        return min(widest, max(12, (columns - used) * 3 / 5), max(1, columns - used))
    }

    /// The title, if the label column shows the name, and the tags.
    private func tail(_ note: Head, _ columns: Int?) -> String {
        let title = note.name == nil ? "" : note.file == nil ? SafeText.line(note.title.description) : FileType.of(note.name)
        let tags = note.tags.map { "#\(SafeText.line($0.description))" }.joined(separator: " ")
        guard let columns else { return [title, tags].filter { !$0.isEmpty }.joined(separator: "  ") }
        let tagText = DisplayWidth.fit(
            tags, columns: min(columns, max(columns / 3, columns - DisplayWidth.of(title) - 2)), fills: false)
        let remaining = max(0, columns - (tagText.isEmpty ? 0 : DisplayWidth.of(tagText) + 2))
        let titleText = DisplayWidth.fit(title, columns: remaining, fills: false)
        return [titleText, style.cyan(tagText)].filter { !$0.isEmpty }.joined(separator: "  ")
    }

    private static func trimmed(_ line: String) -> String {
        String(line.reversed().drop { $0 == " " }.reversed())
    }
}
