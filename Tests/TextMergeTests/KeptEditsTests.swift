import Causality
import TestKit
import Testing

@testable import TextMerge

/// The end of a text in the kept sequence (`docs/causality.md` §3).
@Suite struct KeptEditsTests {
    private func kept(_ event: Event, _ kept: [UInt8], _ hidesLast: Bool) -> KeptEdits {
        let base = KeptEdits.Base(length: kept.count, endsWithLineFeed: kept.last == UInt8(ascii: "\n"), hidesLast: hidesLast)
        return KeptEdits(event, on: base) { kept[$0] }
    }

    /// Any edits, stated or found, of any sequence.
    @Test(arguments: seeds(1_000))
    func keptEdits_matchTheNaiveOnes(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<10 {
            let sequence = bytes((0..<generator.below(6)).map { _ in generator.pick(["a", "b", "\n", "\n"]) }.joined())
            let hidesLast = generator.chance(0.5)
            let shown = hidesLast && sequence.last == UInt8(ascii: "\n") ? Array(sequence.dropLast()) : sequence
            var edits: [Edit] = []
            for _ in 0..<generator.below(3) {
                let start = (edits.last?.end ?? 0) + generator.below(shown.count - (edits.last?.end ?? 0) + 1)
                let end = start + generator.below(shown.count - start + 1)
                let replacement = (0..<generator.below(3)).map { _ in generator.pick(["x", "\n"]) }.joined()
                if Array(shown[start..<end]) != bytes(replacement) { edits.append(Edit(start, end, replacement)) }
            }
            let isFound = generator.chance(0.5)
            if isFound { edits = LineDiff.edits(from: shown, to: edits.applied(to: shown)) }
            let event = Event(dot: dot("A1"), parents: .nothing, edits: edits, origin: isFound ? .found : .stated)
            let result = kept(event, sequence, hidesLast)
            let naive = NaiveKeptEdits(event, sequence, hidesLast).result
            #expect(
                result.edits == naive.edits && result.hidesLast == naive.hidesLast,
                "seed \(seed): \(string(sequence).debugDescription) \(hidesLast) \(event.edits) \(event.origin)")
        }
    }

    /// A writer's own version shows exactly what was written.
    @Test(arguments: seeds(300))
    func ownVersion_isTheWrittenText(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        func text() -> [UInt8] { bytes((0..<generator.below(6)).map { _ in generator.pick(["a", "b", "\n", "\n"]) }.joined()) }
        let (base, wanted) = (text(), text())
        let hidesLast = !base.isEmpty && base.last != UInt8(ascii: "\n")
        let sequence = hidesLast ? base + bytes("\n") : base
        let event = Event(dot: dot("A1"), parents: .nothing, edits: LineDiff.edits(from: base, to: wanted), origin: .found)
        let result = kept(event, sequence, hidesLast)
        let after = result.edits.applied(to: sequence)
        let isShort = result.hidesLast ?? hidesLast && after.last == UInt8(ascii: "\n")
        #expect((isShort ? Array(after.dropLast()) : after) == wanted, "seed \(seed): \(string(base)) -> \(string(wanted))")
    }
}
