import Causality
import EditSession
import NoteTasks
import NoteText
import NotesModel
import NotesWire
import StrictJSON

/// Opening and closing buffers.
extension EditorHost {
    mutating func open(_ open: OpenBuffer, _ id: RequestID) throws(WireError) {
        guard keys[open.buffer] == nil else {
            throw .invalidParams(ParamFault(path: "params.buffer", reason: "is \(open.buffer), which is open"))
        }
        guard keys.count < AttachProtocol.buffersMax else {
            throw WireError(.overloaded, "\(AttachProtocol.buffersMax) buffers are open; close one first", isRetryable: false)
        }
        guard daemon != nil else { return refuseOffline(open, id) }
        lastKey += 1
        keys[open.buffer] = lastKey
        opening[lastKey] = (id, open)
        actions.append(.open(lastKey, open.subject, open.resume))
    }

    mutating func opened(_ key: Key, _ result: Result<OpenedNote, HostFailure>, _ now: Duration) {
        guard let (id, open) = opening.removeValue(forKey: key) else { return }
        let number = open.buffer
        switch result {
        case .success(let opened):
            let note = opened.note
            guard !buffers.values.contains(where: { $0.session.note == note.head.id && $0.closing == nil }) else {
                keys[number] = nil
                let reason = "names a note that another buffer of this connection shows"
                return send(WireError.invalidParams(ParamFault(path: "params", reason: reason)).line(id: id))
            }
            let hasDraft = kept.remove(note.head.id) != nil || !opened.replaced.isEmpty
            guard let (session, lineEnds) = session(for: opened, open.resume, hasDraft: hasDraft) else {
                keys[number] = nil
                return send(lines.parted(id, number, note))
            }
            var buffer = HostBuffer(number: number, note, session, lineEnds)
            buffer.hasDraft = hasDraft
            buffers[key] = buffer
            send(lines.opened(id, buffer, writer: writer, opened, isResumed: open.resume != nil))
            for path in opened.otherDrafts {
                send(HostLines.notice(number, "draft", "An earlier text of this note, which is not saved, is in \(path)."))
            }
            if case .create(let note, _, _) = open.subject { actions.append(.removeDraft(note)) }
            if buffer.hasDraft { actions += [keepDraft(key, buffer), .discard(note.head.id, opened.replaced)] }
            focus = key
            actions.append(.watch(key, note.head.id))
            if hasEnded { leave(key, now) }
        case .failure(.refused(let error)):
            keys[number] = nil
            send(error.line(id: id))
        case .failure(.offline):
            keys[number] = nil
            refuseOffline(open, id)
        }
    }

    /// Answers an opening that needs the daemon. What the editor wants to create, or goes on with, is kept.
    private mutating func refuseOffline(_ open: OpenBuffer, _ id: RequestID) {
        switch (open.subject, open.resume) {
        case (.create(let note, let name?, let text), nil) where !text.isEmpty:
            actions.append(.keepNewDraft(note, name: name, text))
            sendOffline(id, note)
        case (.id(let note), let resume?):
            kept.insert(note)
            actions.append(.keepDraft(note, name: ByteString("\(note)"), resume.text, base: Version(resume.dots)))
            sendOffline(id, note)
        default: send(HostLines.offline(id))
        }
    }

    /// The session of a note that was opened; nil if the daemon does not know the text that the editor shows.
    private func session(for opened: OpenedNote, _ resume: ResumedText?, hasDraft: Bool) -> (EditSession, LineEnds)? {
        guard resume != nil || opened.draft != nil || opened.createdBefore != nil else {
            let session = EditSession(opened.note, operations: ByteString(writer), isRemote: true)
            return (session, LineEnds(of: session.text))
        }
        guard case .found(let version, let shadow, let withdrawn) = opened.resumed else { return nil }
        let lineEnds = LineEnds(of: shadow)
        let draft = opened.createdBefore.map(lineEnds.hidden) ?? opened.draft?.text(for: lineEnds) ?? []
        // A write that was withdrawn used the name for its base.
        let own = ByteString(withdrawn == 0 ? writer : "\(writer)w\(withdrawn)")
        let session = EditSession(
            resuming: opened.note.head.id, text: resume.map { lineEnds.hidden($0.text) } ?? draft,
            version: version, shadow: shadow, isHeld: resume.map(isHeld) ?? true,
            operations: opened.draft?.operations(withdrawn: withdrawn) ?? own, hasDraft: hasDraft)
        return (session, lineEnds)
    }

    /// Whether the text of an editor that comes back is sent as a whole text, of which the daemon takes a change once, also if
    /// two hosts send it. Another host may have sent the text of another writer already, and its response was lost.
    private func isHeld(_ resume: ResumedText) -> Bool { resume.age > Self.liveMax || resume.writer != writer }

    /// Seconds after which typed text is sent as a whole text.
    private static let liveMax = 10

    mutating func close(_ number: Int, _ id: RequestID?, _ now: Duration) throws(WireError) {
        let key = try key(of: number)
        buffers[key]?.closing = id.map { .request($0) } ?? .nobody
        leave(key, now)
    }

    /// Saves what is left of a buffer whose editor has gone, without another edit for it.
    mutating func leave(_ key: Key, _ now: Duration) {
        guard var buffer = buffers[key] else { return }
        buffer.closing = buffer.closing ?? .nobody
        used.insert(buffer.number)
        buffers[key] = buffer
        leave(focus: key)
        if let offer = buffer.session.offer { give(.declined(offer.number, isBusy: true), to: key, now) }
        give(.saveAsked, to: key, now)
    }

    /// Ends a buffer that is closing if everything is saved, or cannot be.
    mutating func settle(_ key: Key, isRefused: Bool) {
        guard let buffer = buffers[key], let closing = buffer.closing else { return }
        let isSaved = buffer.session.isSaved
        guard isSaved || isRefused || !buffer.session.isOnline || buffer.session.isParted else { return }
        if !isSaved { actions += [keepDraft(key, buffer), .leaveDraft(buffer.session.note)] }
        buffers[key] = nil
        if keys[buffer.number] == key { keys[buffer.number] = nil }
        actions.append(.unwatch(key))
        guard case .request(let id) = closing else { return }
        func line(draft: Bool) -> [UInt8] {
            HostLines.result(id) { result in
                result.object { closed in
                    closed.member("saved", isSaved)
                    closed.member("draft", draft)
                }
            }
        }
        guard !isSaved else { return send(line(draft: false)) }
        guard !hasEnded else { return }
        actions.append(.sendAfterDraft(buffer.session.note, kept: line(draft: true), failed: line(draft: false)))
    }
}
