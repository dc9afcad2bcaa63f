import Causality
import Dependents
import Logging
import NotesModel
import NotesStore

extension Engine {
    /// The results of executed writes, with the contents of the conflicts' sides. A response whose sides
    /// lie far below the cached note waits, and so do the later ones of its connection. If it cannot
    /// wait, the rows are read at once: the engine ends, presence of the connection waits already, or
    /// too much waits.
    ///
    /// A response that waits shows the note as it is then. If its connection has written to the note again in
    /// the same turn, it would show that write before the response to it. So such a response lacks the sides;
    /// the one that follows it has them.
    ///
    /// - Throws: only errors after which the outcome is unknown.
    func detailed(_ responses: [Response], to writes: [PendingWrite]) throws(JournalError) -> [WriteResult] {
        var results: [WriteResult] = []
        results.reserveCapacity(responses.count)
        for (index, (response, write)) in zip(responses, writes).enumerated() {
            let dependent = write.dependent
            /// Whether the connection writes to the note again in this turn. Few responses depend on it.
            func isFollowed() -> Bool {
                writes[(index + 1)...].contains { $0.dependent == dependent && $0.command.note == write.command.note }
            }
            if longReads.holdsResponses(of: dependent) {
                let content = content(of: response, to: write, isFollowed: isFollowed())
                longReads.hold(HeldResponse(write, content), of: dependent)
                results.append(.held)
            } else {
                results.append(try detailed(response, to: write, isFollowed: isFollowed))
            }
        }
        return results
    }

    private func detailed(
        _ response: Response, to write: PendingWrite, isFollowed: () -> Bool
    ) throws(JournalError) -> WriteResult {
        let content = content(of: response, to: write, isFollowed: false)
        if case .complete(let response) = content { return .answered(response) }
        guard case .shows(let outcome, of: let command) = content, case .wrote(let whole, _, isReplay: false) = response,
            let shown = whole.shown, !shown.conflicts.isEmpty
        else { return .answered(response) }
        logConflict(outcome, of: write)
        // A long command comes with the sides.
        if case .wrote(_, let details, _) = response, details.count == shown.conflicts.count { return .answered(response) }
        do throws(JournalError) {
            if let details = try noteCache.keptDetails(of: shown.conflicts, inNote: command.note, at: shown.version) {
                return .answered(.wrote(whole, conflicts: details, isReplay: false))
            }
            if isFollowed() { return .answered(Self.bare(whole, shown)) }
            let item = LongReads.Item.responses(of: write.dependent)
            guard !isEnding, queuedBehind[write.dependent] == nil, longReads.hasRoom(for: item) else {
                let details = try noteCache.detailsAtOnce(of: shown.conflicts, inNote: command.note, at: shown.version)
                return .answered(.wrote(whole, conflicts: details, isReplay: false))
            }
            switch try noteCache.response(to: command, outcome) {
            case .ready(let response): return .answered(response)
            case .long(let load):
                longReads.hold(HeldResponse(write, content), of: write.dependent)
                // The response precedes the lines that show the write.
                dependents.sent(to: write.dependent)
                queuedBehind[write.dependent] = []
                put(item, for: .load(load))
                return .held
            }
        } catch {
            if case .fatal = error { throw error }
            logUnreadable(error, in: command.note)
            return .answered(Self.bare(whole, shown))
        }
    }

    /// The content to keep of a response that may have to wait. The response to a purge or a preview is
    /// complete.
    private func content(of response: Response, to write: PendingWrite, isFollowed: Bool) -> HeldResponse.Content {
        guard case .wrote(let outcome, _, let isReplay) = response else { return .complete(response) }
        if case .purgeNote = write.command { return .complete(purged(outcome, isReplay: isReplay)) }
        guard !isReplay, let shown = outcome.shown else { return .complete(response) }
        if isFollowed { return .complete(Self.bare(outcome, shown)) }
        // The conflicts of a preview are not in the note.
        if case .undoNote(let undo) = write.command, undo.isPreview { return .complete(Self.bare(outcome, shown)) }
        return .shows(Outcome(kind: outcome.kind, dot: outcome.dot, version: outcome.version, shown: nil), of: write.command)
    }

    /// Sends the responses that a connection waits for, until one needs another load.
    ///
    /// - Parameter mayWait: false if the daemon is stopping; then the conflicts lack their sides.
    func sendHeldResponses(to dependent: DependentID, mayWait: Bool = true) throws(JournalError) {
        var output = TurnOutput()
        var isDone = false
        defer {
            if !output.isEmpty { outputSink.deliver(output.connections) }
            if isDone { drained(dependent) }
        }
        while let held = longReads.firstHeld(of: dependent) {
            let response: Response
            switch held.content {
            case .complete(let complete): response = complete
            case .shows(let outcome, of: let command):
                switch try current(outcome, of: command, mayWait: mayWait) {
                case .ready(let current): response = current
                case .long(let load):
                    queuedBehind[dependent] = []
                    return put(.responses(of: dependent), for: .load(load))
                }
            }
            metrics.wrote([response])
            output.respond(response, requestNumber: held.requestNumber, to: dependent)
            longReads.dropFirstHeld(of: dependent)
        }
        isDone = true
    }

    /// The response to an executed write with the current note, without the sides of conflicts if they
    /// cannot be read.
    private func current(
        _ outcome: Outcome, of command: Command, mayWait: Bool
    ) throws(JournalError) -> NoteCache.Loaded<Response> {
        do throws(JournalError) {
            if mayWait { return try noteCache.response(to: command, outcome) }
        } catch {
            if case .fatal = error { throw error }
            logUnreadable(error, in: command.note)
        }
        do throws(JournalError) {
            if case .ready(let response) = try noteCache.response(to: command, outcome, withSides: false) {
                return .ready(response)
            }
        } catch {
            if case .fatal = error { throw error }
        }
        // Its version has the text that the client sent.
        return .ready(.wrote(outcome, conflicts: [], isReplay: false))
    }

    private func logConflict(_ outcome: Outcome, of write: PendingWrite) {
        guard outcome.kind == .conflicted else { return }
        logger.info(
            "two writes conflict; the note contains both sides until a write resolves the conflict",
            metadata: [
                "event": "note-conflicted", "note": "\(write.command.note)", "dependent": "\(write.dependent.number)",
            ])
    }

    private func logUnreadable(_ error: JournalError, in note: NoteID) {
        logger.error(
            "the sides of a conflict could not be read; the write is committed",
            metadata: ["event": "read-failed", "error": "\(error)", "note": "\(note)"])
    }

    /// The response to a write with the conflicts, without the contents of their sides.
    private static func bare(_ outcome: Outcome, _ shown: Outcome.Merged) -> Response {
        .wrote(outcome, conflicts: shown.conflicts.withoutSides, isReplay: false)
    }
}

extension HeldResponse {
    fileprivate init(_ write: PendingWrite, _ content: Content) {
        self.init(requestNumber: write.request.requestNumber, reservation: write.request.reservation, content: content)
    }
}
