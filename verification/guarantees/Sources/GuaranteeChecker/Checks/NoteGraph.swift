/// The revisions of one note with their pasts, and the tokens that each inserted and removed.
///
/// This is the simplest form of `docs/causality.md` §3: a token is in the text of a version unless
/// a write whose base showed the token removed it. Writes that the version withdraws count as if
/// they had never been made. Equal concurrent saves insert copies of one token, which are shown
/// once. The positions of tokens are not checked. So where a line may be kept because of a `note.edit`
/// that was not shown to the remover of a token, and the other way round, the token may be there or not.
struct NoteGraph {
    struct Revision {
        let dot: String
        let parents: [String]
        let isDeletion: Bool
        /// Whether a `note.edit` made it, which may keep a line that another write removes.
        let isEdit: Bool
        /// The revisions that an undo withdraws; nil for any other write.
        let withdrawn: Set<String>?
        let text: [UInt8]?
        /// The text of its base, if a client received it.
        let baseText: [UInt8]?
        let sentAt: Int
        let answeredAt: Int?
        /// The connections that sent the write.
        let senders: Set<Int>
        var inserted: Set<String> = []
        /// The removed tokens, and the revisions that inserted the copies which the base showed.
        var removed: [String: Set<Int>] = [:]
        /// Tokens that the write lacks and whose presence in the base is unknown, with their inserters.
        var perhapsRemoved: [String: Set<Int>] = [:]
    }

    private(set) var revisions: [Revision] = []
    private(set) var indexOf: [String: Int] = [:]
    private var pasts: [Set<Int>] = []
    /// The edits that may make each revision's removals void.
    private var rivalEdits: [Set<Int>] = []
    private var shownTokens: [ParsedHistory.Version: Tokens?] = [:]

    /// The tokens of a version.
    struct Tokens {
        /// The tokens that every text of the version shows.
        var required: Set<String> = []
        /// Further tokens that a text of the version may show.
        var possible: Set<String> = []
    }

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
            // A write on a deleted base replaces what the base would show without the deletion.
            let isOnDeleted = !revision.parents.isEmpty && isDeleted(past)
            let (before, required) = isOnDeleted || covered(by: base) != nil ? copies(in: past) : ([:], [])
            revision.inserted = isOnDeleted ? sent : sent.subtracting(before.keys)
            let gone = isOnDeleted ? before : before.filter { !sent.contains($0.key) }
            let displayed = isOnDeleted ? nil : revision.baseText.map { Set(Token.counts(in: $0).keys) }
            revision.removed = gone.filter { required.contains($0.key) || displayed?.contains($0.key) == true }
            if displayed == nil { revision.perhapsRemoved = gone.filter { !required.contains($0.key) } }
        }
        indexOf[revision.dot] = revisions.count
        let shown = counting(among: past)
        rivalEdits.append([])
        for other in revisions.indices where !shown.contains(other) {
            if revision.isEdit { rivalEdits[other].insert(revisions.count) }
            if revisions[other].isEdit { rivalEdits[revisions.count].insert(other) }
        }
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
        let counting = counting(among: covered)
        return !counting.isEmpty && siblings(of: counting).allSatisfy { revisions[$0].isDeletion }
    }

    // MARK: Undo

    /// The writes that determine the state of a version which includes `covered`: without undos, and
    /// without what these withdraw.
    private func counting(among covered: Set<Int>) -> Set<Int> {
        let withdrawn = withdrawn(among: covered)
        return covered.filter { revisions[$0].withdrawn == nil && !withdrawn.contains(revisions[$0].dot) }
    }

    /// The dots that the undos among `covered` withdraw. An undo that is itself withdrawn has no
    /// effect. Revisions are in causal order, so the newest are examined first.
    private func withdrawn(among covered: Set<Int>) -> Set<String> {
        covered.sorted(by: >).reduce(into: []) { withdrawn, index in
            guard let named = revisions[index].withdrawn, !withdrawn.contains(revisions[index].dot) else { return }
            withdrawn.formUnion(named)
        }
    }

    /// The revisions among those that an undo names which are not already withdrawn at its base.
    func effective(_ named: [String], at base: [String]) -> Set<String> {
        let covered = covered(by: ParsedHistory.version(base)) ?? []
        return Set(named).subtracting(withdrawn(among: covered))
    }

    /// Whether a revision may be the deletion of a note that was already deleted, or an undo that
    /// leaves the note deleted. A watch without tombstones does not report it, because nothing
    /// changes for the watch.
    ///
    /// - Parameter reported: the revisions that the watch has reported; empty if the initial state is
    ///   unknown.
    func mayDeleteAgain(_ revision: Revision, reported: Set<Int>) -> Bool {
        if revision.withdrawn != nil { return revisions.contains(where: \.isDeletion) }
        guard revision.isDeletion else { return false }
        return reported.isEmpty ? revisions.contains { $0.isDeletion && $0.dot != revision.dot } : isDeleted(reported)
    }

    /// The dots that are not in the past of another of these dots.
    func maximal(_ dots: [String]) -> Set<String> {
        let known = Set(dots.compactMap { indexOf[$0] })
        let seen = known.reduce(into: Set<Int>()) { $0.formUnion(pasts[$1]) }
        return Set(dots.filter { dot in indexOf[dot].map { !seen.contains($0) } ?? true })
    }

    /// The tokens of the text at a version; nil if no client sent one of the version's dots.
    mutating func tokens(at version: ParsedHistory.Version) -> Tokens? {
        if let known = shownTokens[version] { return known }
        let result = covered(by: version).map { tokens(of: $0) }
        shownTokens[version] = .some(result)
        return result
    }

    private func tokens(of covered: Set<Int>) -> Tokens {
        guard !isDeleted(covered) else { return Tokens() }
        let (all, required) = copies(in: covered)
        return Tokens(required: required, possible: Set(all.keys).subtracting(required))
    }

    /// The tokens that would or may be shown if no revision deleted the note, each with the revisions that
    /// inserted its copies; and those of them that must be shown.
    private func copies(in covered: Set<Int>) -> (all: [String: Set<Int>], required: Set<String>) {
        let counting = counting(among: covered)
        var copies: [String: Set<Int>] = [:]
        for index in counting { for token in revisions[index].inserted { copies[token, default: []].insert(index) } }
        var certain = copies
        for index in counting {
            let mayBeVoid = !rivalEdits[index].isDisjoint(with: counting)
            for (token, removed) in revisions[index].removed {
                if !mayBeVoid { copies[token]?.subtract(removed) }
                certain[token]?.subtract(removed)
            }
            for (token, removed) in revisions[index].perhapsRemoved { certain[token]?.subtract(removed) }
        }
        return (copies.filter { !$0.value.isEmpty }, Set(certain.filter { !$0.value.isEmpty }.keys))
    }

    /// The revisions that inserted a token, and those that removed it.
    func dots(of token: String) -> (inserting: [Int], removing: [Int]) {
        (
            revisions.indices.filter { revisions[$0].inserted.contains(token) },
            revisions.indices.filter { revisions[$0].removed[token] != nil }
        )
    }
}
