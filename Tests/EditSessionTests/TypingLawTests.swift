import Causality
import EditSession
import NotesModel
import SessionTestKit
import TestKit
import Testing

/// Laws on letters that a user types at the end of a line while a program without a session saves the
/// whole note, each time with a digit in one line.
struct TypingLawTests {
    /// The note as the program read it, with the digit that it adds.
    private struct Save {
        let base: Version
        let text: String
    }

    private func happen(in world: inout EditWorld, _ random: inout SeededGenerator) {
        switch random.below(4) {
        case 0: world.wait(.milliseconds(Int64(random.below(20))))
        case 1, 2: world.serve(0)
        default: world.receive(0)
        }
    }

    private func happen(in world: inout EditWorld, atMost count: Int, _ random: inout SeededGenerator) {
        for _ in 0..<random.below(count + 1) { happen(in: &world, &random) }
    }

    /// Reads the note and returns the save that adds a digit before the word. A save of the line in which
    /// the user types would be in conflict with letters that it does not have, so it waits for them.
    private func save(
        of digit: Int, before word: String, in world: inout EditWorld, _ random: inout SeededGenerator
    ) throws -> Save {
        if word == "middle" {
            for _ in 0..<1_000 where !world.people[0].session.isSaved { happen(in: &world, &random) }
            try #require(world.people[0].session.isSaved)
        }
        let text = world.daemon.text.replacing(word, with: "\(digit)\(word)", maxReplacements: 1)
        return Save(base: world.daemon.note.version, text: text)
    }

    /// Every letter and every digit is in the text once and in its place, in whatever order responses,
    /// lines of the watch and saves come. One undo takes back the letters and no digit.
    @Test(arguments: seeds(300))
    func letters_areOnceInPlace_andOneUndoTakesThemBack(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var world = EditWorld("first\nmiddle\nlast\n", people: 1)
        world.send(.moved(caret: "first\nmiddle".utf8.count), to: 0)
        var digits = ["first": "", "middle": "", "last": ""]
        func lines(typed: String) -> String {
            ["first", "middle", "last"].map { "\(digits[$0] ?? "")\($0)\($0 == "middle" ? typed : "")\n" }.joined()
        }
        var typed = ""
        for (number, letter) in "abcdef".enumerated() {
            let word = random.pick(["first", "middle", "last"])
            let isSameLine = word == "middle"
            let save = try save(of: number, before: word, in: &world, &random)
            if !isSameLine { happen(in: &world, atMost: 5, &random) }
            let isFirst = isSameLine || random.chance(0.5)
            if isFirst { world.save(save.text, on: save.base) }
            for _ in 0..<1_000 where isSameLine && !world.texts[0].contains("\(number)middle") { happen(in: &world, &random) }
            happen(in: &world, atMost: 2, &random)
            let caret = world.people[0].session.caret
            world.type(caret..<caret, String(letter), by: 0, continues: number > 0)
            happen(in: &world, atMost: 5, &random)
            if !isFirst { world.save(save.text, on: save.base) }
            digits[word, default: ""] += "\(number)"
            typed.append(letter)
            #expect(world.texts[0].contains("middle\(typed)\n"), "seed \(seed): \(world.texts[0])")
            #expect(world.people[0].mirror == world.people[0].session.text, "seed \(seed)")
        }
        var isQuiet = world.settle()
        try #require(isQuiet, "seed \(seed)")
        #expect(
            world.texts == [lines(typed: typed)] && world.daemon.text == lines(typed: typed), "seed \(seed): \(world.daemon.text)"
        )
        world.send(.undo, to: 0)
        isQuiet = world.settle()
        try #require(isQuiet, "seed \(seed)")
        #expect(world.texts == [lines(typed: "")] && world.daemon.text == lines(typed: ""), "seed \(seed): \(world.daemon.text)")
        world.send(.redo, to: 0)
        isQuiet = world.settle()
        try #require(isQuiet, "seed \(seed)")
        #expect(
            world.texts == [lines(typed: typed)] && world.daemon.text == lines(typed: typed), "seed \(seed): \(world.daemon.text)"
        )
    }

    /// While nobody else writes, undo and redo bring back each text, also where steps move or remove the lines of
    /// earlier ones, and where a change in another place belongs to a step.
    @Test(arguments: seeds(60)) func undoAlone_bringsBackEachText(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var world = EditWorld("a\nb\nc\nd\ne\n", people: 1)
        var (past, future): ([[UInt8]], [[UInt8]]) = ([], [])
        var mayJoin = false
        for number in 0..<60 {
            let now = world.people[0].mirror
            if random.chance(0.25), let text = past.popLast() {
                world.send(.undo, to: 0)
                future.append(now)
                #expect(world.people[0].mirror == text, "seed \(seed), step \(number)")
                mayJoin = false
            } else if random.chance(0.3), let text = future.popLast() {
                world.send(.redo, to: 0)
                past.append(now)
                #expect(world.people[0].mirror == text, "seed \(seed), step \(number)")
                mayJoin = false
            } else {
                var lines = now.split(separator: UInt8(ascii: "\n")).map { Array($0) }
                let line = lines.isEmpty ? nil : lines.remove(at: random.below(lines.count))
                if let line, random.chance(0.7) { lines.insert(line, at: random.below(lines.count + 1)) }
                if line == nil || random.chance(0.4) { lines.insert(Array("n\(number)".utf8), at: random.below(lines.count + 1)) }
                let edits = StatedDiff.edits(from: now, to: lines.flatMap { $0 + [UInt8(ascii: "\n")] })
                guard !edits.isEmpty else { continue }
                let joins = mayJoin && random.chance(0.3)
                world.send(.changed(edits, caret: 0, continues: joins), to: 0)
                if !joins { past.append(now) }
                (future, mayJoin) = ([], true)
                // A step without an effect is none.
                if past.last == world.people[0].mirror {
                    past.removeLast()
                    mayJoin = false
                }
            }
        }
    }
}
