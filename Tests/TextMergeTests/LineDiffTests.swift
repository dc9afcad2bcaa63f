import Causality
import TestKit
import Testing

@testable import TextMerge

@Suite struct LineDiffTests {
    private func found(_ base: String, _ text: String) -> [Edit] {
        LineDiff.edits(from: bytes(base), to: bytes(text))
    }

    @Test(arguments: seeds(600))
    func appliedEdits_giveTheText(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let (base, text) = pair(&generator)
        let edits = LineDiff.edits(from: base, to: text)
        #expect(edits.fault(forLength: base.count) == nil, "seed \(seed)")
        #expect(edits.applied(to: base) == text, "seed \(seed)")
        #expect(edits == edits.normalized(), "none is empty, none touch; seed \(seed)")
        #expect(edits.isEmpty == (base == text), "seed \(seed)")
    }

    @Test(arguments: seeds(600))
    func hunks_areFullLines_andMinimal(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let (base, text) = pair(&generator)
        let (old, new) = (Lines(base), Lines(text))
        let hunks = LineDiff.hunks(old, new)
        let changed = hunks.reduce(0) { $0 + $1.old.count + $1.new.count }
        let common = longestCommonSubsequence((0..<old.count).map { Array(old[$0]) }, (0..<new.count).map { Array(new[$0]) })
        #expect(changed == old.count + new.count - 2 * common, "no shorter script of lines; seed \(seed)")
        var at = (old: 0, new: 0)
        for hunk in hunks {
            let kept = hunk.old.lowerBound - at.old
            #expect(kept == hunk.new.lowerBound - at.new && (kept > 0 || at == (0, 0)), "a line between two; seed \(seed)")
            #expect(old[at.old..<hunk.old.lowerBound] == new[at.new..<hunk.new.lowerBound], "what is kept is equal; seed \(seed)")
            at = (hunk.old.upperBound, hunk.new.upperBound)
        }
        #expect(old[at.old..<old.count] == new[at.new..<new.count], "seed \(seed)")
    }

    /// The hunks of the texts with their last lines terminated, as edits of these texts.
    private func edits(ofHunksFrom base: [UInt8], to text: [UInt8]) -> [Edit] {
        let (old, new) = (Lines(terminated(base)), Lines(terminated(text)))
        return LineDiff.hunks(old, new).map { $0.edit(old, new) }
    }

    private func terminated(_ text: [UInt8]) -> [UInt8] {
        text.isEmpty || text.last == UInt8(ascii: "\n") ? text : text + bytes("\n")
    }

