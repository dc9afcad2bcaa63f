import Causality
package import Console
import NoteText
package import NotesModel
package import NotesWire
import TextMerge

/// A report of conflicts for display: where they are, what each side wrote, and the commands that
/// resolve them.
package struct ConflictReport {
    let local: (Timestamp) -> CalendarTime
    let style: Style

    package init(local: @escaping (Timestamp) -> CalendarTime, style: Style) {
        self.local = local
        self.style = style
    }

    /// Most lines shown of one side.
    package static let linesMax = 40

    /// The full report, one block per conflict, with blank lines between.
    ///
    /// - Parameter text: the merged text, which the conflicts' ranges refer to.
    package func lines(_ conflicts: [ConflictObject], of note: Head, text: [UInt8]) -> [String] {
        let ids = ShortConflicts(conflicts)
        let dots = ShortDots(conflicts.flatMap(\.sides).map(\.dot))
        var lines: [String] = []
        for conflict in conflicts {
            lines.append("\(style.yellow(ids.text(conflict.id)))  \(style.bold(Self.place(conflict, in: text)))")
            for side in conflict.sides {
                let time = local(side.modified)
                let who = SafeText.line(side.author.forPeople)
                let undone = side.isWithdrawn ? ", undone" : ""
                lines.append("    \(style.yellow(dots.text(side.dot)))\(undone)  \(time.day) \(time.clock)  \(who)")
                lines += contentLines(side.content, style: style.green)
            }
            if let base = conflict.detail?.base {
                lines.append("    " + style.dim("before"))
                lines += contentLines(base, style: style.dim)
            }
            lines += [""] + advice(conflict, of: note, dots, id: conflicts.count > 1 ? ids.text(conflict.id) : nil) + [""]
        }
        return Array(lines.dropLast())
    }

    /// The lines below the heading of one side.
    private func contentLines(_ content: ConflictContent, style: (String) -> String) -> [String] {
        switch content {
        case .deleted: return ["        " + style("deleted the note")]
        case .name(let name?): return ["        " + style("named it \(SafeText.line(name.description))")]
        case .name(nil): return ["        " + style("gave it no name")]
        case .text(let text):
            if text.isEmpty { return ["        " + self.style.dim("(nothing)")] }
            return TextBlock.lines(text, indent: 8, linesMax: Self.linesMax).map(style)
        }
    }

    private func advice(_ conflict: ConflictObject, of note: Head, _ dots: ShortDots, id: String?) -> [String] {
        let command = Self.command(note, id)
        let sides = Self.dots(of: conflict.sides, dots).joined(separator: " or ")
        let ways: [(String, String)] =
            switch conflict.kind {
            case .text:
                [
                    ("--take DOT", "keep one side: \(sides)"), ("--both", "keep both, as the note has them"),
                    ("--edit", "edit it, with the sides between markers"),
                ]
            case .name: [("--take DOT", "use one side's name: \(sides)"), ("--both", "keep the current name")]
            case .deletion:
                conflict.sides.filter { $0.content == .deleted }.map { ("--take \(dots.text($0.dot))", "delete the note") }
                    + [("--both", "keep it")]
            }
        let width = ways.map(\.0.count).max() ?? 0
        return ways.map { way, result in
            "    \(command) \(DisplayWidth.fit(way, columns: width))  \(style.dim(result))"
        }
    }

    /// The command that resolves a conflict, without the option that says how.
    ///
    /// - Parameter id: the conflict's short id; nil if it is the note's only one.
    static func command(_ note: Head, _ id: String?) -> String {
        "notesctl resolve \(NoteLabel.reference(note))" + (id.map { " --conflict \($0)" } ?? "")
    }

    /// The kind of a conflict and, for a text, its lines.
    package static func place(_ conflict: ConflictObject, in text: [UInt8]) -> String {
        switch conflict.kind {
        case .text: "text, \(LinePlace.words(conflict.range, in: text))"
        case .name: "name"
        case .deletion: "deletion"
        }
    }
}

// MARK: - In short

extension ConflictReport {
    /// A short report after a save: the place of each conflict and a line per side.
    func shortLines(_ conflicts: [ConflictObject], of note: Head, text: [UInt8]) -> [String] {
        let dots = ShortDots(conflicts.flatMap(\.sides).map(\.dot))
        var lines: [String] = []
        for conflict in conflicts {
            lines.append("  " + style.bold(Self.place(conflict, in: text)))
            lines += conflict.sides.map { side in
                "    \(Self.heading(side, style.yellow(dots.text(side.dot)))): \(Self.gist(side.content))"
            }
        }
        let reference = NoteLabel.reference(note)
        let ways = conflicts.contains { $0.kind == .text } ? "--take DOT, --both or --edit" : "--take DOT or --both"
        return lines + [
            "  `notesctl conflicts \(reference)` shows the details; `notesctl resolve \(reference)` resolves it with \(ways)"
        ]
    }

    /// The dot and the writer of a side. An undone side shows what its revision had replaced, which is
    /// not the writer's text.
    static func heading(_ side: ConflictSide, _ dot: String) -> String {
        side.isWithdrawn ? "\(dot), undone" : "\(dot) \(SafeText.line(side.author.forPeople))"
    }

    /// The dots of the sides, for lists of what can be taken.
    static func dots(of sides: [ConflictSide], _ short: ShortDots) -> [String] {
        sides.map { short.text($0.dot) + ($0.isWithdrawn ? " (undone)" : "") }
    }

    /// One side on one line: the first line of its text and the number of lines.
    package static func gist(_ content: ConflictContent) -> String {
        switch content {
        case .deleted: return "deleted the note"
        case .name(let name?): return "named it \(SafeText.line(name.description))"
        case .name(nil): return "gave it no name"
        case .text(let text):
            let lines = Lines(text)
            guard lines.count > 0 else { return "nothing" }
            let first = TextBlock.lines(Array(lines[0]), indent: 0, linesMax: 1).first ?? ""
            let short = DisplayWidth.fit(first, columns: 60, fills: false)
            return lines.count == 1 ? short : "\(short) (\(lines.count) lines)"
        }
    }
}

extension ConflictObject {
    /// The sides; empty if the daemon sent the conflict without details, as in lists.
    package var sides: [ConflictSide] { detail?.sides ?? [] }
}

/// Short forms of conflict ids that are unique within one note.
struct ShortConflicts {
    /// Hexadecimal digits of a short id.
    let digits: Int

    static let digitsMin = 8

    init(_ conflicts: [ConflictObject]) {
        let ids = conflicts.map(\.id).sorted().map { Array($0.description.utf8) }
        digits = zip(ids, ids.dropFirst()).reduce(Self.digitsMin) { digits, pair in
            max(digits, zip(pair.0, pair.1).prefix { $0 == $1 }.count + 1)
        }
    }

    func text(_ id: ConflictID) -> String { String(id.description.prefix(digits)) }
}
