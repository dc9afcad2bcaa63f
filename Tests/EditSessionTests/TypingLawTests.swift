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
}
