import Causality
import Console
import NoteTasks
import NoteText
import NotesModel
import NotesWire
import TextMerge

/// A view that takes the note's place, other than the history.
enum BrowserView {
    /// Links or tags, of which the user chooses one.
    case choice(ChoicePane)
    /// The open conflicts of a note.
    case conflicts(ConflictPane)

    /// The word in the title line.
    var title: String {
        switch self {
        case .choice(let pane): pane.title
        case .conflicts: "conflicts"
        }
    }

    mutating func fit(width: Int, height: Int) {
        switch self {
        case .choice(var pane):
            pane.fit(height: height)
            self = .choice(pane)
        case .conflicts(var pane):
            pane.fit(width: width, height: height)
            self = .conflicts(pane)
        }
    }
}

/// A list of links or tags.
struct ChoicePane {
    struct Item: Hashable {
        let label: String
        let detail: String
        let choice: Choice
    }

    /// The effect of Enter on an item.
    enum Choice: Hashable {
        /// Goes to a note, and to an offset in the text of its version.
        case note(Head, offset: Int?)
        /// Searches for a tag.
        case tag(ByteString)
        /// Nothing, for this reason.
        case none(String)
    }

    let title: String
    let items: [Item]
    private(set) var cursor = 0
    private(set) var top = 0

    init(title: String, items: [Item]) {
        self.title = title
        self.items = items
    }

    /// The chosen item; nil if there is none.
    var chosen: Item? { items.isEmpty ? nil : items[cursor] }

    mutating func move(by count: Int) {
        let last = max(0, items.count - 1)
        cursor = min(max(0, cursor + min(max(count, -last), last)), last)
    }

    mutating func fit(height: Int) {
        let height = max(1, height)
        top = max(0, min(min(max(top, cursor - height + 1), cursor), items.count - height))
    }
}

/// The links out of a note and into it.
struct NoteLinks {
    let note: NoteID
    /// The links in the note's text, in order of position, each with the note that it means.
    let outgoing: [(link: Link, meaning: Head?)]
    /// The links that mean the note, newest linking note first.
    let incoming: [IncomingLinksResult.Link]
    /// Whether there are more links than these.
    let hasMore: Bool

    /// Most links read in each direction.
    static let linksMax = WireProtocol.listLimits.upperBound

    var pane: ChoicePane {
        var items = outgoing.map { link, meaning in
            let target = SafeText.line(link.target.description + (link.fragment.map { "#\($0)" } ?? ""))
            let label = meaning.map { SafeText.line(NoteLabel.of($0)) } ?? "no note"
            let choice = meaning.map { ChoicePane.Choice.note($0, offset: nil) } ?? .none("no note has the name \(target)")
            return ChoicePane.Item(label: "to \(label)", detail: target, choice: choice)
        }
        items += incoming.map { link in
            ChoicePane.Item(
                label: "from \(SafeText.line(NoteLabel.of(link.note.head)))",
                detail: SafeText.line(String(decoding: link.snippet, as: UTF8.self)),
                choice: .note(link.note.head, offset: link.range.lowerBound))
        }
        return ChoicePane(title: hasMore ? "the first links" : "links", items: items)
    }
}

extension ChoicePane {
    /// The tags of all notes, those of most notes first.
    init(tags: [TagCount]) {
        let sorted = tags.sorted { ($1.notes, $0.tag) < ($0.notes, $1.tag) }
        self.init(
            title: "tags",
            items: sorted.map {
                Item(label: "#\(SafeText.line($0.tag.description))", detail: "\($0.notes)", choice: .tag($0.tag))
            })
    }
}

/// The open conflicts of a note, one of which is shown with its sides.
struct ConflictPane {
    let note: NoteObject
    private(set) var cursor = 0
    private(set) var top = 0
    private(set) var lines: [NotePane.Line] = []
    /// The times of the sides, by the indices of their headings in `lines`.
    private(set) var times: [Int: Timestamp] = [:]
    /// The name of the user, whose sides are called theirs; nil if unknown.
    private let user: ByteString?

    /// - Parameter conflict: the conflict that is shown; the first if it is not open.
    init(_ note: NoteObject, showing conflict: ConflictID? = nil, user: ByteString? = nil) {
        self.note = note
        self.user = user
        cursor = note.conflicts.firstIndex { $0.id == conflict } ?? 0
    }

    /// The conflict that is shown; nil if none is open.
    var conflict: ConflictObject? { note.conflicts.isEmpty ? nil : note.conflicts[cursor] }

    /// Goes on by some conflicts, around the end.
    mutating func move(by count: Int) {
        guard !note.conflicts.isEmpty else { return }
        let open = note.conflicts.count
        (cursor, top) = (((cursor + count) % open + open) % open, 0)
    }

    mutating func scroll(by count: Int) { top += min(max(count, -lines.count), lines.count) }

    mutating func fit(width: Int, height: Int) {
        lines = wrappedLines(width: max(1, width))
        top = max(0, min(top, lines.count - height))
    }

    /// Whose side it is, and the program that wrote it.
    private func heading(_ side: ConflictSide) -> String {
        let isOwn = side.author.user == user
        let label = side.author.label.map { isOwn ? ", \($0)" : "" } ?? ""
        return (isOwn ? "yours\(label)" : "\(side.author.forPeople)") + (side.isWithdrawn ? ", undone" : "")
    }

    private mutating func wrappedLines(width: Int) -> [NotePane.Line] {
        times = [:]
        guard let conflict else { return [] }
        let place = ConflictReport.place(conflict, in: note.text ?? [])
        var lines = [NotePane.Line(glyphs: Glyph.line("\(cursor + 1) of \(note.conflicts.count): \(place)"), style: .bold)]
        for (number, side) in conflict.sides.enumerated() {
            lines += [NotePane.Line(), NotePane.Line(glyphs: Glyph.line("\(number + 1)  \(heading(side))"), style: .bold)]
            times[lines.count - 1] = side.modified
            lines += contentLines(side.content, width, CellStyle(colour: .green))
        }
        guard let base = conflict.detail?.base else { return lines }
        lines += [NotePane.Line(), NotePane.Line(glyphs: Glyph.line("before"), style: .dim)]
        return lines + contentLines(base, width, .dim)
    }

    private func contentLines(_ content: ConflictContent, _ width: Int, _ style: CellStyle) -> [NotePane.Line] {
        let texts: [String]
        if case .text(let text) = content, !text.isEmpty {
            texts = TextBlock.lines(text, indent: 0, linesMax: ConflictReport.linesMax)
        } else {
            texts = ["(\(ConflictReport.gist(content)))"]
        }
        return texts.flatMap { NotePane.lines(of: $0, width: max(1, width - 3), style: style) }.map { line in
            NotePane.Line(glyphs: Glyph.line("   ") + line.glyphs, style: line.style)
        }
    }
}
