import Causality
import ClientTestKit
import TestKit
import Testing

@testable import FolderSync

/// Editors that save buffers of any staleness, beside clients that change the note.
struct StaleSavesTests {
    /// Editors with buffers of any staleness save the file, and others change the note. No line is
    /// removed that the editor had not loaded. All lines are different, and each tells.
    @Test(arguments: seeds(300))
    func staleSaves_removeNothingThatTheirWriterHadNotLoaded(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var number = 0
        func line() -> String {
            number += 1
            return "a line with number \(number)"
        }
        func text(_ lines: [String]) -> [UInt8] { bytes(lines.map { $0 + "\n" }.joined()) }
        func marked(_ lines: [String]) -> LineMarks { LineMarks(text(lines)) }
        var versions: [Version: [String]] = [:]
        func version(of lines: [String]) -> Version {
            let version = Canned.version(UInt64(versions.count + 1))
            versions[version] = lines
            return version
        }
        var (time, note) = (Int64(0), [line(), line()])
        var file = note
        var shown = ShownTexts(version(of: note), marked(note), at: 0)
        var (buffer, loaded) = (file, Set(file))
        for step in 0..<60 {
            time += Int64(random.below(4_000))
            switch random.below(6) {
            case 0:  // Others change the note, and the mirror writes it.
                note.insert(line(), at: random.below(note.count + 1))
                if random.chance(0.3) { note.remove(at: random.below(note.count)) }
            case 1: (buffer, loaded) = (file, loaded.union(file))
            case 2: buffer.insert(line(), at: random.below(buffer.count + 1))
            case 3 where buffer.count > 1: buffer.remove(at: random.below(buffer.count))
            case 4 where buffer != file:
                let number = BaseRule(of: text(buffer), in: shown, at: time, how: .other).base { number in
                    shown[number]?.version.flatMap { versions[$0] }.map { text($0) }
                }
                let base = shown[number]?.version.flatMap { versions[$0] } ?? []
                let removed = Set(base).subtracting(buffer)
                // R9 is the exception that the documentation names: what is deleted twice is removed.
                let isRepeated = removed.allSatisfy { shown.putBack[LineMarks.Line(bytes($0))] != nil }
                #expect(removed.isSubset(of: loaded) || isRepeated, "seed \(seed), step \(step): \(removed.subtracting(loaded))")
                note = note.filter { !removed.contains($0) }
                for (index, line) in buffer.enumerated() where !base.contains(line) && !note.contains(line) {
                    note.insert(line, at: min(index, note.count))
                }
                loaded.formUnion(buffer)
                shown.saved(marked(buffer), as: version(of: buffer), on: number, at: time, isAnswered: note != buffer)
                file = buffer
            default: break
            }
            if file != note {
                file = note
                shown.put(version(of: note), marked(note), at: time)
            }
            #expect(ShownTextsCodec.shown(ShownTextsCodec.bytes(shown)) == shown, "seed \(seed), step \(step)")
        }
    }
}
