package import Console
import TextMerge

/// The difference of two texts in the unified format of POSIX `diff -u`, which `patch` reads.
package struct UnifiedDiff {
    package struct Line: Hashable {
        package enum Kind {
            /// The name of a text.
            case file
            /// The header of a group of changes: `@@ -1,3 +1,4 @@`.
            case place
            case same
            case removed
            case added
            /// `\ No newline at end of file`, about the line before.
            case remark
        }

        package let kind: Kind
        /// The line with its leading mark, without an LF.
        package let bytes: [UInt8]
    }

    /// Unchanged lines shown around a change.
    static let contextLines = 3

    /// The lines of the difference; empty if the texts are equal.
    ///
    /// - Parameter names: the names of the old and the new text, without the leading marks.
    /// - Complexity: that of `LineDiff`.
    package static func lines(from base: [UInt8], to text: [UInt8], names: (String, String)) -> [Line] {
        let old = Lines(base)
        let new = Lines(text)
        let groups = groups(LineDiff.hunks(old, new))
        guard !groups.isEmpty else { return [] }
        let header = [Line(.file, "--- \(names.0)"), Line(.file, "+++ \(names.1)")]
        return header + groups.flatMap { lines($0, old, new) }
    }

    /// Groups changes whose context lines would touch.
    private static func groups(_ hunks: [LineHunk]) -> [[LineHunk]] {
        hunks.reduce(into: []) { groups, hunk in
            if let last = groups.last?.last, hunk.old.lowerBound - last.old.upperBound <= 2 * contextLines {
                groups[groups.count - 1].append(hunk)
            } else {
                groups.append([hunk])
            }
        }
    }

    private static func lines(_ group: [LineHunk], _ old: Lines, _ new: Lines) -> [Line] {
        guard let first = group.first, let last = group.last else { return [] }
        let before = min(contextLines, first.old.lowerBound)
        let after = min(contextLines, old.count - last.old.upperBound)
        let oldRange = first.old.lowerBound - before..<last.old.upperBound + after
        let newRange = first.new.lowerBound - before..<last.new.upperBound + after
        var lines = [Line(.place, "@@ -\(span(oldRange)) +\(span(newRange)) @@")]
        var next = oldRange.lowerBound
        for hunk in group {
            for line in next..<hunk.old.lowerBound { lines += Self.line(.same, old[line]) }
            for line in hunk.old { lines += Self.line(.removed, old[line]) }
            for line in hunk.new { lines += Self.line(.added, new[line]) }
            next = hunk.old.upperBound
        }
        for line in next..<oldRange.upperBound { lines += Self.line(.same, old[line]) }
        return lines
    }

    /// A range in the format's notation: the first line and the number of lines. The number is
    /// omitted if it is 1; an empty range names the line before it.
    private static func span(_ lines: Range<Int>) -> String {
        switch lines.count {
        case 0: "\(lines.lowerBound),0"
        case 1: "\(lines.lowerBound + 1)"
        default: "\(lines.lowerBound + 1),\(lines.count)"
        }
    }

    private static func line(_ kind: Line.Kind, _ text: ArraySlice<UInt8>) -> [Line] {
        let mark: UInt8 =
            switch kind {
            case .removed: UInt8(ascii: "-")
            case .added: UInt8(ascii: "+")
            case .same, .file, .place, .remark: UInt8(ascii: " ")
            }
        guard text.last == UInt8(ascii: "\n") else {
            return [Line(kind: kind, bytes: [mark] + text), Line(.remark, "\\ No newline at end of file")]
        }
        return [Line(kind: kind, bytes: [mark] + text.dropLast())]
    }
}

extension UnifiedDiff.Line {
    fileprivate init(_ kind: Kind, _ text: String) {
        self.init(kind: kind, bytes: Array(text.utf8))
    }

    /// The line styled and escaped for a terminal.
    package func shown(_ style: Style) -> String {
        let text = SafeText.text(String(decoding: bytes, as: UTF8.self))
        return switch kind {
        case .file: style.bold(text)
        case .place: style.cyan(text)
        case .removed: style.red(text)
        case .added: style.green(text)
        case .remark: style.dim(text)
        case .same: text
        }
    }
}
