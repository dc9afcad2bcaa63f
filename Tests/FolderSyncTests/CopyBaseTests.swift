import Causality
import TestKit
import Testing

@testable import FolderSync

/// On which text of a file a conflict copy was made.
@Suite struct CopyBaseTests {
    /// Files with a history of single changes, and copies with changes of another program, which sometimes meet. Nearly
    /// always, the base has the lines of the true one, and no line counts as seen that came after that.
    @Test(arguments: seeds(20))
    func copies_areBasedOnTheTextTheyWereMadeOf(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var (right, lost) = (0, 0)
        for _ in 0..<100 {
            var texts = [(0..<10 + random.below(30)).map { "line \($0) of the note" }]
            for step in 0..<random.below(6) { texts.append(changed(texts[texts.count - 1], "here \(step)", &random)) }
            let base = random.below(texts.count)
            var copy = texts[base]
            for step in 0...random.below(3) { copy = changed(copy, "there \(step)", &random) }
            let candidates = texts.enumerated().map { CopyBase.Candidate(version: version($0), text: LineMarks(fileText($1))) }
            let found = CopyBase.version(of: LineMarks(fileText(copy)), among: candidates)
            guard let chosen = texts.indices.first(where: { version($0) == found }) else {
                Issue.record("seed \(seed): no base")
                continue
            }
            if texts[chosen].sorted() == texts[base].sorted() { right += 1 }
            let seen = Set(texts[...base].joined()).union(copy)
            if chosen > base, !seen.isSuperset(of: texts[chosen]) { lost += 1 }
        }
        #expect(right >= 85 && lost <= 2, "seed \(seed): \(right) right, \(lost) lost")
        #expect(CopyBase.version(of: marks("a"), among: []) == nil)
    }

    /// A text with a line inserted, replaced or removed.
    private func changed(_ lines: [String], _ new: String, _ random: inout SeededGenerator) -> [String] {
        var lines = lines
        let place = random.below(lines.count)
        switch random.below(3) {
        case 0: lines.insert("a line from \(new)", at: place)
        case 1: lines[place] = "another line from \(new)"
        default: if lines.count > 5 { lines.remove(at: place) }
        }
        return lines
    }
}
