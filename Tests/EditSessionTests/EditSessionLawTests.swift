import Causality
import EditSession
import NoteText
import NotesModel
import SessionTestKit
import TestKit
import Testing
import TextMerge

/// Laws on random histories of two or three people with one daemon.
struct EditSessionLawTests {
    private static let base = "milk two litres\nbread\n\ncall Anna on 12 May\ncall Anton on 13 May\ntea\n"

    /// Types a word or a line, and returns the word.
    private func type(_ word: String, by person: Int, in world: inout EditWorld, _ random: inout SeededGenerator) {
        let text = world.people[person].mirror
        let lines = Lines(text)
        let line = random.below(lines.count)
        let (start, end) = (lines.bounds[line], lines.bounds[line + 1] - 1)
        switch random.below(4) {
        case 0: world.type(start..<start, "\(word) ", by: person)
        case 1: world.type(start..<start, "\(word)\n", by: person)
        case 2: world.type(end..<end, " \(word)", by: person)
        default:
            // Letter by letter.
            for (number, letter) in " \(word)".enumerated() {
                let place = number == 0 ? end : world.caret(of: person)
                world.type(place..<place, String(letter), by: person, continues: number > 0)
                if random.chance(0.5) { happen(in: &world, &random) }
            }
        }
    }

    private func happen(in world: inout EditWorld, _ random: inout SeededGenerator) {
        let person = random.below(world.people.count)
        switch random.below(world.people[person].session.isRemote ? 8 : 4) {
        case 0: world.wait(.milliseconds(Int64(random.below(20))))
        case 1: world.serve(person)
        case 2, 3: world.receive(person)
        case 4, 5: world.look(person)
        default: world.hear(person)
        }
    }

    private func checkMirrors(_ world: EditWorld, _ seed: UInt64) {
        for person in world.people {
            #expect(!person.editor.sent.isEmpty || person.mirror == person.session.text, "seed \(seed)")
            #expect(person.editor.faults.isEmpty, "seed \(seed)")
        }
    }

    /// The place of an offset in a version moves by what was typed before it since, and a version that was
    /// never shown has none.
    @Test(arguments: seeds(60))
    func places_moveWithTypedText(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var world = EditWorld(Self.base, people: 2)
        let session = world.people[0].session
        var typed: [(at: Int, count: Int)] = []
        for number in 0..<3 {
            // The ends of lines, so that the comparison of the texts has one result.
            let text = world.people[0].mirror
            let lines = Lines(text)
            let end = lines.bounds[1 + random.below(lines.count)] - 1
            let word = " w\(number)é"
            world.type(end..<end, word, by: 0)
            typed.append((end, word.utf8.count))
        }
        let now = world.people[0].session
        for offset in 0...session.text.count {
            var expected = offset
            var isAtTyping = false
            for insertion in typed {
                isAtTyping = isAtTyping || insertion.at == expected
                if insertion.at < expected { expected += insertion.count }
            }
            // An offset at a place of typing may be on either side.
            if isAtTyping { continue }
            #expect(now.places(of: [(session.version, offset)]) == [expected], "seed \(seed): \(offset)")
        }
        #expect(now.places(of: [(session.version, session.text.count + 1), (session.version, -1)]).isEmpty)
        #expect(now.places(of: [(Version([]), 0)]).isEmpty)
    }

    /// People who only insert words and lines keep every word once, and all see the same text.
    @Test(arguments: seeds(60), [false, true])
    func insertions_areKeptOnce_andAllTextsConverge(seed: UInt64, areRemote: Bool) throws {
        var random = SeededGenerator(seed: seed)
        var world = EditWorld(Self.base, people: 2 + random.below(2), areRemote: areRemote)
        var letters = Array(Self.base.utf8)
        for number in 0..<30 {
            if random.chance(0.4) {
                let word = "w\(number)x\(random.below(1_000))"
                letters += word.utf8
                type(word, by: random.below(world.people.count), in: &world, &random)
            }
            happen(in: &world, &random)
            checkMirrors(world, seed)
        }
        let isQuiet = world.settle()
        try #require(isQuiet, "seed \(seed)")
        #expect(Set(world.texts + [world.daemon.text]).count == 1, "seed \(seed)")
        for person in world.people where areRemote { #expect(person.editor.saved == person.editor.changes, "seed \(seed)") }
        // Two changes of one line that is not alike any more are marked, and the text then has both.
        guard world.daemon.conflicts == 0 else { return }
        #expect(
            letters.filter { $0 > 0x20 }.sorted() == world.daemon.note.text.filter { $0 > 0x20 }.sorted(),
            "seed \(seed): \(world.daemon.text)")
    }

