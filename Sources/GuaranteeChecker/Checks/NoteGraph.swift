/// The revisions of one note with their pasts, and the tokens that each inserted and removed.
///
/// This is the simplest form of `docs/causality.md` §3: a token is in the text of a version unless
/// a write that had the token in its past removed it. The positions of tokens are not checked.
struct NoteGraph {
    struct Revision {
        let dot: String
        let parents: [String]
        let isDeletion: Bool
        let text: [UInt8]?
        let sentAt: Int
        let answeredAt: Int?
        /// The connections that sent the write.
        let senders: Set<Int>
        var inserted: Set<String> = []
        var removed: Set<String> = []
    }

    private(set) var revisions: [Revision] = []
    private(set) var indexOf: [String: Int] = [:]
    private var pasts: [Set<Int>] = []
    private var shownTokens: [ParsedHistory.Version: Set<String>?] = [:]

    /// Adds a revision.
    ///
    /// - Precondition: each of the parents was added before, or never will be.
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

    /// The revisions that a version includes; nil if one of its dots is unknown.
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

    /// Whether a revision may be the deletion of a note that was already deleted. A watch without
    /// tombstones does not report it, because nothing changes for the watch.
    ///
    /// - Parameter told: the revisions that the watch has reported; empty if the initial state is
    ///   unknown.
    func mayDeleteAgain(_ revision: Revision, reported: Set<Int>) -> Bool {
        guard revision.isDeletion else { return false }
        return reported.isEmpty ? revisions.contains { $0.isDeletion && $0.dot != revision.dot } : isDeleted(reported)
    }

    /// The dots that are not in the past of another of these dots.
    func maximal(_ dots: [String]) -> Set<String> {
        let known = Set(dots.compactMap { indexOf[$0] })
        let seen = known.reduce(into: Set<Int>()) { $0.formUnion(pasts[$1]) }
        return Set(dots.filter { dot in indexOf[dot].map { !seen.contains($0) } ?? true })
    }

    /// The tokens that the text at a version must contain; nil if no client sent one of the
    /// version's dots.
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

    /// The revisions that inserted a token, and those that removed it.
    func dots(of token: String) -> (inserting: [Int], removing: [Int]) {
        (
            revisions.indices.filter { revisions[$0].inserted.contains(token) },
            revisions.indices.filter { revisions[$0].removed.contains(token) }
        )
    }
}
