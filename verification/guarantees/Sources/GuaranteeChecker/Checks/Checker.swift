/// Checks a history against the guarantees of the protocol, without knowledge of the daemon's
/// implementation.
///
///     let verdicts = Checker.verdicts(of: history)
///
/// Only notes whose creation is in the history are checked. Other notes belong to other clients.
package struct Checker {
    var history: ParsedHistory
    var graphs: [String: NoteGraph] = [:]
    /// The last complete history of each note.
    private(set) var lastPages: [String: ParsedHistory.Page] = [:]
    /// The last `note.get` of each note's current state, which followed all writes.
    private(set) var lastShowings: [String: ParsedHistory.Showing] = [:]
    /// Events at which a run of the daemon first answered a hello, in ascending order.
    let runStarts: [Int]
    /// The event at which any connection first received a cursor.
    let firstSights: [String: Int]
    var faults: [Fault] = []
    var counts: [Guarantee: Int] = [:]
    var words: [Guarantee: String] = [:]

    /// The verdict on each guarantee, in the order of the protocol.
    package static func verdicts(of history: History) -> [Verdict] {
        var checker = Checker(ParsedHistory(history))
        return checker.verdicts()
    }

    init(_ history: ParsedHistory) {
        self.history = history
        var runs: Set<String> = []
        runStarts = history.calls.filter { $0.method == "session.hello" }.compactMap { call in
            guard let run = call.result?["replica"]?.word, runs.insert(run).inserted else { return nil }
            return call.answeredAt
        }
        var sights: [String: Int] = [:]
        for watch in history.watches {
            for (cursor, at) in [(watch.cursor, watch.answeredAt)]
                + watch.lines.compactMap({ line in line.cursor.map { ($0, line.at) } })
            {
                sights[cursor] = min(at, sights[cursor] ?? at)
            }
        }
        firstSights = sights
        faults = history.faults
        for page in history.pages where page.next == nil { lastPages[page.note] = page }
        for showing in history.showings where showing.isNow && showing.call.map({ history.calls[$0].method }) == "note.get" {
            lastShowings[showing.note] = showing
        }
    }

    mutating func verdicts() -> [Verdict] {
        for (note, writes) in Dictionary(
            grouping: history.writes.indices.filter { history.writes[$0].id != nil }, by: { history.writes[$0].id ?? "" }
        )
        .sorted(by: { $0.key < $1.key }) {
            graph(of: note, writes)
        }
        checkRevisions()
        checkTexts()
        checkLines()
        checkReads()
        checkWatches()
        checkOrigins()
        checkPresence()
        checkSearches()
        checkResumptions()
        checkIsolation()
        checkIdentity()
        checkRefusals()
        count(.convergent, history.agreements, "times a version was returned again, unchanged; other replicas are not covered")
        return Guarantee.allCases.map {
            Verdict($0, counts[$0] ?? 0, words[$0] ?? "", faults)
        }
    }

    mutating func broken(_ guarantee: Guarantee, _ words: String, _ events: [Int?]) {
        faults.append(Fault(guarantee: guarantee, words: words, events: events.compactMap(\.self)))
    }

    mutating func count(_ guarantee: Guarantee, _ number: Int, _ words: String) {
        counts[guarantee, default: 0] += number
        guard number > 0 || self.words[guarantee] == nil else { return }
        let before = self.words[guarantee].map { $0.isEmpty ? "" : $0 + ", " } ?? ""
        self.words[guarantee] = before + "\(number) \(words)"
    }

    /// The run of the daemon that served a connection.
    func run(_ connection: Int) -> String? { history.connections[connection]?.run }

    /// The connections that sent a write.
    func senders(_ write: Write) -> Set<Int> { Set(write.calls.map { history.calls[$0].connection }) }

    // MARK: The revisions of each note

    /// Builds the graph of a note from the writes that got a dot.
    ///
    /// A write without a response is matched with a revision in the note's history that has the
    /// same text and parents. If there is such a write and no history was read, the note's
    /// revisions are unknown, and the note is not checked.
    private mutating func graph(of note: String, _ writes: [Int]) {
        var graph = NoteGraph()
        var waiting = writes.filter { history.writes[$0].dot != nil }
        let page = lastPages[note]
        let answered = Set(waiting.compactMap { history.writes[$0].dot })
        var unknown = (page?.revisions ?? []).filter { !answered.contains($0.dot) }
        var open = writes.filter { history.writes[$0].dot == nil && !history.writes[$0].isUnchanged }
        guard page != nil || open.isEmpty else { return }
        var isMoving = true
        while isMoving {
            isMoving = false
            for index in waiting
            where history.writes[index].base.allSatisfy({ graph.indexOf[$0] != nil || !isToCome($0, waiting, unknown) }) {
                add(index, history.writes[index].dot ?? "", of: note, to: &graph)
                waiting.removeAll { $0 == index }
                isMoving = true
            }
            for revision in unknown where revision.parents.allSatisfy({ graph.indexOf[$0] != nil }) {
                unknown.removeAll { $0.dot == revision.dot }
                isMoving = true
                let match = open.first { mayHaveMade(revision, history.writes[$0], of: note, graph) }
                if let match {
                    open.removeAll { $0 == match }
                    add(match, revision.dot, of: note, to: &graph)
                } else {
                    broken(
                        .refusedWhole, "the history of \(note) has a revision that no request made, \(revision.dot)",
                        [page.flatMap { history.calls[$0.call].answeredAt }])
                }
            }
        }
        graphs[note] = graph
    }

    /// Whether a write without a response can have made a revision.
    private func mayHaveMade(_ revision: ParsedHistory.PageRevision, _ write: Write, of note: String, _ graph: NoteGraph) -> Bool
    {
        guard graph.maximal(write.base) == Set(revision.parents) else { return false }
        if case .undo(let named) = write.kind {
            return !revision.withdrawn.isEmpty && graph.effective(named, at: write.base) == Set(revision.withdrawn)
        }
        let text = history.texts[note]?[revision.dot]?.text
        return revision.withdrawn.isEmpty && (text == nil || write.text == nil || write.text == text)
            && revision.isDeletion ?? (write.kind == .delete) == (write.kind == .delete)
    }

    private func isToCome(_ dot: String, _ waiting: [Int], _ unknown: [ParsedHistory.PageRevision]) -> Bool {
        waiting.contains { history.writes[$0].dot == dot } || unknown.contains { $0.dot == dot }
    }

    private mutating func add(_ index: Int, _ dot: String, of note: String, to graph: inout NoteGraph) {
        let write = history.writes[index]
        var withdrawn: Set<String>?
        if case .undo(let named) = write.kind { withdrawn = graph.effective(named, at: write.base) }
        graph.add(
            NoteGraph.Revision(
                dot: dot, parents: write.base, isDeletion: write.kind == .delete,
                isEdit: write.calls.contains { history.calls[$0].method == "note.edit" }, withdrawn: withdrawn, text: write.text,
                baseText: history.texts[note]?[ParsedHistory.version(write.base)]?.text, sentAt: write.sentAt,
                answeredAt: write.answeredAt, senders: senders(write)))
    }
}
