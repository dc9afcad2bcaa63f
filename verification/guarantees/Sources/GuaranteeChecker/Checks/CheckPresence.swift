/// Checks of presence (section 5 of the protocol, P1 to P16), which G5 promises like the lines of
/// watches.
extension Checker {
    /// What a connection holds of one dependent's presence in one note.
    private struct Held {
        let version: ParsedHistory.Version
        let selection: Range<Int>?
        let at: Int
    }

    /// Checks what each connection with a watch holds of the others' presence at the end.
    ///
    /// Only notes that were never deleted are checked, and only connections with one watch, by ids
    /// alone: it covers these notes from its start to the end of the connection.
    mutating func checkPresence() {
        let published = published()
        var checked = 0
        for watch in history.watches where watch.endedAt == nil && watch.syncedAt != nil {
            let filter = WatchFilter(watch, history.calls[watch.call])
            guard history.watches.filter({ $0.connection == watch.connection }).count == 1, run(watch.connection) != nil else {
                continue
            }
            let notes = graphs.filter { note, graph in
                filter.coversAllChanges(of: note) && !graph.revisions.contains { $0.isDeletion }
            }
            let held = held(by: watch)
            for (publisher, set) in published.sorted(by: { $0.key < $1.key }) where run(publisher) == run(watch.connection) {
                guard publisher != watch.connection || filter.isEchoing,
                    let dependent = history.connections[publisher]?.dependent
                else { continue }
                for note in notes.keys.sorted() {
                    let found = held[note]?[dependent]
                    let expected = set.note == note ? set : nil
                    guard found != nil || expected != nil else { continue }
                    checked += 1
                    check(found, expected, from: publisher, to: watch.connection, note, set)
                }
            }
        }
        count(.reliable, checked, "times the presence of another client in a note")
    }

    /// What a connection published last.
    private struct Published {
        let note: String?
        let version: ParsedHistory.Version
        let selection: Range<Int>?
        let sentAt: Int
    }

    /// The last presence of each connection, unless its last request was not answered. A connection
    /// that has ended is in no note.
    private func published() -> [Int: Published] {
        var published: [Int: Published] = [:]
        for call in history.calls where call.method == "presence.set" && call.refusal == nil {
            published[call.connection] =
                call.answeredAt == nil
                ? nil
                : Published(
                    note: call.params["note"]?.word, version: ParsedHistory.version(call.params["version"]?.word ?? ""),
                    selection: call.params["selection"].flatMap(Self.selection), sentAt: call.sentAt)
        }
        for (index, event) in history.events.enumerated() where event.what == .closed {
            published[event.connection] = Published(note: nil, version: "", selection: nil, sentAt: index)
        }
        return published
    }

    private static func selection(_ value: Value) -> Range<Int>? {
        guard let start = value["start"]?.number, let end = value["end"]?.number, start <= end else { return nil }
        return start..<end
    }

    /// What a connection holds at the end, by note and dependent, if it forgets what the protocol says.
    private func held(by watch: ParsedHistory.Watch) -> [String: [Int: Held]] {
        var held: [String: [Int: Held]] = [:]
        var lines = watch.lines[...]
        func forget(before at: Int) {
            while let line = lines.first, line.at < at {
                lines.removeFirst()
                switch line.what {
                case .reset: held = [:]
                case .changed(let note, _, "left"), .changed(let note, _, "deleted"): held[note] = nil
                case .changed, .synced, .bookmark: break
                }
            }
        }
        for line in history.presence where line.connection == watch.connection {
            forget(before: line.at)
            held[line.note, default: [:]][line.dependent] = line.version.map {
                Held(version: $0, selection: line.selection.flatMap(Self.selection), at: line.at)
            }
        }
        forget(before: .max)
        return held
    }

    private mutating func check(
        _ found: Held?, _ expected: Published?, from publisher: Int, to receiver: Int, _ note: String, _ set: Published
    ) {
        guard let expected else {
            return broken(
                .reliable, "a client was never notified that another one left \(note)", [set.sentAt, found?.at])
        }
        guard let found else {
            return broken(.reliable, "a client was never notified of another one in \(note)", [set.sentAt])
        }
        let text = history.texts[note]?[expected.version]?.text
        let (from, to) = (history.connections[publisher]?.encoding ?? .utf8, history.connections[receiver]?.encoding ?? .utf8)
        let selection = text.flatMap { text in expected.selection.flatMap { Splicing.range($0, of: text, from: from, to: to) } }
        if found.version != expected.version || (text != nil || expected.selection == nil) && found.selection != selection {
            broken(
                .reliable, "a client holds another selection or version of a client in \(note) than that one published",
                [set.sentAt, found.at])
        }
    }
}
