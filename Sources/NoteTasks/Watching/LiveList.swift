import Console
import NoteText
import NotesModel
import NotesWire

/// The contents of a live watch: who is in which note, who wrote where last, and the changes,
/// newest first. Callers pass the time.
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

    /// A client's presence in a note, as it announced.
    private struct Reader {
        let name: String
        let label: String
        /// Selected bytes.
        let selected: Int
    }

    let started: Timestamp
    private(set) var changes: [Change] = []
    private var writers: [String: Writer] = [:]
    private var readers: [DependentID: Reader] = [:]
    private var total: UInt64 = 0
    /// The number of connections; nil if unknown.
    var connections: Int?
    /// A message about the watch itself, such as a lost connection.
    var sentence: String?

    /// Most changes kept; a screen has fewer rows.
    static let changesMax = 500
    /// Seconds after which a writer is dropped from the list.
    static let writerSeconds: Int64 = 600

    init(started: Timestamp) {
        self.started = started
    }

    /// Records a change of a note.
    mutating func changed(_ change: NoteChanged, label: String, at now: Timestamp) {
        var by = ""
        var bytes: Int?
        if case .shown(let note) = change.note {
            by = Self.name(note.head.author.user, change.origin?.label ?? note.head.author.label)
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

    /// Records a change of a client's presence.
    ///
    /// - Parameter label: the note's label.
    mutating func present(_ presence: PresenceChanged, label: String) {
        guard let place = presence.place else {
            readers[presence.dependent] = nil
            return
        }
        let selected = place.selection.map { $0.end - $0.start } ?? 0
        readers[presence.dependent] = Reader(
            name: Self.name(presence.user.shown, presence.label), label: label, selected: selected)
    }

    /// Clears all presence, because the daemon will send it again.
    mutating func forgetPresence() {
        readers = [:]
    }

    private static func name(_ user: ByteString, _ program: ByteString?) -> String {
        user.description + (program.map { "/\($0)" } ?? "")
    }

    /// The lines to draw: at most `rows`, each at most `columns` wide.
    func lines(rows: Int, columns: Int, now: Timestamp, local: (Timestamp) -> CalendarTime, style: Style) -> [String] {
        var lines = [style.bold(fit(heading(local), columns))]
        if let sentence { lines.append(style.red(fit(sentence, columns))) }
        let active = people(now)
        if !active.isEmpty {
            lines += ["", style.dim(fit("ACTIVE", columns))]
            let width = min(active.map { DisplayWidth.of(SafeText.line($0.name)) }.max() ?? 0, max(8, columns / 3), columns)
            // At most half of the screen.
            for (by, does) in active.prefix(max(1, rows / 2 - 4)) {
                let name = DisplayWidth.fit(SafeText.line(by), columns: width)
                let rest = fit(SafeText.line(does), max(0, columns - width - 2))
                lines.append(style.cyan(name) + (rest.isEmpty ? "" : "  " + rest))
            }
        }
        lines += ["", style.dim(fit("CHANGES", columns))]
        if changes.isEmpty { lines.append(style.dim(fit("nothing yet", columns))) }
        for change in changes.prefix(max(0, rows - lines.count)) { lines.append(line(change, columns, local, style)) }
        return Array(lines.prefix(max(1, rows)))
    }

    /// Clients with a note open, then recent writers without one, newest first.
    private func people(_ now: Timestamp) -> [(name: String, does: String)] {
        let here = readers.sorted { ($0.value.name, $0.key) < ($1.value.name, $1.key) }.map { _, reader in
            let selected = reader.selected > 0 ? ", \(ByteCount.text(reader.selected)) selected" : ""
            let wrote = writers[reader.name].map { writer in
                let place = writer.label == reader.label ? "" : " \(writer.label)"
                return ", wrote\(place) \(Self.ago(writer.time, now)), \(writer.changes)×"
            }
            return (name: reader.name, does: "in \(reader.label)\(selected)\(wrote ?? "")")
        }
        let names = Set(readers.values.map(\.name))
        let others = writers.filter { !names.contains($0.key) }
            .sorted { ($1.value.time.milliseconds, $0.key) < ($0.value.time.milliseconds, $1.key) }
        return here + others.map { ($0.key, "\($0.value.label), \(Self.ago($0.value.time, now)), \($0.value.changes)×") }
    }

    private func heading(_ local: (Timestamp) -> CalendarTime) -> String {
        let connected = connections.map { "\($0) connected, " } ?? ""
        return "live: \(connected)\(counted(total, "change")) since \(local(started).clock); Ctrl-C to quit"
    }

    private func line(_ change: Change, _ columns: Int, _ local: (Timestamp) -> CalendarTime, _ style: Style) -> String {
        let clock = local(change.time).clock
        let word = DisplayWidth.fit(change.word.rawValue, columns: WatchLine.wordColumns)
        let size = change.bytes.map { ", " + ByteCount.text($0) } ?? ""
        let count = change.count > 1 ? ", " + counted(change.count, "change") : ""
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
