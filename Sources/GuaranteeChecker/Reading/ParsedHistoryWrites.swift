extension ParsedHistory {
    private static let writing: Set<String> = ["note.create", "note.save", "note.edit", "note.delete"]

    /// What a call asks to be written.
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
            // What is answered once more shows what the note is by now.
            let isFirst = result["replayed"]?.flag != true
            write.dot = isFirst ? made?["version"]?.word : nil
        } else {
            write.dot = result["dot"]?.word
            write.isUnchanged = result["outcome"]?.word == "unchanged"
            if let dot = write.dot, result["version"]?.word != dot {
                broken(.nothingLost, "a writer was answered another version than its own, \(dot)", [call.sentAt, at])
            }
        }
        write.answeredAt = at
        write = merged(write, isReplayed: result["replayed"]?.flag == true, at)
        guard let id = write.id else { return }
        if let dot = write.dot, let text = write.text { show(id, dot, text, at: call.sentAt, isSent: true) }
        if let made { shown(made, write, call, at) }
    }

    /// What the answer shows beside the write itself.
    private mutating func shown(_ made: Value, _ write: Write, _ call: Call, _ at: Int) {
        guard let id = write.id, let version = made["version"]?.word.map(Self.version(_:)) else { return }
        if write.kind == .create { return shown(made, call.connection, at) }
        var text = made["text"]?.bytes
        if let edits = made["edits"], let sent = write.text {
            let list = edits.elements.compactMap { Splicing.Edit($0) }
            let encoding = connections[call.connection]?.encoding ?? .utf8
            let edited = Splicing.apply(list, to: sent, encoding)
            if edited == nil || text != nil && text != edited {
                broken(.convergent, "the edits of an answer and its text do not agree", [call.sentAt, at])
            }
            text = text ?? edited
        }
        if let text { show(id, version, text, at: at) }
        showings.append(
            Showing(
                at: at, connection: call.connection, note: id, version: version, text: text, call: write.calls.last,
                isNow: true))
    }

    /// The write as it is known after one more answer: what was sent again under its `op` is the same one.
    private mutating func merged(_ write: Write, isReplayed: Bool, _ at: Int) -> Write {
        guard let op = write.op, let old = writeOfOp[op] else {
            if isReplayed, !isKnown(write) {
                broken(.refusedWhole, "an op is said to be known that no answered write had", [write.sentAt, at])
            }
            if let op = write.op { writeOfOp[op] = writes.count }
            writes.append(write)
            return write
        }
        if writes[old].answeredAt != nil, !isReplayed || writes[old].dot != write.dot && write.kind != .create {
            broken(
                .refusedWhole, "the op \(op) was carried out twice",
                [writes[old].sentAt, writes[old].answeredAt ?? at, write.sentAt, at])
        }
        writes[old].calls += write.calls
        if writes[old].answeredAt == nil {
            writes[old].answeredAt = at
            // A note that was created may show others' writes by now.
            writes[old].dot = write.dot
            writes[old].createdNote = write.createdNote
            writes[old].isUnchanged = write.isUnchanged
        }
        return writes[old]
    }

    /// Whether a write was sent before under the same `op`, and not refused.
    private func isKnown(_ write: Write) -> Bool {
        calls[..<write.calls[0]].contains { $0.refusal == nil && $0.params["op"]?.word == write.op }
    }

    /// Writes that nobody answered; they may have happened.
    ///
    /// One that was sent again under its `op` is one with the one that was answered, and began when it was sent first.
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
