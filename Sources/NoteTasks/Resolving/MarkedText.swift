import NotesModel
package import NotesWire
import TextMerge

/// A note's text with each text conflict written out between markers, as diff3 and git do:
///
///     <<<<<<< 9f86d0:12 ada/laptop
///     Milk, 2 l
///     ||||||| before (remove this part too)
///     Milk
///     =======
///     Milk (oat)
///     >>>>>>> 9f86d1:3 bob/phone
///
/// With more than two sides, each side in the middle is named on the `=======` before it.
///
/// Invariant: outside the conflicts' ranges, the bytes are those of the merged text.
package struct MarkedText {
    package let bytes: [UInt8]
    /// The conflicts marked: text conflicts with known sides, except those that overlap an earlier
    /// one.
    package let marked: [ConflictObject]
    /// The number of lines in the texts themselves that look like each marker.
    private var native: [Marker: Int] = [:]

    /// The kinds of marker lines.
    enum Marker: CaseIterable {
        case start, base, middle, end

        /// Returns nil if the line, without its LF, is not a marker.
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

    package init(_ text: [UInt8], _ conflicts: [ConflictObject]) {
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

    /// The text conflicts in order of position, without those that overlap an earlier one.
    private static func apart(_ conflicts: [ConflictObject]) -> [ConflictObject] {
        let inText = conflicts.filter { $0.kind == .text && $0.sides.count >= 2 }
        return inText.sorted { ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound) }
            .reduce(into: []) { apart, conflict in
                if conflict.range.lowerBound >= apart.last?.range.upperBound ?? 0 { apart.append(conflict) }
            }
    }

    /// The line numbers, from 1, of markers still in an edited text. For each kind of marker, empty
    /// if there are no more than the texts contained before.
    package func markersLeft(in edited: [UInt8]) -> [Int] {
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
                let name = ConflictReport.heading(side, dots.text(side.dot))
                let isLast = index == conflict.sides.count - 1
                if index == 0 { mark(.start, name) } else { mark(.middle, isLast ? "" : name) }
                addLines(side.content)
                if index == 0 {
                    mark(.base, "before (remove this part too)")
                    if let base = conflict.detail?.base { addLines(base) }
                }
                if isLast { mark(.end, name) }
            }
        }

        /// Adds a side's text. The marker after it must begin a line, so a text without a final LF
        /// gets one.
        private mutating func addLines(_ content: ConflictContent) {
            guard case .text(let text) = content, let last = text.last else { return }
            add(text[...])
            if last != UInt8(ascii: "\n") { bytes.append(UInt8(ascii: "\n")) }
        }

        private mutating func mark(_ marker: Marker, _ name: String) {
            // The merged text before the conflict may lack a final LF.
            if let last = bytes.last, last != UInt8(ascii: "\n") { bytes.append(UInt8(ascii: "\n")) }
            bytes += marker.sign + Array((name.isEmpty ? "\n" : " \(name)\n").utf8)
        }
    }
}
