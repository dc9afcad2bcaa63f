import Causality
import ClientTestKit
import NotesModel
import TestKit
import Testing

@testable import notesctl

/// Tests of the rule that decides on which version a text in a file was written.
struct ShownVersionsTests {
    private func text(_ lines: String...) -> LineMarks { LineMarks(bytes(lines.map { $0 + "\n" }.joined())) }
    private let first = "the first line"
    private let milk = "buy milk today"
    private let bread = "buy bread today"

    @Test func staleBuffer_isBasedOnWhatItHad() {
        var shown = ShownVersions(Canned.version(1), text(first))
        shown.put(Canned.version(2), text(first, milk), at: 0)
        shown.put(Canned.version(3), text(first, milk, bread), at: 100)
        #expect(shown.base(of: text(first, "typed by me"), at: 200).version == Canned.version(1))
        #expect(shown.base(of: text(first, milk, "typed by me"), at: 200).version == Canned.version(2))
        #expect(shown.base(of: text(first, bread), at: 200).version == Canned.version(3), "it has seen milk, and removed it")
        #expect(shown.base(of: text(first, milk, bread, "more of it"), at: 200).version == Canned.version(3))
        // After a day, a showing counts as loaded.
        #expect(shown.base(of: text(first), at: 86_400_100).version == Canned.version(3))
    }

    /// A line that was deleted right after it came is back once; the second deletion counts.
    @Test func secondDeletion_counts() {
        var shown = ShownVersions(Canned.version(1), text(first))
        shown.put(Canned.version(2), text(first, milk), at: 0)
        let choice = shown.base(of: text(first), at: 1_000)
        #expect(choice.version == Canned.version(1))
        shown.saved(text(first), as: Canned.version(1), on: choice, isAnswered: true)
        shown.put(Canned.version(2), text(first, milk), at: 1_100)
        #expect(shown.base(of: text(first), at: 1_200).version == Canned.version(1), "too soon to have been read")
        #expect(shown.base(of: text(first), at: 9_000).version == Canned.version(2))
        #expect(shown.base(of: text("the first line, changed"), at: 9_000).version == Canned.version(1))
    }

    /// A script appends a line; an editor that was open before saves its older buffer.
    @Test func staleEditor_doesNotRemoveWhatAScriptAppended() {
        var shown = ShownVersions(Canned.version(1), text(first))
        shown.put(Canned.version(2), text(first, milk), at: 0)
        let script = text(first, milk, "appended by cron")
        let choice = shown.base(of: script, at: 100)
        #expect(choice.version == Canned.version(2))
        shown.saved(script, as: Canned.version(3), on: choice, isAnswered: false)
        #expect(shown.base(of: text(first, "typed before"), at: 200).version == Canned.version(1))
        #expect(shown.base(of: text(first, milk), at: 200).version == Canned.version(3), "milk proves the script's text or later")
    }

    @Test func shortLines_proveNothing() {
        var shown = ShownVersions(Canned.version(1), text(first))
        shown.put(Canned.version(2), text(first, "```", "", "- a"), at: 0)
        #expect(shown.base(of: text("```", "- a", "other text of mine"), at: 10).version == Canned.version(1))
    }

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
        func marked(_ lines: [String]) -> LineMarks { LineMarks(bytes(lines.map { $0 + "\n" }.joined())) }
        var versions: [Version: [String]] = [:]
        func version(of lines: [String]) -> Version {
            let version = Canned.version(UInt64(versions.count + 1))
            versions[version] = lines
            return version
        }
        var (time, note) = (Int64(0), [line(), line()])
        var file = note
        var shown = ShownVersions(version(of: note), marked(note))
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
                let choice = shown.base(of: marked(buffer), at: time)
                let base = versions[choice.version] ?? []
                let removed = Set(base).subtracting(buffer)
                // Rule 4 is the exception that the documentation names: what is deleted twice is removed.
                let isRepeated = removed.allSatisfy { shown.putBack[LineMarks.Line(bytes($0))] != nil }
                #expect(removed.isSubset(of: loaded) || isRepeated, "seed \(seed), step \(step): \(removed.subtracting(loaded))")
                note = note.filter { !removed.contains($0) }
                for (index, line) in buffer.enumerated() where !base.contains(line) && !note.contains(line) {
                    note.insert(line, at: min(index, note.count))
                }
                loaded.formUnion(buffer)
                shown.saved(marked(buffer), as: version(of: buffer), on: choice, isAnswered: note != buffer)
                file = buffer
            default: break
            }
            if file != note {
                file = note
                shown.put(version(of: note), marked(note), at: time)
            }
            #expect(ShownVersionsCodec.shown(ShownVersionsCodec.bytes(shown)) == shown, "seed \(seed), step \(step)")
        }
    }

    @Test(arguments: seeds(100))
    func damagedBytes_areRefusedOrRead(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var shown = ShownVersions(Canned.version(1), text(first))
        shown.put(Canned.version(2), text(first, milk), at: 5)
        var stored = ShownVersionsCodec.bytes(shown)
        #expect(ShownVersionsCodec.shown(Array(stored.dropLast(1 + random.below(stored.count)))) == nil)
        stored[random.below(stored.count)] ^= 1 << UInt8(random.below(8))
        if let read = ShownVersionsCodec.shown(stored) { _ = read.base(of: text(first), at: 10) }
    }
}
