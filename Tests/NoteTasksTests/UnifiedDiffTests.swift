import Causality
import Console
import NotesModel
import TestKit
import Testing

@testable import NoteTasks

struct UnifiedDiffTests {
    private func diff(_ old: String, _ new: String) -> [String] {
        UnifiedDiff.lines(from: bytes(old), to: bytes(new), names: ("a", "b")).map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    private func numbered(_ lines: ClosedRange<Int>) -> String { lines.map { "\($0)\n" }.joined() }

    @Test func change_hasThreeLinesOfContext() {
        let new = numbered(1...4) + "five\n" + numbered(6...20)
        #expect(
            diff(numbered(1...20), new) == [
                "--- a", "+++ b", "@@ -2,7 +2,7 @@", " 2", " 3", " 4", "-5", "+five", " 6", " 7", " 8",
            ])
    }

    @Test func nearChanges_shareAHunk_andDistantOnesDoNot() {
        let near = "1\ntwo\n" + numbered(3...8) + "nine\n" + numbered(10...20)
        #expect(diff(numbered(1...20), near).filter { $0.hasPrefix("@@") } == ["@@ -1,12 +1,12 @@"])
        let far = "1\ntwo\n" + numbered(3...9) + "ten\n" + numbered(11...20)
        #expect(diff(numbered(1...20), far).filter { $0.hasPrefix("@@") } == ["@@ -1,5 +1,5 @@", "@@ -7,7 +7,7 @@"])
    }

    @Test func hunkHeaders_matchPatch() {
        #expect(diff("", "a\nb\n") == ["--- a", "+++ b", "@@ -0,0 +1,2 @@", "+a", "+b"])
        #expect(diff("a\n", "") == ["--- a", "+++ b", "@@ -1 +0,0 @@", "-a"])
        #expect(diff("a\n", "b\n") == ["--- a", "+++ b", "@@ -1 +1 @@", "-a", "+b"])
        #expect(diff("a\nc\n", "a\nb\nc\n") == ["--- a", "+++ b", "@@ -1,2 +1,3 @@", " a", "+b", " c"])
        #expect(diff("a\n", "a\n").isEmpty)
    }

    @Test func missingFinalNewline_isMarked() {
        let remark = "\\ No newline at end of file"
        #expect(diff("a\nb", "a\nb\n").dropFirst(3) == [" a", "-b", remark, "+b"])
        #expect(diff("a\nb\n", "a\nb").dropFirst(3) == [" a", "-b", "+b", remark])
        #expect(diff("x\nb", "y\nb").dropFirst(3) == ["-x", "+y", " b", remark])
    }

    @Test func controlCharactersInLines_areEscaped() {
        let lines = UnifiedDiff.lines(from: [], to: bytes("\tx\u{1B}[2J\n"), names: ("a", "b"))
        #expect(lines.last?.shown(Style(isOn: false)) == "+\tx\\x1B[2J")
        #expect(lines.last?.shown(Style(isOn: true)) == "\u{1B}[32m+\tx\\x1B[2J\u{1B}[0m")
    }

    /// Applies a difference naively, as `patch` does: the old text must become the new one.
    @Test(arguments: seeds(200))
    func patching_givesTheNewText(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        func text() -> [UInt8] {
            let lines = (0..<random.below(30)).map { _ in random.pick(["a", "b", "c", "d", "e", ""]) }
            return bytes(lines.joined(separator: "\n") + (random.chance(0.7) && !lines.isEmpty ? "\n" : ""))
        }
        let old = text()
        var new = text()
        if random.chance(0.5) { new = old + new }
        let diff = UnifiedDiff.lines(from: old, to: new, names: ("a", "b"))
        #expect(patched(old, diff) == new, "seed \(seed)")
    }

    private func patched(_ old: [UInt8], _ diff: [UnifiedDiff.Line]) -> [UInt8] {
        var lines = old.split(separator: 10, omittingEmptySubsequences: false).map { Array($0) + [10] }
        if lines.last == [10] { lines.removeLast() } else if let last = lines.last { lines[lines.count - 1] = last.dropLast() }
        var rest = lines[...]
        var result: [[UInt8]] = []
        var before = UnifiedDiff.Line.Kind.file
        for line in diff {
            defer { before = line.kind }
            let text = line.bytes.dropFirst() + [10]
            switch line.kind {
            case .file: break
            case .place:
                let words = String(decoding: line.bytes, as: UTF8.self).split(separator: " ")[1].dropFirst().split(separator: ",")
                let isEmpty = words.count == 2 && words[1] == "0"
                let start = (Int(words[0]) ?? 0) - (isEmpty ? 0 : 1)
                result += rest[..<start]
                rest = rest[start...]
            case .same, .removed:
                let next = rest.popFirst() ?? []
                #expect(next == Array(text) || next == Array(text.dropLast()))
                if line.kind == .same { result.append(next) }
            case .added: result.append(Array(text))
            case .remark: if before == .added { result[result.count - 1].removeLast() }
            }
        }
        return (result + rest).flatMap { $0 }
    }
}
