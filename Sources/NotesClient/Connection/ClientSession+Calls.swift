import NotesModel
import NotesWire
import StrictJSON

/// Calls, from the request to its response.
extension ClientSession {
    /// Sends a request and waits for its response. Without a connection, the call waits for the
    /// next attempt, if there will be one.
    ///
    /// A cancelled caller gets `CancellationError` at once; the daemon may still execute a request
    /// that was sent.
    ///
    /// - Parameters:
    ///   - progress: called on the session's event loop while the daemon executes the request.
    ///   - placed: called on the session's event loop when the request has its place before later ones; never if
    ///     the call fails before.
    func call(
        mayBeRepeated: Bool, isWrite: Bool, progress: (@Sendable (RequestProgress) -> Void)? = nil,
        placed: (@Sendable () -> Void)? = nil, line: @Sendable (RequestID) -> [UInt8]
    ) async throws -> JSONValue {
        try Task.checkCancellation()
        if let end = link.end { throw end }
        let id = nextRequest()
        let request = ClientRequest(id: id, line: line(.integer(id)), isWrite: isWrite, mayBeRepeated: mayBeRepeated)
        if let limit = link.hello?.limits.lineBytesMax, request.line.count > limit {
            throw ClientError.refused(.lineTooLong(limit: limit))
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                addressees[id] = .caller(continuation)
                listeners[id] = progress
                pipeline.submit(request)
                placed?()
                sendWaiting()
            }
        } onCancel: {
            // Runs later on the loop. By then the operation has stored its continuation, even if
            // the task was already cancelled.
            later { $0.cancelCall(id) }
        }
    }

    private func cancelCall(_ id: Int64) {
        guard case .caller(let caller) = addressees[id] else { return }
        // A request in flight keeps its place; its response will be discarded.
        addressees[id] = pipeline.withdraw(id) ? nil : .nobody
        listeners[id] = nil
        caller.resume(throwing: CancellationError())
    }

    func failCaller(of id: Int64, _ error: ClientError) {
        listeners[id] = nil
        switch addressees.removeValue(forKey: id) {
        case .caller(let caller): caller.resume(throwing: error)
        case .feed(let caller): caller.resume(throwing: error)
        // Watches report the loss themselves.
        case .watch, .limit, .hello, .probe, .nobody, nil: break
        }
    }

    /// Reports progress to the caller, unless the request was cancelled.
    func progressed(_ progress: RequestProgress) {
        if case .integer(let id) = progress.id { listeners[id]?(progress) }
    }
}
