import Algorithms

/// Checks of G1, G2 and the part of G3 that needs a kill: revisions that were acknowledged or
/// received are in the store at the end.
extension Checker {
    mutating func checkRevisions() {
        var survived = 0
        var seen = 0
        var reread = 0
        for (note, graph) in graphs.sorted(by: { $0.key < $1.key }) {
            guard let page = lastPages[note], let pageAnswered = history.calls[page.call].answeredAt else { continue }
            let call = history.calls[page.call]
            let there = Dictionary(page.revisions.map { ($0.dot, $0) }, uniquingKeysWith: { old, _ in old })
            for revision in graph.revisions {
                guard let answered = revision.answeredAt, answered < call.sentAt else { continue }
                let isAcrossRuns = runs(from: answered, to: call.sentAt) > 1
                if let found = there[revision.dot] {
                    reread += 1
                    survived += isAcrossRuns ? 1 : 0
                    if Set(found.parents) != graph.maximal(revision.parents) {
                        broken(
                            .nothingLost, "\(revision.dot) of \(note) has parents other than its base",
                            [revision.sentAt, answered, pageAnswered])
                    }
                    if Set(found.withdrawn) != revision.withdrawn ?? [] {
                        broken(
                            .nothingLost, "\(revision.dot) of \(note) withdraws other revisions than its request named",
                            [revision.sentAt, answered, pageAnswered])
                    }
                } else {
                    broken(
                        isAcrossRuns ? .durable : .nothingLost,
                        "\(revision.dot) of \(note) was acknowledged but is missing", [revision.sentAt, answered, pageAnswered])
                }
            }
            seen += checkSeen(note, there: Set(there.keys), graph, page)
        }
        count(.durable, survived, "acknowledged revisions read again after a restart")
        if survived == 0 { words[.durable] = "the daemon was not restarted; use --disturb with a command that kills it" }
        count(.nothingLost, reread, "acknowledged revisions in the histories")
        count(.nothingLost, history.rereadings, "revisions read again byte for byte")
        if seen > 0 { count(.durableFirst, seen, "versions read before a restart and still there after it") }
    }

    /// Checks that versions which any client received are in the note's history.
    private mutating func checkSeen(_ note: String, there: Set<String>, _ graph: NoteGraph, _ page: ParsedHistory.Page) -> Int {
        let call = history.calls[page.call]
        var seen: Set<String> = []
        var gone: Set<String> = []
        for showing in history.showings where showing.note == note && showing.at < call.sentAt {
            for dot in ParsedHistory.dots(showing.version) where !there.contains(dot) {
                // A missing revision that was acknowledged is already reported.
                let isAcknowledged = graph.indexOf[dot].map { graph.revisions[$0].answeredAt != nil } ?? false
                guard !isAcknowledged, gone.insert(dot).inserted else { continue }
                let isAcrossRuns = runs(from: showing.at, to: call.sentAt) > 1
                broken(
                    isAcrossRuns ? .durableFirst : .nothingLost, "\(dot) of \(note) was returned but is missing",
                    [showing.at, call.answeredAt])
            }
            if runs(from: showing.at, to: call.sentAt) > 1 { seen.insert(showing.version) }
        }
        return seen.count
    }

    /// Number of runs of the daemon between two events, including the runs at both.
    func runs(from start: Int, to end: Int) -> Int {
        runStarts.isEmpty ? 0 : runNumber(at: end) - runNumber(at: start) + 1
    }

    private func runNumber(at event: Int) -> Int {
        runStarts.partitioningIndex { $0 > event }
    }

