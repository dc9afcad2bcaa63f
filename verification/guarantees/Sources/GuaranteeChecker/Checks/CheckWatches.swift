/// Checks of G4 and G5: the lines of each watch, and the state that the watch ends with.
extension Checker {
    mutating func checkWatches() {
        var lines = 0
        var ends = 0
        for watch in history.watches {
            checkNumbers(of: watch)
            lines += checkOrder(of: watch)
            if watch.endedAt == nil { ends += checkEnd(of: watch) }
        }
        count(.ordered, lines, "changes in commit order, none twice")
        count(.reliable, history.watches.reduce(0) { $0 + $1.lines.count }, "lines numbered without a gap")
        count(.reliable, ends, "notes whose newest state a watch reported")
    }

    private mutating func checkNumbers(of watch: ParsedHistory.Watch) {
        var before: ParsedHistory.WatchLine?
        for line in watch.lines {
            if line.seq != (before?.seq ?? 0) + 1 {
                broken(
                    .reliable, "line \(line.seq) of a watch follows line \(before?.seq ?? 0)",
                    [before?.at ?? watch.answeredAt, line.at])
            }
            if let coalesced = line.coalesced, coalesced < 2 {
                broken(.reliable, "a line claims to combine \(coalesced) changes", [line.at])
            }
            before = line
        }
    }

    /// Checks the order of lines.
    ///
    /// The commit of a line is the newest of its version's writes. So a line must not follow one
    /// that has a write which was sent after all of this line's writes had been acknowledged. The
    /// states of one note must be strictly growing sets of revisions.
    private mutating func checkOrder(of watch: ParsedHistory.Watch) -> Int {
        var checked = 0
        var latest: (sentAt: Int, line: ParsedHistory.WatchLine)?
        var states: [String: (covered: Set<Int>, at: Int)] = [:]
        let isSnapshot = if case .snapshot = WatchFilter(watch, history.calls[watch.call]).start { true } else { false }
        for line in watch.lines {
            guard case .changed(let note, let version, let change) = line.what, let graph = graphs[note] else { continue }
            if change == "snapshot", !isSnapshot || watch.syncedAt.map({ $0 < line.at }) ?? false {
                broken(
                    .ordered, "a watch reports \(note) as part of a snapshot outside of one",
                    [history.calls[watch.call].sentAt, line.at])
            }
            guard let covered = graph.covered(by: version) else { continue }
            checked += 1
            if let before = states[note], !covered.isStrictSuperset(of: before.covered) {
                let words = covered == before.covered ? "in the same state twice" : "in an older state after a newer one"
                broken(.ordered, "a watch reports \(note) \(words)", [watch.answeredAt, before.at, line.at])
            }
            states[note] = (covered, line.at)
            let own = ParsedHistory.dots(version).compactMap { graph.indexOf[$0] }.map { graph.revisions[$0] }
            if let latest, let answered = own.map({ $0.answeredAt ?? .max }).max(), answered < latest.sentAt {
                broken(
                    .ordered, "a watch reports \(note) at \(version) after a later write",
                    own.flatMap { [$0.sentAt, $0.answeredAt] } + [latest.sentAt, latest.line.at, line.at])
            }
            if let began = own.map(\.sentAt).max(), began > latest?.sentAt ?? -1 { latest = (began, line) }
        }
        return checked
    }

    /// Checks that a watch which is open at the end has reported the newest state of each note that
    /// it covers, and the departure of each note that it covers no longer.
    private mutating func checkEnd(of watch: ParsedHistory.Watch) -> Int {
        let call = history.calls[watch.call]
        let filter = WatchFilter(watch, call)
        var last: [String: (version: String, change: String, at: Int)] = [:]
        for line in watch.lines {
            if case .changed(let note, let version, let change) = line.what { last[note] = (version, change, line.at) }
        }
        var checked = 0
        for (note, showing) in lastShowings.sorted(by: { $0.key < $1.key }) {
            guard let graph = graphs[note], let facts = showing.facts, let end = graph.covered(by: showing.version) else {
                continue
            }
            let reported = last[note].flatMap { graph.covered(by: $0.version) } ?? []
            let unreported = end.subtracting(reported).map { graph.revisions[$0] }
            let missing = filter.isEchoing ? unreported : owed(unreported, reported, graph, to: watch.connection)
            if filter.matches(note, facts) {
                let isShown = last[note].map { $0.change != "left" && $0.change != "deleted" } ?? false
                let wasThere = filter.coversAllChanges(of: note) && !end.contains { graph.revisions[$0].isDeletion }
                let due = last[note] == nil ? missing.filter { isDue($0.sentAt, filter, watch, wasThere) } : missing
                checked += missing.isEmpty || !due.isEmpty ? 1 : 0
                if let first = due.first {
                    broken(
                        .reliable, "a watch never reported \(note) at \(showing.version)",
                        [call.sentAt, watch.answeredAt, first.sentAt, first.answeredAt, last[note]?.at, showing.at])
                } else if missing.isEmpty, unreported.isEmpty, !isShown, last[note] != nil {
                    broken(
                        .reliable, "a watch reported that \(note) left its filter, but it matches",
                        [call.sentAt, last[note]?.at, showing.at])
                }
            } else if let last = last[note], last.change != "left", last.change != "deleted" {
                checked += 1
                if !filter.isEchoing, missing.isEmpty { continue }
                broken(
                    .reliable, "a watch never reported that \(note) left its filter",
                    [call.sentAt, watch.answeredAt, last.at, showing.at])
            }
        }
        return checked
    }

    /// The revisions that a watch without echo must report.
    ///
    /// The responses already report the connection's own writes. If the note is deleted, by the
    /// connection itself or in what the watch has reported, another deletion is not reported.
    private func owed(
        _ unreported: [NoteGraph.Revision], _ reported: Set<Int>, _ graph: NoteGraph, to connection: Int
    ) -> [NoteGraph.Revision] {
        let firstOwnDeletion = unreported.filter { $0.isDeletion && $0.senders.contains(connection) }.map(\.sentAt).min() ?? .max
        return unreported.filter { revision in
            if revision.senders.contains(connection) || graph.mayDeleteAgain(revision, reported: reported) { return false }
            return !revision.isDeletion || revision.answeredAt ?? .max < firstOwnDeletion
        }
    }

    /// Whether a watch that has reported nothing else about a note must report a write that was
    /// sent at `sentAt`.
    ///
    /// - Parameter wasThere: whether the note has matched the filter since its creation.
    private func isDue(_ sentAt: Int, _ filter: WatchFilter, _ watch: ParsedHistory.Watch, _ wasThere: Bool) -> Bool {
        switch filter.start {
        // A note that did not match when the watch began may match because of the connection's own
        // write, which a watch without echo does not report.
        case .snapshot: filter.isEchoing || wasThere || sentAt > watch.answeredAt
        case .now: sentAt > watch.answeredAt
        case .since(let cursor): sentAt > firstSights[cursor] ?? .max
        }
    }
}
