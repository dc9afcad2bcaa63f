/// Checks of G7, G9 and G10.
extension Checker {
    /// A period in which a connection did not read.
    private struct Sleep {
        let connection: Int
        let from: Int
        let to: Int
    }

    private var sleeps: [Sleep] {
        var asleep: [Int: Int] = [:]
        var sleeps: [Sleep] = []
        for (index, event) in history.events.enumerated() {
            switch event.what {
            case .stopped: asleep[event.connection] = index
            case .resumed, .closed:
                if let start = asleep.removeValue(forKey: event.connection) {
                    sleeps.append(Sleep(connection: event.connection, from: start, to: index))
                }
            default: break
            }
        }
        return sleeps + asleep.map { Sleep(connection: $0.key, from: $0.value, to: history.events.count) }
    }

    mutating func checkIsolation() {
        let sleeps = sleeps
        let limit = history.outboxBytesMax ?? 1 << 20
        var samples = 0
        var most = 0
        for waiting in history.waiting {
            guard
                let sleep = sleeps.first(where: {
                    $0.connection == waiting.connection && $0.from < waiting.at && waiting.at < $0.to
                })
            else { continue }
            samples += 1
            most = max(most, waiting.bytes)
            if waiting.bytes > limit {
                broken(
                    .isolated, "\(waiting.bytes) bytes are buffered for a client that does not read; the limit is \(limit)",
                    [sleep.from, waiting.at])
            }
        }
        var served = 0
        for call in history.calls {
            guard let answered = call.answeredAt,
                sleeps.contains(where: { $0.connection != call.connection && $0.from < call.sentAt && answered < $0.to })
            else { continue }
            served += 1
        }
        let stops = history.events.indices.compactMap { index -> (Int, String)? in
            if case .gaveUp(let words) = history.events[index].what { (index, words) } else { nil }
        }
        if let last = stops.last {
            // If the response arrives once the client reads again, it was held up by that client.
            if let sleep = sleeps.first(where: { $0.from < last.0 && last.0 < $0.to }) {
                broken(
                    .isolated, "while one client did not read, another waited in vain for \(last.1)",
                    [sleep.from, last.0, min(sleep.to, history.events.count - 1)])
            } else {
                broken(.reliable, "timed out while waiting for \(last.1)", [last.0])
            }
        }
        count(.isolated, served, "requests answered while another client did not read")
        count(.isolated, samples, "samples of the data buffered for such a client, at most \(most) of \(limit) bytes")
        if served == 0 || samples == 0 {
            counts[.isolated] = 0
            words[.isolated] = "no client stopped reading"
        }
    }

    /// Checks G9: each dot belongs to one write.
    mutating func checkIdentity() {
        var owners: [String: Int] = [:]
        for (index, write) in history.writes.enumerated() {
            guard let dot = write.dot else { continue }
            if let other = owners[dot] {
                broken(
                    .identity, "\(dot) was assigned to two writes",
                    [history.writes[other].sentAt, history.writes[other].answeredAt, write.sentAt, write.answeredAt])
            }
            owners[dot] = index
        }
        for page in history.pages {
            var seen: Set<String> = []
            for revision in page.revisions where !seen.insert(revision.dot).inserted {
                broken(
                    .identity, "\(revision.dot) occurs twice in the history of \(page.note)",
                    [history.calls[page.call].answeredAt])
            }
        }
        count(.identity, owners.count, "dots, each assigned once, in \(max(1, runStarts.count)) runs of the daemon")
    }

    // MARK: G10

    /// Checks that refused requests left no text, name, note or op.
    mutating func checkRefusals() {
        let written = Set(history.writes.flatMap { Token.counts(in: $0.text ?? []).keys })
        let names = Set(history.writes.flatMap { $0.calls.compactMap { history.calls[$0].params["name"]?.word } })
        let made = Set(history.writes.filter { $0.kind == .create }.compactMap(\.id))
        var tokens: [String: Int] = [:]
        var refusedNames: [String: Int] = [:]
        var refusedNotes: [String: Int] = [:]
        var refused = 0
        for (index, call) in history.calls.enumerated() where call.refusal != nil {
            guard case .sent(let line) = history.events[call.sentAt].what else { continue }
            refused += 1
            for token in Token.counts(in: line).keys where !written.contains(token) { tokens[token] = index }
            if let name = call.params["name"]?.word, !names.contains(name) { refusedNames[name] = index }
            if call.method == "note.create", let id = call.params["id"]?.word, !made.contains(id) { refusedNotes[id] = index }
            checkOp(of: index)
        }
        for (note, versions) in history.texts {
            for (_, shown) in versions where !shown.isSent {
                for token in Token.counts(in: shown.text).keys {
                    if let index = tokens[token] { recordFault(index, "\(note) contains its \(token)", shown.at) }
                }
            }
        }
        for showing in history.showings {
            if let name = showing.facts?.name, let index = refusedNames[name] {
                recordFault(index, "\(showing.note) has its name", showing.at)
            }
            if let index = refusedNotes[showing.note] { recordFault(index, "its note \(showing.note) exists", showing.at) }
        }
        count(.refusedWhole, refused, "refused requests without an effect")
    }

    private mutating func recordFault(_ index: Int, _ words: String, _ at: Int) {
        let call = history.calls[index]
        broken(.refusedWhole, "a request was refused, but \(words)", [call.sentAt, call.answeredAt, at])
    }

    /// Checks that an error about `params.op` has a cause: another write with the same `op`.
    private mutating func checkOp(of index: Int) {
        let call = history.calls[index]
        guard call.refusalPath == "params.op", let op = call.params["op"]?.word else { return }
        let earlier = history.writeOfOp[op].map { history.writes[$0].sentAt < call.answeredAt ?? 0 } ?? false
        if !earlier {
            let first = history.calls.first { $0.params["op"]?.word == op && $0.refusal != nil }
            broken(
                .refusedWhole, "a refused request used up its op \(op)",
                [first?.sentAt, first?.answeredAt, call.sentAt, call.answeredAt])
        }
    }
}
