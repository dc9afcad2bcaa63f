extension ParsedHistory {
    init(_ history: History) {
        events = history.events
        for (index, event) in events.enumerated() {
            switch event.what {
            case .opened: connections[event.connection] = Connection()
            case .sent(let line): sent(line, event.connection, index)
            case .received(let line): received(line, event.connection, index)
            case .closed:
                for watch in connections[event.connection]?.watches.values ?? [:].values { watches[watch].endedAt = index }
                connections[event.connection]?.waiting = []
            case .stopped, .resumed, .gaveUp: break
            }
        }
        readUnanswered()
    }

    private mutating func sent(_ line: [UInt8], _ connection: Int, _ index: Int) {
        let value = Value(parsing: line)
        let isCall = value?["id"] != nil && value?["jsonrpc"] != nil
        let method = isCall ? value?["method"]?.word ?? "" : ""
        connections[connection, default: Connection()].waiting.append(calls.count)
        calls.append(Call(connection: connection, sentAt: index, method: method, params: value?["params"] ?? .object([:])))
    }

    private mutating func received(_ line: [UInt8], _ connection: Int, _ index: Int) {
        guard let value = Value(parsing: line) else {
            return broken(.ordered, "a line that is not JSON", [index])
        }
        if let method = value["method"]?.word {
            return receivedNotification(method, value["params"] ?? .null, connection, index)
        }
        guard let call = connections[connection]?.waiting.first else {
            return broken(.ordered, "a response without a request", [index])
        }
        connections[connection]?.waiting.removeFirst()
        if case .sent(let line) = events[calls[call].sentAt].what, let requested = Value(parsing: line)?["id"],
            let answered = value["id"], !answered.isNull, requested != answered
        {
            broken(.ordered, "a response is out of the order of the requests", [calls[call].sentAt, index])
        }
        calls[call].answeredAt = index
        if let result = value["result"] {
            calls[call].result = result
            answered(call, result, index)
        } else {
            calls[call].refusal = value["error"]?["data"]?["kind"]?.word ?? "?"
            calls[call].refusalPath = value["error"]?["data"]?["path"]?.word
        }
    }

    private mutating func answered(_ index: Int, _ result: Value, _ at: Int) {
        let call = calls[index]
        switch call.method {
        case "session.hello":
            connections[call.connection]?.run = result["replica"]?.word
            connections[call.connection]?.dependent = result["dependent"]?.number
            connections[call.connection]?.label = call.params["label"]?.bytes
            connections[call.connection]?.encoding =
                result["positionEncoding"]?.word.flatMap(Splicing.Encoding.init) ?? .utf8
        case _ where Self.writing.contains(call.method): wrote(index, result, at)
        case "note.get":
            if let note = result["note"] { got(note, index, at) }
        case "note.search":
            for hit in result["hits"]?.elements ?? [] {
                if let note = hit["note"] { shown(note, call.connection, at, call: index) }
            }
        case "note.list":
            for note in result["notes"]?.elements ?? [] { shown(note, call.connection, at, call: index) }
        case "note.history": page(result, index)
        case "notes.watch": began(result, index, at)
        case "notes.unwatch":
            let number = call.params["watch"]?.number ?? -1
            if let watch = connections[call.connection]?.watches[number] { watches[watch].endedAt = at }
        case "dependents.list": listed(result, index, at)
        case "daemon.config":
            for setting in result["settings"]?.elements ?? [] where setting["key"]?.word == "limits.outbox_bytes_max" {
                // The value is as in the configuration file: a number that may have underscores.
                outboxBytesMax =
                    setting["value"]?.number ?? setting["value"]?.word.flatMap { Int($0.filter { $0 != "_" }) }
            }
        default: break
        }
    }

    private mutating func got(_ note: Value, _ index: Int, _ at: Int) {
        let call = calls[index]
        guard let id = note["id"]?.word, let version = note["version"]?.word.map(Self.version(_:)) else { return }
        var text = note["text"]?.bytes
        if let from = call.params["from"]?.word, let edits = note["edits"] {
            text = spliced(edits, on: Self.version(from), of: id, call.connection, at)
        }
        // A read with `at` does not ask for the current state.
        let isNow = call.params["at"] == nil
        shown(note, call.connection, at, text: text, call: index, isNow: isNow)
        if let requested = call.params["at"]?.word, Self.version(requested) != version, Self.dots(requested).count == 1 {
            broken(.nothingLost, "a read of \(id) at \(requested) returned \(version)", [call.sentAt, at])
        }
    }

    /// The result of edits to the text of a version; nil if that text was never received.
    mutating func spliced(_ edits: Value, on base: Version, of note: String, _ connection: Int, _ at: Int) -> [UInt8]? {
        guard let known = texts[note]?[base] else { return nil }
        let encoding = connections[connection]?.encoding ?? .utf8
        guard let text = Splicing.apply(edits.elements.compactMap { Splicing.Edit($0) }, to: known.text, encoding) else {
            broken(.convergent, "edits of \(note) do not apply to its text at \(base)", [known.at, at])
            return nil
        }
        return text
    }

    /// Records a state of a note that arrived.
    ///
    /// - Parameter text: the text, if the note has edits instead of its `text`.
    mutating func shown(
        _ note: Value, _ connection: Int, _ at: Int, text: [UInt8]? = nil, call: Int? = nil, isNow: Bool = true
    ) {
        guard let id = note["id"]?.word, let version = note["version"]?.word.map(Self.version(_:)) else { return }
        let text = text ?? note["text"]?.bytes
        let facts = Facts(note)
        if let text { show(id, version, text, at: at) }
        if let facts {
            if let text, facts.bytes != text.count {
                broken(.convergent, "\(id) at \(version) has \(text.count) bytes, but its metadata says \(facts.bytes)", [at])
            }
            if let known = self.facts[id]?[version] {
                if known.facts == facts {
                    agreements += 1
                } else {
                    broken(.convergent, "\(id) at \(version) was returned with different metadata", [known.at, at])
                }
            } else {
                self.facts[id, default: [:]][version] = (facts, at)
            }
        }
        showings.append(
            Showing(
                at: at, connection: connection, note: id, version: version, text: text, facts: facts, call: call,
                isNow: isNow && call != nil))
    }

    private mutating func page(_ result: Value, _ index: Int) {
        let (call, note) = (calls[index], calls[index].params["id"]?.word ?? "")
        var newer: Page?
        if let before = call.params["before"]?.word {
            newer = pages.last { $0.note == note && $0.next == before && calls[$0.call].connection == call.connection }
            if newer == nil { return }
        }
        let revisions = (result["revisions"]?.elements ?? []).compactMap { revision -> PageRevision? in
            guard let dot = revision["dot"]?.word else { return nil }
            let parents = (revision["parents"]?.elements ?? []).compactMap(\.word)
            let withdrawn = (revision["withdraws"]?.elements ?? []).compactMap(\.word)
            return PageRevision(dot: dot, parents: parents, isDeletion: revision["deleted"]?.flag, withdrawn: withdrawn)
        }
        pages.append(
            Page(
                call: newer?.call ?? index, note: note, revisions: (newer?.revisions ?? []) + revisions,
                next: result["next"]?.word))
    }

    private mutating func listed(_ result: Value, _ index: Int, _ at: Int) {
        let run = connections[calls[index].connection]?.run
        for dependent in result["dependents"]?.elements ?? [] {
            let name = dependent["dependent"]?.number
            let ours = connections.first { $0.value.run == run && $0.value.dependent == name }
            if let ours, let bytes = dependent["outboxBytes"]?.number {
                waiting.append(Waiting(at: at, connection: ours.key, bytes: bytes))
            }
        }
    }
}

extension ParsedHistory.Facts {
    /// Nil if the metadata is incomplete, as in a line with the change `left`.
    init?(_ note: Value) {
        guard let bytes = note["bytes"]?.number, let isDeleted = note["deleted"]?.flag else { return nil }
        name = note["name"]?.word
        self.bytes = bytes
        self.isDeleted = isDeleted
        title = note["title"]?.word ?? ""
        tags = (note["tags"]?.elements ?? []).compactMap(\.word)
        conflicts = (note["conflicts"]?.elements ?? []).compactMap { $0["id"]?.word }.sorted()
    }
}
