import Foundation

/// Two concurrent changes of one text.
struct MergeCase {
    /// Name for messages.
    let name: String
    let base: String
    /// Nil if that side removed the text.
    let ours: String?
    let theirs: String?

    /// Reads the cases of a file with one JSON object per line.
    static func all(in path: String) throws(Failure) -> [MergeCase] {
        let lines = try Unpacked.contents(of: path).split(separator: 0x0a)
        var cases: [MergeCase] = []
        for (number, line) in lines.enumerated() {
            do {
                let written = try JSONDecoder().decode(Written.self, from: Data(line))
                let name = "merge \(number)" + (written.path.map { ", \($0)" } ?? "")
                cases.append(MergeCase(name: name, base: written.base, ours: written.ours, theirs: written.theirs))
            } catch {
                throw Failure("\(path), line \(number + 1), is not a merge: \(error)")
            }
        }
        guard !cases.isEmpty else { throw Failure("\(path) has no merges") }
        return cases
    }

    private struct Written: Decodable {
        let base: String
        let ours: String?
        let theirs: String?
        let path: String?
    }
}

// MARK: From a seed

extension MergeCase {
    /// Texts of 20 to 400 lines; each side changes one to six places of one to three lines. Whether
    /// the sides touch the same lines is random.
    static func seeded(_ count: Int, seed: UInt64) -> [MergeCase] {
        var random = SeededRandom(seed: seed)
        return (0..<count).map { number in
            let base = (0..<(20 + random.below(381))).map { _ in sentence(&random) }
            let (ours, theirs) = (changed(base, &random), changed(base, &random))
            return MergeCase(name: "merge \(number) of seed \(seed)", base: text(base), ours: text(ours), theirs: text(theirs))
        }
    }

    private static func changed(_ base: [String], _ random: inout SeededRandom) -> [String] {
        var lines = base
        for _ in 0..<(1 + random.below(6)) {
            let start = random.below(lines.count)
            let end = random.chance(0.4) ? start : min(lines.count, start + 1 + random.below(3))
            let added = start == end || random.chance(0.7) ? (0...random.below(3)).map { _ in sentence(&random) } : []
            lines.replaceSubrange(start..<end, with: added)
        }
        return lines
    }

    private static func sentence(_ random: inout SeededRandom) -> String {
        if random.chance(0.15) { return "" }
        return (0..<(4 + random.below(10))).map { _ in words[random.below(words.count)] }.joined(separator: " ") + "."
    }

    private static func text(_ lines: [String]) -> String {
        lines.map { $0 + "\n" }.joined()
    }

    private static let words = """
        a the of to and in that it is was for on are as with they be at one have this from or had by but some what there we \
        can out other were all your when up use word how said each she which do their time if will way about many then them \
        would write like so these her long make thing see him two has look more day could go come did sound no most number
        """.split(separator: " ").map(String.init)
}
