/// R7: which texts above the floor the writer of X may have had. Such a text *fits*: X has all that came
/// after the floor, but for what programs brought and the writer took out.
struct Fitting {
    enum Fit: Hashable, Sendable {
        case yes, no
        /// The index of an entry whose text decides.
        case needs(Int)
    }

    let rule: BaseRule
    /// The index of the floor.
    let floor: Int
    private let texts: KeptTexts
    /// The births of the telling lines that X has. Their writer knew the other telling lines of the same
    /// birth, too.
    private let families: Set<Int>

    init(_ rule: BaseRule, floor: Int, _ texts: KeptTexts) {
        (self.rule, self.floor, self.texts) = (rule, floor, texts)
        families = Set(rule.young.compactMap { rule.birth[$0] })
    }

    func fits(_ index: Int) -> Fit {
        let there = rule.counts[index]
        guard rule.young.allSatisfy({ there[$0] != nil || isRemovedByProgram($0, before: index) }),
            let missing = missing(from: index), !hasAgainWhatTheMirrorTookOut(at: index)
        else { return .no }
        return missing.isEmpty ? .yes : TakenOut(rule, missing, from: index, texts).fit
    }

    /// R7 a: whether the last step on the way to a text that removed a line was a program's.
    private func isRemovedByProgram(_ line: LineMarks.Line, before index: Int) -> Bool {
        var index = index
        while let before = rule.shown.before(index) {
            if rule.counts[before][line] != nil { return rule.shown.entries[index].kind == .program }
            index = before
        }
        return false
    }

    /// R7 b: the lines that a text has more often than the floor and than X, with the index of the text
    /// that brought them. Nil if the mirror brought any, unless X has another line that came with it.
    private func missing(from index: Int) -> [LineMarks.Line: Int]? {
        var missing: [LineMarks.Line: Int] = [:]
        let (seen, entries) = (rule.counts[floor], rule.shown.entries)
        for (line, count) in rule.counts[index]
        where line.hasLetter && count > seen[line, default: 0] && count > rule.own[line, default: 0] {
            let first = rule.birth[line, default: index]
            let brought = (first...index).first { rule.counts[$0][line, default: 0] >= count } ?? index
            if line.tells, families.contains(brought) { continue }
            guard entries[brought].kind == .program || brought == 0 && entries[0].kind != .noFile else { return nil }
            missing[line] = brought
        }
        return missing
    }

    /// R7 c: whether X has a line that the mirror took out between the floor and a text.
    private func hasAgainWhatTheMirrorTookOut(at index: Int) -> Bool {
        let there = rule.counts[index]
        return rule.counts[floor].contains { line, count in
            let now = there[line, default: 0]
            guard line.hasLetter, now < count, rule.own[line, default: 0] > now else { return false }
            let step = (floor + 1...index).first { rule.counts[$0][line, default: 0] < count } ?? index
            return rule.shown.entries[step].kind != .program
        }
    }
}
