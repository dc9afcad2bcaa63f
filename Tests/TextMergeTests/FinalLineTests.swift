import Causality
import TestKit
import Testing

@testable import TextMerge

/// Saved texts with and without a final LF: no line is torn, glued to another one, or lost.
@Suite struct FinalLineTests {
    /// The texts that writers save on one base; the lines of each differ from all others.
    private struct Merge {
        let base: [String]
        var saved: [[String]] = []
        var generator: SeededGenerator

        init(seed: UInt64) {
            var generator = SeededGenerator(seed: seed)
            var count = 0
            func token(_ who: String) -> String {
                count += 1
                return generator.pick(["- ", "* ", "m", "mi", "https://", ""]) + who + String(count)
            }
            let base = (0..<1 + generator.below(4)).map { _ in token("b") }
            (self.base, self.generator) = (base, generator)
            for who in ["x", "y", "z"].prefix(2 + generator.below(2)) {
                var lines = base
                for _ in 0..<1 + generator.below(3) {
                    let at = generator.below(lines.count + 1)
                    switch generator.below(4) {
                    case 0, 1: lines.insert(token(who), at: at)
                    case 2 where at < lines.count: lines.remove(at: at)
                    case 3 where at < lines.count: lines[at] = token(who)
                    default: break
                    }
                }
                saved.append(lines)
            }
            self.generator = generator
        }

        mutating func text(_ lines: [String]) -> String {
            lines.joined(separator: "\n") + (!lines.isEmpty && generator.chance(0.5) ? "\n" : "")
        }
    }

    @Test(arguments: seeds(1_000))
    func everyWrittenLine_isShownWhole(seed: UInt64) {
        var merge = Merge(seed: seed)
        let base = merge.text(merge.base)
        var events = [Event.saved("A1", on: "", from: "", to: base)]
        for (name, lines) in zip(["B1", "C1", "D1"], merge.saved) {
            events.append(.saved(name, on: "A1", from: base, to: merge.text(lines)))
        }
        var view = View()
        view.append(contentsOf: events)
        let shown = Lines(view.text)
        let lines = Set((0..<shown.count).map { string(Array(shown[$0])).replacing("\n", with: "") })
        let kept = merge.base.filter { line in merge.saved.allSatisfy { $0.contains(line) } }
        for line in merge.saved.flatMap({ $0 }).filter({ !merge.base.contains($0) }) + kept {
            #expect(lines.contains(line), "seed \(seed): \(line) in \(string(view.text))")
        }
        let known = Set(merge.base + merge.saved.flatMap { $0 })
        #expect(lines.isSubset(of: known), "seed \(seed): \(string(view.text))")
    }

    @Test func savesOfUnterminatedTexts_keepTheirLines() {
        let base = "# Shopping\n- milk"
        let root = Event.saved("A1", on: "", from: "", to: base)
        func saved(_ name: String, _ text: String) -> Event { .saved(name, on: "A1", from: base, to: text) }
        let meat = saved("B1", "# Shopping\n- meat\n- milk\n")
        #expect(shown(root, meat, saved("C1", "# Shopping\n")) == "# Shopping\n- meat\n")
        #expect(shown(root, saved("B1", base + "\n- eggs"), saved("C1", base + "\n- tea")) == base + "\n- eggs\n- tea")
        #expect(shown(root, saved("B1", base + "\n"), saved("C1", base + "\n")) == base + "\n")
    }

    /// Of an unterminated text, two writers remove another one of the last lines each. The range of
    /// their conflict is a whole line, so any side can be put in its place.
    @Test func conflictAtTheEndOfAnUnterminatedText_hasAWholeLine() throws {
        let events = [
            Event.saved("A1", on: "", from: "", to: "C\nB\nA"), .saved("A2", on: "A1", from: "C\nB\nA", to: "C\nB"),
            .saved("B1", on: "A1", from: "C\nB\nA", to: "C\nA"),
        ]
        var view = View(naming: .cheap)
        view.append(contentsOf: events)
        #expect(string(view.text) == "C")
        let conflict = try #require(view.conflicts.first)
        #expect(conflict.range == 0..<1 && view.texts(of: conflict)?.sides.map(string) == ["C\nB", "C\nA"])
        let history = CheckedHistory(events)
        history.check(&view, holds: history.dots, "")
        // A write in that line resolves it.
        view.append(.saved("A3", on: "A2 B1", from: "C", to: "D"))
        #expect(view.conflicts.isEmpty)
    }

    /// An undo can hide the LF of an empty last line. One writer writes into that line, another one
    /// replaces the lines before it.
    @Test func emptyLastLineThatAnUndoHides_gluesNothing() {
        let root = Event.saved("A1", on: "", from: "", to: "b\n\n")
        let events = [
            root, .deleted("A2", on: "A1"), .saved("A3", on: "A2", from: "", to: "b"), .deleted("A4", on: "A3"),
            .saved("A5", on: "A4", from: "", to: "c"),
            Event(dot: dot("A6"), parents: seen("A4"), edits: [], origin: .stated, withdraws: [dot("A3")]),
        ]
        var view = View()
        view.append(contentsOf: events)
        let base = string(view.text)
        #expect(base == "c\nb\n")
        let save = Event.saved("B1", on: "A5 A6", from: base, to: base + "}")
        view.append(contentsOf: [save, .stated("C1", on: "A5 A6", Edit(0, base.utf8.count, "c\n"))])
        #expect(string(view.text) == "c\n}\n")
    }
}
