import TestKit
import Testing

@testable import Suggestions

struct SuggestionsTests {
    /// Compares the distance with a naive recursive definition.
    @Test(arguments: seeds(200))
    func distance_matchesNaiveDefinition(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        func word() -> [Unicode.Scalar] { (0..<generator.below(6)).map { _ in generator.pick(["a", "b", "c"]) } }
        let (left, right) = (word(), word())
        func slow(_ i: Int, _ j: Int) -> Int {
            if i == 0 || j == 0 { return max(i, j) }
            var best = min(slow(i - 1, j) + 1, slow(i, j - 1) + 1, slow(i - 1, j - 1) + (left[i - 1] == right[j - 1] ? 0 : 1))
            if i > 1, j > 1, left[i - 1] == right[j - 2], left[i - 2] == right[j - 1] { best = min(best, slow(i - 2, j - 2) + 1) }
            return best
        }
        #expect(Suggestions.distance(left, right) == slow(left.count, right.count), "seed \(seed)")
        #expect(Suggestions.distance(left, right) == Suggestions.distance(right, left))
    }

    @Test func suggestions_areNearestFirst() {
        let names = ["work/inbox", "work/index", "home", "recipes/bread"]
        #expect(Suggestions.of("work/inbux", among: names) == ["work/inbox", "work/index"])
        #expect(Suggestions.of("inbox", among: names).first == "work/inbox")
        #expect(Suggestions.of("Bread", among: names) == ["recipes/bread"])
        #expect(Suggestions.of("treads", among: ["threads", "data"]) == ["threads"])
        // Much nearer words exclude those that share only a long beginning.
        #expect(Suggestions.of("limits.depht_max", among: ["limits.depth_max", "limits.watch_max"]) == ["limits.depth_max"])
    }

    @Test func distantWords_areNotSuggested() {
        #expect(Suggestions.of("zzz", among: ["work/inbox", "home"]).isEmpty)
        #expect(Suggestions.of("", among: ["threads", "data"]).isEmpty)
        #expect(Suggestions.of("something else", among: ["threads", "data"]).isEmpty)
        #expect(Suggestions.of("data", among: []).isEmpty)
    }

    @Test func question_joinsTheSuggestions() {
        func question(_ word: String, _ words: [String]) -> String? { Suggestions.question(word, among: words) { "<\($0)>" } }
        #expect(question("x", []) == nil)
        #expect(question("hme", ["home", "away"]) == "did you mean <home>?")
        #expect(question("aaa", ["aab", "aac", "aad", "aae"]) == "did you mean <aab>, <aac> or <aad>?")
    }
}