    /// What the walk replays for the edits of two texts are the hunks of their kept sequences.
    @Test(arguments: seeds(600))
    func keptEdits_areTheHunksOfWholeLines(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let (base, text) = generator.chance(0.5) ? pair(&generator) : ByteSearchTests.similarPair(&generator)
        let event = Event(dot: dot("A1"), parents: .nothing, edits: LineDiff.edits(from: base, to: text), origin: .found)
        let kept = terminated(base)
        let hidesLast = kept.count > base.count
        let end = KeptEdits.Base(length: kept.count, endsWithLineFeed: !kept.isEmpty, hidesLast: hidesLast)
        let result = KeptEdits(event, on: end) { kept[$0] }
        #expect(
            result.edits == edits(ofHunksFrom: base, to: text),
            "seed \(seed): \(string(base).debugDescription) -> \(string(text).debugDescription)")
        #expect(result.edits.allSatisfy { NaiveKeptEdits.isWholeLines($0, in: kept) }, "seed \(seed)")
        let hides = text.isEmpty ? hidesLast : terminated(text).count > text.count
        #expect(result.hidesLast ?? hidesLast == hides, "seed \(seed)")
        let naive = NaiveKeptEdits(event, kept, hidesLast).result
        #expect(
            naive.edits == result.edits && naive.hidesLast == result.hidesLast,
            "seed \(seed): \(string(base).debugDescription) -> \(string(text).debugDescription): \(event.edits) \(naive) \(result)"
        )
    }

    @Test func hunkInsideText_hasFullLines() {
        #expect(found("one\ntwo\nthree\n", "one\ntwo!\nthree\n") == [Edit(4, 8, "two!\n")])
        #expect(found("a\nb\nc\n", "a\nc\n") == [Edit(2, 4, "")])
        #expect(found("a\r\nb\r\n", "a\r\nc\r\n") == [Edit(3, 6, "c\r\n")])
        #expect(found("a\nb\n", "a\r\nb\n") == [Edit(0, 2, "a\r\n")])
    }

    @Test func equalTexts_haveNoEdits() {
        #expect(found("", "").isEmpty)
        #expect(found("a\nb", "a\nb").isEmpty)
    }

    @Test func unterminatedLastLine_isFoundAsAWholeLine() {
        #expect(found("b", "b\nc") == [Edit(1, 1, "\nc")])
        #expect(found("b", "b\n") == [Edit(1, 1, "\n")])
        #expect(found("b\n", "b") == [Edit(1, 2, "")])
        #expect(found("b\nc", "b") == [Edit(1, 3, "")])
        #expect(found("a\nbc", "a\nbd\ne\n") == [Edit(2, 4, "bd\ne\n")])
        #expect(found("", "a") == [Edit(0, 0, "a")])
        #expect(found("a", "") == [Edit(0, 1, "")])
        #expect(found("", "a\nb\n") == [Edit(0, 0, "a\nb\n")])
        #expect(found("a\nb\n", "a\nb\nc") == [Edit(4, 4, "c")])
        #expect(found("x\nb", "y\nb") == [Edit(0, 2, "y\n")], "a hunk above the last line is whole lines")
    }

    @Test func finalNewline_splitsNoCharacter() {
        // é and è share their first byte.
        #expect(found("é", "è") == [Edit(0, 2, "è")])
        #expect(found("aé", "aè\n") == [Edit(0, 3, "aè\n")])
        #expect(found("aé", "aéb") == [Edit(0, 3, "aéb")])
    }

    @Test func composedAndDecomposedForms_differ() {
        #expect(found("\u{E9}\n", "e\u{301}\n") == [Edit(0, 3, "e\u{301}\n")])
    }

    @Test func repeatedLine_isAddedAfterItsEquals() {
        #expect(found("a\nx\nx\nb\n", "a\nx\nx\nx\nb\n") == [Edit(6, 6, "x\n")])
        #expect(found("z\na\n\nb\n", "y\na\n\nc\n\nb\n") == [Edit(0, 2, "y\n"), Edit(5, 5, "c\n\n")])
    }

    /// Found as an added block that ends with the blank line, the hunk would not be the twin of an
    /// equal change.
    @Test func hunkAbleToTouchPrevious_isMergedWithIt() {
        let base = "z\n\narg\n\ncode\n"
        #expect(found(base, "z\n\nARG\n\nlink\nname\n\ncode\n") == [Edit(3, 7, "ARG\n\nlink\nname\n")])
        #expect(found("a\nx\nP\nc\n", "a\nx\nR\nx\nc\n") == [Edit(4, 6, "R\nx\n")])
        // Here the result follows neither from a common start nor from a common end.
        #expect(found("P\nx\nk\nQ\n", "R\nx\ny\nx\nk\nS\n") == [Edit(0, 2, "R\nx\ny\n"), Edit(6, 8, "S\n")])
    }

    @Test func sameInput_hasSameEdits() {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<50 {
            let (base, text) = pair(&generator)
            #expect(LineDiff.edits(from: base, to: text) == LineDiff.edits(from: base, to: text))
        }
    }

    @Test func hugeDifferentTexts_areOneHunk() {
        let base = (0..<20_000).map { "old \($0)\n" }.joined()
        let text = (0..<20_000).map { "new \($0)\n" }.joined()
        #expect(found(base, text) == [Edit(0, base.utf8.count, text)])
    }

    @Test func blankTexts_differOnlyInLength() {
        let base = bytes(String(repeating: "\n", count: 30_000))
        let text = bytes(String(repeating: "\n", count: 30_001))
        #expect(LineDiff.edits(from: base, to: text) == [Edit(30_000, 30_000, "\n")])
    }

    /// Two texts, similar or not, of few different lines, with and without a final newline.
    private func pair(_ generator: inout SeededGenerator) -> ([UInt8], [UInt8]) {
        func line(_ generator: inout SeededGenerator) -> [UInt8] {
            bytes(generator.pick(["a", "b", "c", "", "é", "è", "aé", "b\r"]) + "\n")
        }
        let base = (0..<generator.below(14)).map { _ in line(&generator) }
        var text = base
        for _ in 0..<generator.below(5) {
            let at = generator.below(text.count + 1)
            let new = (0..<generator.below(3)).map { _ in line(&generator) }
            text.replaceSubrange(at..<min(text.count, at + generator.below(3)), with: new)
        }
        if generator.chance(0.2) { text = (0..<generator.below(14)).map { _ in line(&generator) } }
        var (left, right) = (base.flatMap { $0 }, text.flatMap { $0 })
        if generator.chance(0.3), !left.isEmpty { left.removeLast() }
        if generator.chance(0.3), !right.isEmpty { right.removeLast() }
        return (left, right)
    }
}

/// The length of the longest common subsequence, by the quadratic table.
func longestCommonSubsequence<Element: Equatable>(_ left: [Element], _ right: [Element]) -> Int {
    var row = [Int](repeating: 0, count: right.count + 1)
    for element in left {
        var diagonal = 0
        for index in right.indices {
            let above = row[index + 1]
            row[index + 1] = element == right[index] ? diagonal + 1 : max(above, row[index])
            diagonal = above
        }
    }
    return row[right.count]
}
