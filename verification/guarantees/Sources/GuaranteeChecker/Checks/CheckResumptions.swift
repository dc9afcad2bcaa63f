/// Checks of G6: a watch that resumes from a cursor reports, before `watch.synced`, each note that
/// changed after the cursor.
///
/// A write is after a cursor in two cases. First, it was sent after the cursor had been received.
/// Second, the cursor came on a line of a watch that reports every change of the note, and the
/// watch had not reported the write by then. A cursor means that everything up to it has been
/// delivered, so the write must be after it.
extension Checker {
    mutating func checkResumptions() {
        var checked = 0
        var resumptions = 0
        let unreported = unreportedByCursor()
        for watch in history.watches {
            let call = history.calls[watch.call]
            guard let cursor = call.params["since"]?.word, let seen = firstSights[cursor] else { continue }
            if watch.isReset {
                broken(
                    .resumable, "the daemon does not accept a cursor that it sent", [seen, call.sentAt, watch.answeredAt])
                continue
            }
            guard let synced = watch.syncedAt else { continue }
            resumptions += 1
            let filter = WatchFilter(watch, call)
            guard filter.isEchoing else { continue }
            checked += check(watch, filter, cursor, seen: seen, synced: synced, unreported[cursor] ?? [:])
        }
        count(.resumable, checked, "changes after the cursors from which \(resumptions) watches resumed")
        if resumptions == 0 { words[.resumable] = "no watch resumed from a cursor" }
    }

    private mutating func check(
        _ watch: ParsedHistory.Watch, _ filter: WatchFilter, _ cursor: String, seen: Int, synced: Int,
        _ unreported: [String: Set<Int>]
    ) -> Int {
        let call = history.calls[watch.call]
        var reported: [String: Set<Int>] = [:]
        var last: [String: Int] = [:]
        for line in watch.lines where line.at < synced {
            guard case .changed(let note, let version, _) = line.what else { continue }
            reported[note, default: []].formUnion(graphs[note]?.covered(by: version) ?? [])
            last[note] = line.at
        }
        var checked = 0
        for (note, graph) in graphs where filter.ids?.contains(note) ?? true {
            for (number, revision) in graph.revisions.enumerated() {
                guard let answered = revision.answeredAt, answered < call.sentAt else { continue }
                guard revision.sentAt > seen || unreported[note]?.contains(number) ?? false else { continue }
                checked += 1
                guard reported[note]?.contains(number) != true, !isGone(note, revision.dot) else { continue }
                broken(
                    .resumable, "a watch that resumed from \(cursor) did not report \(revision.dot) of \(note)",
                    [revision.sentAt, answered, seen, call.sentAt, watch.answeredAt, last[note], synced])
            }
        }
        return checked
    }

    /// By cursor, the revisions that a watch which reports every change had not reported by the
    /// line with that cursor.
    private func unreportedByCursor() -> [String: [String: Set<Int>]] {
        let requested = Set(history.watches.compactMap { history.calls[$0.call].params["since"]?.word })
        var result: [String: [String: Set<Int>]] = [:]
        for watch in history.watches {
            let filter = WatchFilter(watch, history.calls[watch.call])
            guard filter.isEchoing, let synced = watch.syncedAt else { continue }
            var reported: [String: Set<Int>] = [:]
            for line in watch.lines {
                if case .changed(let note, let version, _) = line.what {
                    reported[note, default: []].formUnion(graphs[note]?.covered(by: version) ?? [])
                }
                guard let cursor = line.cursor, requested.contains(cursor), line.at >= synced, result[cursor] == nil else {
                    continue
                }
                var unreported: [String: Set<Int>] = [:]
                for (note, graph) in graphs where filter.coversAllChanges(of: note) {
                    let reported = reported[note] ?? []
                    let late = graph.revisions.indices.filter {
                        let revision = graph.revisions[$0]
                        return revision.sentAt > synced && !reported.contains($0)
                            && !graph.mayDeleteAgain(revision, reported: reported)
                    }
                    if !late.isEmpty { unreported[note] = Set(late) }
                }
                result[cursor] = unreported
            }
        }
        return result
    }
}
