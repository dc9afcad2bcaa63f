import NotesModel
import NotesWire

/// What a live watch shows: who wrote where last, and what changed, newest first. It is told the time.
struct LiveList {
    struct Change {
        let time: Timestamp
        let word: ChangeWord
        let label: String
        let by: String
        let bytes: Int?
        let count: UInt64
    }

    private struct Writer {
        let label: String
        let time: Timestamp
        let changes: UInt64
    }

    let started: Timestamp
    private(set) var changes: [Change] = []
    private var writers: [String: Writer] = [:]
    private var total: UInt64 = 0
    /// Who is connected, as far as that is known.
    var connections: Int?
    /// What the watch itself has to say.
    var sentence: String?

    /// Most changes that are held; the screen has fewer rows.
    static let changesMax = 500
    /// Who wrote last so long ago is shown no more.
    static let writerSeconds: Int64 = 600

    init(started: Timestamp) {
        self.started = started
    }

    mutating func changed(_ change: NoteChanged, label: String, at now: Timestamp) {
        var by = ""
        var bytes: Int?
        if case .shown(let note) = change.note {
            let user = note.head.author.user.description
            let program = (change.origin?.label ?? note.head.author.label).map { "/\($0)" } ?? ""
            by = user + program
            if !note.head.isDeleted { bytes = note.head.bytes }
        }
        let count = UInt64(max(1, change.changes))
        if !by.isEmpty, change.change != .snapshot {
            total = total &+ count
            let before = writers[by]?.changes ?? 0
            writers[by] = Writer(label: label, time: now, changes: before &+ count)
        }
        changes.insert(Change(time: now, word: change.change, label: label, by: by, bytes: bytes, count: count), at: 0)
        if changes.count > Self.changesMax { changes.removeLast() }
        writers = writers.filter { (now.milliseconds - $0.value.time.milliseconds) / 1_000 <= Self.writerSeconds }
    }

    /// As many lines as there are rows at most, each as wide as there are columns at most.
    func lines(rows: Int, columns: Int, now: Timestamp, local: (Timestamp) -> CalendarTime, style: Style) -> [String] {
        var lines = [style.bold(fit(heading(local), columns))]
        if let sentence { lines.append(style.red(fit(sentence, columns))) }
        let active = writers.sorted { ($1.value.time.milliseconds, $0.key) < ($0.value.time.milliseconds, $1.key) }
        if !active.isEmpty {
            lines += ["", style.dim(fit("WHO", columns))]
            let width = min(active.map { DisplayWidth.of(SafeText.line($0.key)) }.max() ?? 0, max(8, columns / 3), columns)
            // Half of the screen at most.
            for (by, writer) in active.prefix(max(1, rows / 2 - 4)) {
                let ago = Self.ago(writer.time, now)
                let name = DisplayWidth.fit(SafeText.line(by), columns: width)
                let rest = fit("\(SafeText.line(writer.label)), \(ago), \(writer.changes)×", max(0, columns - width - 2))
                lines.append(style.cyan(name) + (rest.isEmpty ? "" : "  " + rest))
            }
        }
        lines += ["", style.dim(fit("WHAT", columns))]
        if changes.isEmpty { lines.append(style.dim(fit("nothing yet", columns))) }
        for change in changes.prefix(max(0, rows - lines.count)) { lines.append(line(change, columns, local, style)) }
        return Array(lines.prefix(max(1, rows)))
    }

    private func heading(_ local: (Timestamp) -> CalendarTime) -> String {
        let connected = connections.map { "\($0) connected, " } ?? ""
        return "notes, live: \(connected)\(total) changes since \(local(started).clock); Ctrl-C ends"
    }

    private func line(_ change: Change, _ columns: Int, _ local: (Timestamp) -> CalendarTime, _ style: Style) -> String {
        let clock = local(change.time).clock
        let word = DisplayWidth.fit(change.word.rawValue, columns: WatchLine.wordColumns)
        let size = change.bytes.map { ", " + Size.text($0) } ?? ""
        let count = change.count > 1 ? ", \(change.count) changes" : ""
        let by = change.by.isEmpty ? "" : ", by \(SafeText.line(change.by))"
        let front = clock.count + 2 + WatchLine.wordColumns + 2
        guard columns > front else { return fit("\(clock)  \(word)", columns) }
        let room = columns - front
        let label = fit(SafeText.line(change.label), room)
        let rest = fit(size + by + count, room - DisplayWidth.of(label))
        let painted = WatchLine(style: style).painted(word, as: change.word)
        return style.dim(clock) + "  " + painted + "  " + style.bold(label) + rest
    }

    private func fit(_ text: String, _ columns: Int) -> String { DisplayWidth.fit(text, columns: columns, fills: false) }

    private static func ago(_ time: Timestamp, _ now: Timestamp) -> String {
        let seconds = max(0, (now.milliseconds - time.milliseconds) / 1_000)
        return seconds < 5 ? "now" : seconds < 60 ? "\(seconds) s ago" : "\(seconds / 60) min ago"
    }
}
