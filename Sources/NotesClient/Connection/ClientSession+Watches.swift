import NotesMethods
import NotesModel
import NotesWire
import StrictJSON

/// Watches, which outlive the connections that carry them.
extension ClientSession {
    /// Makes a watch and waits until the daemon accepts it.
    func watch(_ params: WatchNotes) async throws -> NoteWatch {
        if let end = link.end { throw end }
        let token = nextWatch()
        // Weak, because the session holds the buffer and a watch may outlive its client.
        let buffer = WatchBuffer(limits: options.bufferLimits) { [weak self] in self?.later { $0.handOver() } }
        let watch = NoteWatch(buffer: buffer) { [weak self] in self?.later { $0.releaseWatch(token) } }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                watches[token] = Watching(progress: WatchProgress(params), buffer: buffer, starter: continuation)
                askForWatch(token)
                sendWaiting()
            }
        } onCancel: {
            watch.cancel()
        }
        return watch
    }

    /// Sends `notes.watch`. Without a connection, `proceed` does so when there is one.
    func askForWatch(_ token: Int) {
        guard link.isOpen, let watching = watches[token] else { return }
        let id = nextRequest()
        addressees[id] = .watch(token)
        let line = Call.watch(watching.progress.params).line(id: .integer(id))
        pipeline.submit(ClientRequest(id: id, line: line, isWrite: false, mayBeRepeated: false))
    }

    func watchAnswered(_ token: Int, _ result: Result<JSONValue, ClientError>) {
        switch result {
        case .success(let value):
            do throws(ParamFault) {
                watchStarted(token, try WatchResult(reading: value))
            } catch {
                ended(.protocolViolation("\(error.path) in the response to notes.watch \(error.reason)"), currentConnection)
            }
        case .failure(let error): endWatch(token, error)
        }
    }

    private func watchStarted(_ token: Int, _ result: WatchResult) {
        guard var watching = watches.removeValue(forKey: token) else { return unwatch(result.watch) }
        let start = watching.progress.started(result)
        watchTokens[result.watch] = token
        watching.starter?.resume()
        watching.starter = nil
        watches[token] = watching
        watching.buffer.put(.started(start), bytes: 0)
    }

    /// Ends a watch whose consumer is gone.
    func releaseWatch(_ token: Int) {
        guard let watching = watches.removeValue(forKey: token) else { return }
        watching.starter?.resume(throwing: CancellationError())
        if let wireID = watching.progress.wireID {
            watchTokens[wireID] = nil
            unwatch(wireID)
        }
        // If only the buffer of this watch was full, reading can continue.
        handOver()
    }

    private func unwatch(_ wireID: UInt64) {
        guard link.isOpen else { return }
        let id = nextRequest()
        addressees[id] = .nobody
        let line = Call.unwatch(WatchID(wireID)).line(id: .integer(id))
        pipeline.submit(ClientRequest(id: id, line: line, isWrite: false, mayBeRepeated: false))
        sendWaiting()
    }

    func endWatch(_ token: Int, _ error: ClientError) {
        guard let watching = watches.removeValue(forKey: token) else { return }
        watching.starter?.resume(throwing: error)
        watching.buffer.end(error)
    }

    /// Marks a watch as interrupted. It resumes on the next connection.
    func interruptWatch(_ token: Int, _ error: ClientError) {
        guard var watching = watches.removeValue(forKey: token) else { return }
        if watching.progress.wireID != nil { watching.buffer.put(.interrupted(error), bytes: 0) }
        watching.progress.connectionLost()
        watches[token] = watching
    }

    // MARK: Lines

    func notified(_ notification: ServerNotification, bytes: Int) {
        switch notification {
        case .changed(let change): deliver(.changed(change), watch: change.watch, bytes: bytes)
        case .synced(let mark): deliver(.synced(mark), watch: mark.watch, bytes: bytes)
        case .bookmark(let mark): deliver(.bookmark(mark), watch: mark.watch, bytes: bytes)
        case .reset(let reset): deliver(.reset(reset), watch: reset.watch, bytes: bytes)
        case .revisions(let page): feeds[page.watch]?.yield(page)
        case .closing(let closing): link.closingAnnounced(retryAfterMilliseconds: closing.retryAfterMilliseconds)
        case .progress(let progress): progressed(progress)
        case .presence(let presence):
            for token in watchTokens.values { watches[token]?.buffer.put(.presence(presence), bytes: bytes) }
        case .unknown: break
        }
    }

    private func deliver(_ event: WatchEvent, watch wireID: UInt64, bytes: Int) {
        // Lines for a watch that was released may still arrive.
        guard let token = watchTokens[wireID], var watching = watches.removeValue(forKey: token) else { return }
        let isNext = watching.progress.received(event)
        watches[token] = watching
        guard isNext else {
            return ended(.protocolViolation("watch \(wireID) has a gap before seq \(event.seq ?? 0)"), currentConnection)
        }
        watching.buffer.put(event, bytes: bytes)
    }
}