    /// Checks that each text has the tokens that its version requires, and none that it cannot have, each
    /// once.
    mutating func checkTexts() {
        var checked = 0
        for (note, versions) in history.texts.sorted(by: { $0.key < $1.key }) {
            guard var graph = graphs[note] else { continue }
            for (version, shown) in versions.sorted(by: { $0.value.at < $1.value.at }) where !shown.isSent {
                guard let expected = graph.tokens(at: version) else { continue }
                checked += 1
                let counts = Token.counts(in: shown.text)
                for token in expected.required.subtracting(counts.keys).sorted() {
                    recordFault(
                        "\(token) is missing, but no client that had it removed it", token, note, version, shown.at, graph)
                }
                for (token, count) in counts.sorted(by: { $0.key < $1.key }) {
                    if !expected.required.contains(token), !expected.possible.contains(token) {
                        recordFault(
                            "\(token) is present, but a client that had it removed it", token, note, version, shown.at, graph)
                    } else if count > 1 {
                        recordFault("\(token) occurs \(count) times", token, note, version, shown.at, graph)
                    }
                }
            }
            graphs[note] = graph
        }
        count(.nothingLost, checked, "texts, token by token")
    }

    private mutating func recordFault(
        _ words: String, _ token: String, _ note: String, _ version: String, _ at: Int, _ graph: NoteGraph
    ) {
        let (inserting, removing) = graph.dots(of: token)
        let concerned = (inserting + removing).flatMap { [graph.revisions[$0].sentAt, graph.revisions[$0].answeredAt] }
        // If the inserting revisions are missing, that is already reported.
        guard inserting.isEmpty || !inserting.allSatisfy({ isGone(note, graph.revisions[$0].dot) }) else { return }
        // A token that no accepted write inserted belongs to a refused one; see `checkRefusals`.
        if inserting.isEmpty { return }
        broken(.nothingLost, "\(note) at \(version): \(words)", concerned + [at])
    }

    /// Whether a revision is missing from the history, which is reported separately.
    func isGone(_ note: String, _ dot: String) -> Bool {
        guard let page = lastPages[note] else { return false }
        return !page.revisions.contains { $0.dot == dot }
    }

    // MARK: Reads

    /// Checks G3: a read after an acknowledged write includes it, and no client receives its own
    /// write before the response. Checks G2: the last read includes every acknowledged write.
    mutating func checkReads() {
        var reads = 0
        var sets: [String: [ParsedHistory.Version: Set<Int>]] = [:]
        for showing in history.showings where showing.isNow {
            guard let graph = graphs[showing.note], let index = showing.call else { continue }
            let call = history.calls[index]
            let known = sets[showing.note]?[showing.version] ?? graph.covered(by: showing.version)
            guard let covered = known else { continue }
            sets[showing.note, default: [:]][showing.version] = covered
            for (number, revision) in graph.revisions.enumerated() {
                let isBehind = revision.answeredAt.map { $0 < call.sentAt } ?? false
                let isOwnBehind =
                    revision.answeredAt != nil && revision.sentAt < call.sentAt && revision.senders == [call.connection]
                guard isBehind || isOwnBehind else { continue }
                reads += 1
                guard !covered.contains(number), !isGone(showing.note, revision.dot) else { continue }
                broken(
                    isLast(showing) ? .nothingLost : .durableFirst,
                    "a read of \(showing.note) misses \(revision.dot), which was acknowledged before",
                    [revision.sentAt, revision.answeredAt, call.sentAt, showing.at])
            }
        }
        count(.durableFirst, reads, "acknowledged writes that a later read had to include")
        checkFirstSights()
    }

    private func isLast(_ showing: ParsedHistory.Showing) -> Bool { lastShowings[showing.note]?.at == showing.at }

    private mutating func checkFirstSights() {
        var answers: [String: (connection: Int, sentAt: Int, answeredAt: Int)] = [:]
        for write in history.writes {
            guard let dot = write.dot, let answeredAt = write.answeredAt, write.calls.count == 1 else { continue }
            answers[dot] = (history.calls[write.calls[0]].connection, write.sentAt, answeredAt)
        }
        var reported = 0
        for showing in history.showings {
            for dot in ParsedHistory.dots(showing.version) {
                guard let answer = answers[dot], answer.connection == showing.connection else { continue }
                reported += 1
                if showing.at < answer.answeredAt {
                    broken(
                        .durableFirst, "\(dot) of \(showing.note) reached its writer before the response",
                        [answer.sentAt, showing.at, answer.answeredAt])
                }
            }
        }
        count(.durableFirst, reported, "times a writer received its own write after the response")
    }
}
