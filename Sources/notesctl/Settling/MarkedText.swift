import NotesModel
import NotesWire
import TextMerge

/// A note's text in which, in the place of each conflict, all sides stand between markers, as diff3 and git write them:
///
///     <<<<<<< 9f86d0:12 ada/laptop
///     Milk, 2 l
///     ||||||| base
///     Milk
///     =======
///     Milk (oat)
///     >>>>>>> 9f86d1:3 bob/phone
///
/// Of more than two sides, those in the middle have their names on the `=======` in front of them.
///
/// Invariant: outside the places of conflicts it is the text that the note shows.
struct MarkedText {
    let bytes: [UInt8]
    /// The conflicts that are marked: those of texts whose sides were told, but for one that reaches into another.
    let marked: [ConflictObject]
    /// How many lines the texts themselves have that look like a marker.
    private var native: [Marker: Int] = [:]

    enum Marker: CaseIterable {
        case start, base, middle, end

        /// Nil where the line, without its LF, is none.
        init?(_ line: ArraySlice<UInt8>) {
            let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
            guard let marker = Self.allCases.first(where: { line.starts(with: $0.sign) }) else { return nil }
            let rest = line.dropFirst(marker.sign.count)
            guard rest.first == UInt8(ascii: " ") || marker == .middle && rest.isEmpty else { return nil }
            self = marker
        }

        var sign: [UInt8] { Array(repeating: letter, count: 7) }

        private var letter: UInt8 {
            switch self {
            case .start: UInt8(ascii: "<")
            case .base: UInt8(ascii: "|")
            case .middle: UInt8(ascii: "=")
            case .end: UInt8(ascii: ">")
            }
        }
    }

    init(_ text: [UInt8], _ conflicts: [ConflictObject]) {
        marked = Self.apart(conflicts)
        let dots = ShortDots(marked.flatMap(\.sides).map(\.dot))
        var writer = Writer()
        var end = 0
        for conflict in marked {
            writer.add(text[end..<conflict.range.lowerBound])
            writer.add(conflict, dots)
            end = conflict.range.upperBound
        }
        writer.add(text[end...])
        bytes = writer.bytes
        native = writer.native
    }

    /// Those of the text, in their order, each of which ends before the next begins.
    private static func apart(_ conflicts: [ConflictObject]) -> [ConflictObject] {
        let inText = conflicts.filter { $0.kind == .text && $0.sides.count >= 2 }
        return inText.sorted { ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound) }
            .reduce(into: []) { apart, conflict in
                if conflict.range.lowerBound >= apart.last?.range.upperBound ?? 0 { apart.append(conflict) }
            }
    }

    /// The lines, from 1, of markers that somebody left in; empty where there are no more than the texts had of their own.
    func markersLeft(in edited: [UInt8]) -> [Int] {
        var found: [Marker: [Int]] = [:]
        for (index, line) in edited.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
            if let marker = Marker(line) { found[marker, default: []].append(index + 1) }
        }
        return found.filter { $0.value.count > native[$0.key, default: 0] }.flatMap(\.value).sorted()
    }

    private struct Writer {
        var bytes: [UInt8] = []
        var native: [Marker: Int] = [:]

        mutating func add(_ text: ArraySlice<UInt8>) {
            bytes += text
            for line in text.split(separator: UInt8(ascii: "\n")) {
                if let marker = Marker(line) { native[marker, default: 0] += 1 }
            }
        }

        mutating func add(_ conflict: ConflictObject, _ dots: ShortDots) {
            for (index, side) in conflict.sides.enumerated() {
                let name = "\(dots.text(side.dot)) \(SafeText.line(side.author.forPeople))"
                let isLast = index == conflict.sides.count - 1
                if index == 0 { mark(.start, name) } else { mark(.middle, isLast ? "" : name) }
                addLines(side.content)
                if index == 0 {
                    mark(.base, "base")
                    if let base = conflict.detail?.base { addLines(base) }
                }
                if isLast { mark(.end, name) }
            }
        }

        /// A marker begins a line, so a text without its last LF gets one.
        private mutating func addLines(_ content: ConflictContent) {
            guard case .text(let text) = content, let last = text.last else { return }
            add(text[...])
            if last != UInt8(ascii: "\n") { bytes.append(UInt8(ascii: "\n")) }
        }

        private mutating func mark(_ marker: Marker, _ name: String) {
            // What the note shows before it may lack its LF.
            if let last = bytes.last, last != UInt8(ascii: "\n") { bytes.append(UInt8(ascii: "\n")) }
            bytes += marker.sign + Array((name.isEmpty ? "\n" : " \(name)\n").utf8)
        }
    }
}
