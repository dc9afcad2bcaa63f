/// The revisions of one note, as they were sent and answered: who had been shown what, and what each inserted and removed.
///
/// The plainest form of `docs/causality.md` §3 for tokens alone: one is shown unless a write removed it whose writer had been shown
/// it. No place, no order, no merge: of where a token stands nothing is said.
struct NoteGraph {
    struct Revision {
        let dot: String
        let parents: [String]
        let isDeletion: Bool
        let text: [UInt8]?
        let sentAt: Int
        let answeredAt: Int?
        /// From which connections it was sent.
        let senders: Set<Int>
        var inserted: Set<String> = []
        var removed: Set<String> = []
    }

    private(set) var revisions: [Revision] = []
    private(set) var indexOf: [String: Int] = [:]
    private var pasts: [Set<Int>] = []
    private var shownTokens: [ParsedHistory.Version: Set<String>?] = [:]

    /// - Precondition: the parents of each are among those before it, or unknown for ever.
    mutating func add(_ revision: Revision) {
        guard indexOf[revision.dot] == nil else { return }
        var revision = revision
        let base = ParsedHistory.version(revision.parents)
        let past = revision.parents.reduce(into: Set<Int>()) { past, dot in
            guard let index = indexOf[dot] else { return }
            past.insert(index)
            past.formUnion(pasts[index])
        }
        if !revision.isDeletion, let text = revision.text {
            let sent = Set(Token.counts(in: text).keys)
            let isOnDeleted = !revision.parents.isEmpty && isDeleted(past)
            let before =
                isOnDeleted ? past.reduce(into: Set<String>()) { $0.formUnion(revisions[$1].inserted) } : tokens(at: base) ?? []
            revision.inserted = isOnDeleted ? sent : sent.subtracting(before)
            revision.removed = isOnDeleted ? before : before.subtracting(sent)
        }
        indexOf[revision.dot] = revisions.count
        revisions.append(revision)
        pasts.append(past)
    }

    /// The revisions that a version covers; nil where one of its dots is not known.
    func covered(by version: ParsedHistory.Version) -> Set<Int>? {
        var covered: Set<Int> = []
        for dot in ParsedHistory.dots(version) {
            guard let index = indexOf[dot] else { return nil }
            covered.insert(index)
            covered.formUnion(pasts[index])
        }
        return covered
    }

    private func siblings(of covered: Set<Int>) -> [Int] {
        let seen = covered.reduce(into: Set<Int>()) { $0.formUnion(pasts[$1]) }
        return covered.filter { !seen.contains($0) }
    }

    private func isDeleted(_ covered: Set<Int>) -> Bool {
        !covered.isEmpty && siblings(of: covered).allSatisfy { revisions[$0].isDeletion }
    }

    /// Whether a revision may delete what was deleted already. That changes nothing that a watch without tombstones covers, so it is not
    /// told.
    ///
    /// - Parameter told: the revisions that the watch was told of; where there are none, nobody knows what it found.
    func mayDeleteAgain(_ revision: Revision, told: Set<Int>) -> Bool {
        guard revision.isDeletion else { return false }
        return told.isEmpty ? revisions.contains { $0.isDeletion && $0.dot != revision.dot } : isDeleted(told)
    }

    /// The newest dots among some.
    func maximal(_ dots: [String]) -> Set<String> {
        let known = Set(dots.compactMap { indexOf[$0] })
        let seen = known.reduce(into: Set<Int>()) { $0.formUnion(pasts[$1]) }
        return Set(dots.filter { dot in indexOf[dot].map { !seen.contains($0) } ?? true })
    }

    /// What a text at a version has to have; nil where the version has a dot that nobody sent.
    mutating func tokens(at version: ParsedHistory.Version) -> Set<String>? {
        if let known = shownTokens[version] { return known }
        let result = covered(by: version).map { tokens(of: $0) }
        shownTokens[version] = .some(result)
        return result
    }

    private func tokens(of covered: Set<Int>) -> Set<String> {
        if isDeleted(covered) { return [] }
        var removers: [String: [Int]] = [:]
        for index in covered { for token in revisions[index].removed { removers[token, default: []].append(index) } }
        var shown: Set<String> = []
        for index in covered {
            for token in revisions[index].inserted
            where !(removers[token] ?? []).contains(where: { pasts[$0].contains(index) }) {
                shown.insert(token)
            }
        }
        return shown
    }

    /// Of a token, who inserted it and who removed it.
    func dots(of token: String) -> (inserting: [Int], removing: [Int]) {
        (
            revisions.indices.filter { revisions[$0].inserted.contains(token) },
            revisions.indices.filter { revisions[$0].removed.contains(token) }
        )
    }
}
