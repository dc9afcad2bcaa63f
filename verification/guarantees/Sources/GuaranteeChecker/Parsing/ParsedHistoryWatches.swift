extension ParsedHistory {
    mutating func began(_ result: Value, _ index: Int, _ at: Int) {
        let call = calls[index]
        let number = result["watch"]?.number ?? -1
        connections[call.connection]?.watches[number] = watches.count
        watches.append(
            Watch(
                call: index, connection: call.connection, number: number, answeredAt: at,
                cursor: result["cursor"]?.word ?? "", isReset: result["reset"]?.flag == true))
    }

    mutating func receivedNotification(_ method: String, _ params: Value, _ connection: Int, _ at: Int) {
        if method == "presence.changed" { return receivedPresence(params, connection, at) }
        guard let number = params["watch"]?.number else { return }
        guard let index = connections[connection]?.watches[number] else {
            return broken(.ordered, "a line of a watch before the response that starts it", [at])
        }
        let what: WatchLine.What
        switch method {
        case "note.changed":
            guard let note = params["note"], let id = note["id"]?.word,
                let version = note["version"]?.word.map(Self.version(_:))
            else { return broken(.ordered, "a change without a note", [at]) }
            var text: [UInt8]?
            if let edits = note["edits"], let base = note["base"]?.word {
                text = spliced(edits, on: Self.version(base), of: id, connection, at)
            }
            shown(note, connection, at, text: text)
            what = .changed(note: id, version: version, change: params["change"]?.word ?? "")
        case "watch.synced": what = .synced
        case "watch.bookmark": what = .bookmark
        case "watch.reset": what = .reset
        default: return
        }
        if what == .synced, watches[index].syncedAt == nil { watches[index].syncedAt = at }
        watches[index].lines.append(
            WatchLine(
                at: at, what: what, seq: params["seq"]?.number ?? -1, cursor: params["cursor"]?.word,
                coalesced: params["coalesced"]?.number,
                origin: params["origin"]?["dependent"]?.number.map {
                    Origin(dependent: $0, label: params["origin"]?["label"]?.bytes)
                }))
    }

    private mutating func receivedPresence(_ params: Value, _ connection: Int, _ at: Int) {
        guard let note = params["note"]?.word, let dependent = params["dependent"]?.number else {
            return broken(.reliable, "a notification of presence without a note or a dependent", [at])
        }
        presence.append(
            PresenceLine(
                at: at, connection: connection, note: note, dependent: dependent,
                version: params["version"]?.word.map(Self.version(_:)), selection: params["selection"]))
    }
}
