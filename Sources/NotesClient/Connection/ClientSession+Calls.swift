import NotesModel
import NotesWire

/// Calls, from those who ask to those who are answered.
extension ClientSession {
    /// Sends a request and waits for its answer. While there is no connection but another will be tried, it waits for that.
    ///
    /// A cancelled caller is gone at once with `CancellationError`; a request that was sent then may still be done.
    ///
    /// - Parameter progress: called on the session's loop while the daemon is at it.
    func call(
        mayBeRepeated: Bool, isWrite: Bool, progress: (@Sendable (RequestProgress) -> Void)? = nil,
        line: @Sendable (RequestID) -> [UInt8]
    ) async throws -> JSONValue {
        try Task.checkCancellation()
        if let end = link.end { throw end }
        let id = nextRequest()
        let request = Request(id: id, line: line(.integer(id)), isWrite: isWrite, mayBeRepeated: mayBeRepeated)
        if let limit = link.hello?.limits.lineBytesMax, request.line.count > limit {
            throw ClientError.refused(.lineTooLong(limit: limit))
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                addressees[id] = .caller(continuation)
                listeners[id] = progress
                pipeline.submit(request)
                sendWaiting()
            }
        } onCancel: {
            // Later, on the loop: even a task that was cancelled before has put its caller there by then.
            later { $0.cancelCall(id) }
        }
    }

    private func cancelCall(_ id: Int64) {
        guard case .caller(let caller) = addressees[id] else { return }
        // What is in flight keeps its place: its answer comes and is nobody's.
        addressees[id] = pipeline.withdraw(id) ? nil : .nobody
        listeners[id] = nil
        caller.resume(throwing: CancellationError())
    }

    func failCaller(of id: Int64, _ error: ClientError) {
        listeners[id] = nil
        switch addressees.removeValue(forKey: id) {
        case .caller(let caller): caller.resume(throwing: error)
        // Watches are told by themselves.
        case .watch, .hello, .nobody, nil: break
        }
    }

    /// Of a request that was cancelled, lines may still be under way.
    func progressed(_ progress: RequestProgress) {
        if case .integer(let id) = progress.id { listeners[id]?(progress) }
    }
}