    /// A random change of lines: a word, a new line, a removal, a move, a join or a split.
    private func change(_ word: String, by person: Int, in world: inout EditWorld, _ random: inout SeededGenerator) {
        var lines = String(decoding: world.people[person].mirror, as: UTF8.self).split(
            separator: "\n", omittingEmptySubsequences: false
        ).map(String.init)
        let line = random.below(lines.count)
        switch random.below(9) {
        case 0: lines.remove(at: line)
        case 1: lines.insert(lines.remove(at: line), at: random.below(lines.count))
        case 2: if line + 1 < lines.count { lines[line] += " \(lines.remove(at: line + 1))" }
        case 3:
            let words = lines[line].split(separator: " ")
            guard words.count > 1 else { break }
            let place = 1 + random.below(words.count - 1)
            lines.replaceSubrange(line...line, with: [words[..<place], words[place...]].map { $0.joined(separator: " ") })
        case 4: lines[line] = word
        case 5: lines.sort()
        default: return type(word, by: person, in: &world, &random)
        }
        if lines.allSatisfy(\.isEmpty) { lines = [word] }
        world.become(lines.joined(separator: "\n"), by: person)
    }

    /// With lost connections at every step, removals, joins, undo and redo, all texts converge. Without
    /// removals of a word by anyone, the word is in the text at the end.
    @Test(arguments: seeds(120), [false, true])
    func histories_converge_andNothingIsLost(seed: UInt64, areRemote: Bool) throws {
        var random = SeededGenerator(seed: seed)
        var world = EditWorld(Self.base, people: 2 + random.below(2), areRemote: areRemote)
        var (typed, touched): (Set<String>, Set<String>) = ([], [])
        func words(_ person: Int) -> Set<String> { world.people[person].words }
        for number in 0..<40 {
            let person = random.below(world.people.count)
            switch random.below(12) {
            case 0: world.disconnect(person)
            case 1: world.connect(person)
            case 2:
                let before = words(person)
                world.send(random.chance(0.6) ? .undo : .redo, to: person)
                touched.formUnion(before.subtracting(words(person)))
            case 3, 4, 5:
                let before = words(person)
                let word = "w\(number)x\(random.below(1_000))"
                change(word, by: person, in: &world, &random)
                touched.formUnion(before.subtracting(words(person)))
                if words(person).contains(word) { typed.insert(word) }
            default: break
            }
            happen(in: &world, &random)
            checkMirrors(world, seed)
            for person in world.people { #expect(person.session.caret <= person.session.text.count, "seed \(seed)") }
        }
        let isQuiet = world.settle()
        try #require(isQuiet, "seed \(seed)")
        #expect(Set(world.texts + [world.daemon.text]).count == 1, "seed \(seed)")
        for person in world.people { touched.formUnion(person.editor.withdrawn) }
        // Somebody may have removed the beginning of a word that was typed letter by letter.
        let lost = typed.filter { word in !touched.contains { word.hasPrefix($0) } && !world.daemon.text.contains(word) }
        #expect(lost.isEmpty, "seed \(seed): \(lost) in \(world.daemon.text)")
    }

    /// Undo of all steps removes every word of one person and no word of the other.
    @Test(arguments: seeds(60), [false, true])
    func undo_removesOnlyOwnText(seed: UInt64, areRemote: Bool) throws {
        var random = SeededGenerator(seed: seed)
        var world = EditWorld(Self.base, people: 2, areRemote: areRemote)
        var words: [[String]] = [[], []]
        for number in 0..<16 {
            if random.chance(0.5) {
                let person = random.below(2)
                let word = "w\(number)x\(random.below(1_000))"
                words[person].append(word)
                type(word, by: person, in: &world, &random)
            }
            happen(in: &world, &random)
        }
        for _ in 0..<400 where !world.people[0].notices.contains(.nothingToUndo) {
            world.send(.undo, to: 0)
            if areRemote {
                world.hear(0)
                world.look(0)
            }
            if random.chance(0.5) { happen(in: &world, &random) }
        }
        let isQuiet = world.settle()
        try #require(isQuiet, "seed \(seed)")
        #expect(Set(world.texts).count == 1, "seed \(seed)")
        for word in words[1] { #expect(world.daemon.text.contains(word), "seed \(seed): lost \(word) in \(world.daemon.text)") }
        // A line that the other changed too stays.
        for line in world.daemon.text.split(separator: "\n") where !words[1].contains(where: { line.contains($0) }) {
            #expect(!words[0].contains { line.contains($0) }, "seed \(seed): kept \(line) in \(world.daemon.text)")
        }
    }

    /// The caret stays before its character while others insert, move and remove other lines.
    @Test(arguments: seeds(60))
    func caret_staysWithItsCharacter(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var world = EditWorld(Self.base + "the mark § is here\n", people: 2)
        let mark = Array("§".utf8)
        let text = world.people[0].session.text
        let place = try #require(text.indices.first { text[$0...].starts(with: mark) })
        world.send(.moved(caret: place), to: 0)
        for number in 0..<25 {
            type("w\(number)", by: 1, in: &world, &random)
            if random.chance(0.2) {
                // A line that is moved and changed at once is another line.
                _ = world.settle()
                var lines = world.texts[1].split(separator: "\n")
                lines.insert(lines.removeLast(), at: 0)
                world.become(lines.joined(separator: "\n") + "\n", by: 1)
                _ = world.settle()
            }
            happen(in: &world, &random)
            let session = world.people[0].session
            let rest = session.text[session.caret...]
            #expect(rest.starts(with: mark), "seed \(seed): \(world.texts[0])")
        }
    }

    /// The edits that a client states turn one text into the other and divide no character.
    @Test(arguments: seeds(300))
    func statedEdits_leadToTheText(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let old = random.utf8(random.below(60)).map { $0 == 0x41 ? 0x0A : $0 }
        var new = old
        for _ in 0..<random.below(4) {
            let start = random.boundary(in: new)
            let end = random.boundary(in: new, from: start, to: start + 8)
            new.replaceSubrange(start..<max(start, end), with: random.utf8(random.below(5)))
        }
        let caret = random.chance(0.5) ? random.boundary(in: new) : nil
        for edits in [StatedDiff.edits(from: old, to: new, caret: caret), StatedDiff.shortEdits(from: old, to: new)] {
            #expect(edits.fault(forLength: old.count) == nil && edits.applied(to: old) == new, "seed \(seed)")
            let divides = edits.contains { edit in
                [edit.start, edit.end].contains { $0 < old.count && old[$0].isContinuation }
                    || !UTF8Validation.isValid(edit.replacement)
            }
            #expect(!divides, "seed \(seed)")
        }
    }

    /// The merge by lines gives the changed text if only one side changed anything.
    @Test(arguments: seeds(200))
    func merge_ofOneChange_isThatChange(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        func text() -> [UInt8] {
            (0..<random.below(8)).flatMap { _ in Array(random.pick(["a\n", "b b\n", "\n", "c d e\n", "f"]).utf8) }
        }
        let (base, new) = (text(), text())
        #expect(LineMerge.merged(base: base, mine: new, theirs: base) == new, "seed \(seed)")
        #expect(LineMerge.merged(base: base, mine: base, theirs: new) == new, "seed \(seed)")
        #expect(!LineMerge.isClash(base: base, mine: new, theirs: base), "seed \(seed)")
    }
}
