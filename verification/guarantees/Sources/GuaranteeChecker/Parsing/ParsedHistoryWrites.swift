extension ParsedHistory {
    static let writing: Set<String> = ["note.create", "note.save", "note.edit", "note.delete", "note.undo"]

    /// The write that a call requests.
    private func write(_ index: Int) -> Write {
        let call = calls[index]
        let params = call.params
        let note = params["id"]?.word
        let base = Self.dots(params["base"]?.word ?? "")
        let version = Self.version(base)
        let known = base.isEmpty ? [] : note.flatMap { texts[$0]?[version]?.text }
        let kind: Write.Kind
        let text: [UInt8]?
        switch call.method {
        case "note.create": (kind, text) = (.create, params["text"]?.bytes)
        case "note.delete": (kind, text) = (.delete, [])
        case "note.undo":
            let named = (params["ops"]?.elements ?? []).compactMap(\.word).compactMap { writeOfOp[$0] }.compactMap {
                writes[$0].dot
            }
            (kind, text) = (.undo((params["revisions"]?.elements ?? []).compactMap(\.word) + named), nil)
        case "note.edit":
            let edits = (params["edits"]?.elements ?? []).compactMap { Splicing.Edit($0) }
            let encoding = connections[call.connection]?.encoding ?? .utf8
            (kind, text) = (.text, known.flatMap { Splicing.apply(edits, to: $0, encoding) })
        default: (kind, text) = (.text, params["text"]?.bytes ?? known)
        }
        return Write(
            note: note, kind: kind, base: base, text: text, op: params["op"]?.word, calls: [index], sentAt: call.sentAt)
    }

    mutating func wrote(_ index: Int, _ result: Value, _ at: Int) {
        let call = calls[index]
        var write = write(index)
        let made = result["note"]
        if write.kind == .create {
            write.createdNote = made?["id"]?.word
            // A replayed response has the current state of the note, not the created one.
            let isFirst = result["replayed"]?.flag != true
            write.dot = isFirst ? made?["version"]?.word : nil
        } else {
            write.dot = result["dot"]?.word
            write.isUnchanged = result["outcome"]?.word == "unchanged"
            if let dot = write.dot, result["version"]?.word != dot {
                broken(.nothingLost, "a write returned a version other than its own, \(dot)", [call.sentAt, at])
            }
        }
        write.answeredAt = at
        write = merged(write, isReplayed: result["replayed"]?.flag == true, at)
        guard let id = write.id else { return }
        if let dot = write.dot, let text = write.text { show(id, dot, text, at: call.sentAt, isSent: true) }
        if let made { shown(made, write, call, at) }
    }

    /// Records the note in the response to a write.
    private mutating func shown(_ made: Value, _ write: Write, _ call: Call, _ at: Int) {
        guard let id = write.id, let version = made["version"]?.word.map(Self.version(_:)) else { return }
        if write.kind == .create { return shown(made, call.connection, at) }
        var text = made["text"]?.bytes
        // The edits in the response to an undo apply to the text of its base.
        var old = write.text
        if case .undo = write.kind { old = texts[id]?[Self.version(write.base)]?.text }
        if let edits = made["edits"], let sent = old {
            let list = edits.elements.compactMap { Splicing.Edit($0) }
            let encoding = connections[call.connection]?.encoding ?? .utf8
            let edited = Splicing.apply(list, to: sent, encoding)
            if edited == nil || text != nil && text != edited {
                broken(.convergent, "the edits and the text of a response do not agree", [call.sentAt, at])
            }
            text = text ?? edited
        }
        if let text { show(id, version, text, at: at) }
        showings.append(
            Showing(
                at: at, connection: call.connection, note: id, version: version, text: text, call: write.calls.last,
                isNow: true))
    }

    /// Adds a response to the known writes. A request with the `op` of an earlier one is the same
    /// write.
    private mutating func merged(_ write: Write, isReplayed: Bool, _ at: Int) -> Write {
        guard let op = write.op, let old = writeOfOp[op] else {
            if isReplayed, !isKnown(write) {
                broken(.refusedWhole, "a response is marked as replayed, but no earlier write had its op", [write.sentAt, at])
            }
            if let op = write.op { writeOfOp[op] = writes.count }
            writes.append(write)
            return write
        }
        if writes[old].answeredAt != nil, !isReplayed || writes[old].dot != write.dot && write.kind != .create {
            broken(
                .refusedWhole, "the op \(op) was executed twice",
                [writes[old].sentAt, writes[old].answeredAt ?? at, write.sentAt, at])
        }
        writes[old].calls += write.calls
        if writes[old].answeredAt == nil {
            writes[old].answeredAt = at
            // The response to a creation may already contain writes by others.
            writes[old].dot = write.dot
            writes[old].createdNote = write.createdNote
            writes[old].isUnchanged = write.isUnchanged
        }
        return writes[old]
    }

    /// Whether an earlier request with the same `op` was not refused.
    private func isKnown(_ write: Write) -> Bool {
        calls[..<write.calls[0]].contains { $0.refusal == nil && $0.params["op"]?.word == write.op }
    }

    /// Adds the writes without a response, which the daemon may have executed.
    ///
    /// If a request with the same `op` got a response, both are one write, which began when the
    /// first of them was sent.
    mutating func readUnanswered() {
        for index in calls.indices where calls[index].answeredAt == nil && Self.writing.contains(calls[index].method) {
            let write = write(index)
            if let op = write.op, let old = writeOfOp[op] {
                writes[old].calls.append(index)
                writes[old].sentAt = min(writes[old].sentAt, write.sentAt)
            } else {
                if let op = write.op { writeOfOp[op] = writes.count }
                writes.append(write)
            }
        }
    }
}
