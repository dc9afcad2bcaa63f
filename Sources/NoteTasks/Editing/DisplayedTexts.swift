import Causality
import TextMerge

/// The texts that the edited file has held, used to decide which of them the editor's next save is
/// based on.
///
/// After the file is rewritten, the editor may still show the older text; only the editor knows.
/// Even reading the file again proves nothing: editors reread a file to compare it and keep showing
/// the old text. So a save counts as based on a rewritten text only if it contains every change
/// which that text brought. Otherwise it is based on the last text that the editor certainly
/// showed, and the changes by others are merged in again. That may bring back text which the user
/// saw and deleted before the first save, but it never removes text that the user has not seen.
struct DisplayedTexts {
    /// A version of the note and its text.
    struct Shown: Hashable {
        let version: Version
        let text: [UInt8]
    }

    /// The newest text that the editor certainly showed.
    private(set) var seen: Shown
    /// The texts that the file was rewritten with since, newest last.
    private(set) var rewritten: [Shown] = []

    /// Most texts kept in `rewritten`; older ones are dropped, and `seen` takes their place.
    static let rewrittenMax = 8

    init(_ shown: Shown) {
        seen = shown
    }

    /// The content of the file, provided that only notesctl has written it since.
    var newest: Shown { rewritten.last ?? seen }

    /// Records that notesctl rewrote the file with a text.
    mutating func rewrote(_ shown: Shown) {
        rewritten.append(shown)
        if rewritten.count > Self.rewrittenMax { rewritten.removeFirst() }
    }

    /// Records that the editor wrote this text and it was saved as this version.
    mutating func saved(_ shown: Shown) {
        seen = shown
        rewritten = []
    }

    /// The text that a save is based on.
    ///
    /// - Complexity: two differences for each text in `rewritten`.
    func base(of text: [UInt8]) -> Shown {
        rewritten.last { Self.keepsAll(of: $0.text, from: seen.text, in: text) } ?? seen
    }

    /// Whether a text keeps all of a change from `base` to `changed`: no byte that the change
    /// inserted is missing, and no line that it removed is back.
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
