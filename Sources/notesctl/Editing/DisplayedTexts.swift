import Causality
import TextMerge

/// Which texts of a note its file has had, and on which of them somebody's text was made.
///
/// An editor that has a file open shows what it read, whatever the file was rewritten with since; only it knows. That it read the file
/// again is no sign: editors do so to compare it, and show the old text still. So a text that it writes is one on the newest of which all
/// that came from elsewhere is in the text. Otherwise it is one on what was seen for sure, and what came from elsewhere is merged in
/// again: that may bring back what the user saw and took away before he saved it once, and never takes away what he did not see.
struct DisplayedTexts {
    struct Shown: Hashable {
        let version: Version
        let text: [UInt8]
    }

    /// The newest that was seen for sure.
    private(set) var seen: Shown
    /// What the file was rewritten with since, newest last.
    private(set) var rewritten: [Shown] = []

    /// More are not kept: what was seen for sure will do as well.
    static let rewrittenMax = 8

    init(_ shown: Shown) {
        seen = shown
    }

    /// What the file has now, as long as nobody else wrote it.
    var newest: Shown { rewritten.last ?? seen }

    mutating func rewrote(_ shown: Shown) {
        rewritten.append(shown)
        if rewritten.count > Self.rewrittenMax { rewritten.removeFirst() }
    }

    /// The editor wrote a text, which is this version now.
    mutating func saved(_ shown: Shown) {
        seen = shown
        rewritten = []
    }

    /// What a text was made on.
    ///
    /// - Complexity: that of two differences for each text that the file was rewritten with.
    func base(of text: [UInt8]) -> Shown {
        rewritten.last { Self.keepsAll(of: $0.text, from: seen.text, in: text) } ?? seen
    }

    /// Whether nothing of a change is undone in a text, if it was made on the changed one: nothing is missing that it brought, and no line
    /// is there again that it took away.
    static func keepsAll(of changed: [UInt8], from base: [UInt8], in text: [UInt8]) -> Bool {
        var brought: [Range<Int>] = []
        var shift = 0
        for edit in TextDiff.edits(from: base, to: changed) {
            let start = edit.start + shift
            brought.append(start..<start + edit.replacement.count)
            shift += edit.replacement.count - (edit.end - edit.start)
        }
        let keepsBrought = TextDiff.edits(from: changed, to: text).allSatisfy { edit in
            !brought.contains { $0.overlaps(edit.start..<edit.end) }
        }
        guard keepsBrought else { return false }
        let (before, after, now) = (lineCounts(base), lineCounts(changed), lineCounts(text))
        return before.allSatisfy { line, count in
            let left = after[line, default: 0]
            return left >= count || now[line, default: 0] <= left
        }
    }

    private static func lineCounts(_ text: [UInt8]) -> [ArraySlice<UInt8>: Int] {
        let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return lines.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }
}
