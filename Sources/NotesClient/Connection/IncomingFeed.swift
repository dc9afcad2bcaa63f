import NotesMethods
package import NotesWire
import StrictJSON

/// Revisions that the daemon sends to this client, page by page. It ends with the connection.
package struct IncomingFeed: Sendable {
    /// The daemon's response to the start.
    package let start: WatchRevisionsResult
    /// The pages. The daemon sends a few pages more than were acknowledged, so the stream is short. It
    /// ends with a `ClientError`.
    package let pages: AsyncThrowingStream<RevisionsPage, any Error>
}

extension ClientSession {
    func watchRevisions(_ params: WatchRevisions) async throws -> IncomingFeed {
        if let end = link.end { throw end }
        return try await withCheckedThrowingContinuation { continuation in
            let id = nextRequest()
            addressees[id] = .feed(continuation)
            let line = Call.watchRevisions(params).line(id: .integer(id))
            pipeline.submit(ClientRequest(id: id, line: line, isWrite: false, mayBeRepeated: false))
            sendWaiting()
        }
    }

    func feedAnswered(_ caller: CheckedContinuation<IncomingFeed, any Error>, _ result: Result<JSONValue, ClientError>) {
        switch result {
        case .success(let value):
            do throws(ParamFault) {
                let start = try WatchRevisionsResult(reading: value)
                let (pages, continuation) = AsyncThrowingStream<RevisionsPage, any Error>.makeStream()
                feeds[start.watch] = continuation
                caller.resume(returning: IncomingFeed(start: start, pages: pages))
            } catch {
                let fault = ClientError.protocolViolation("\(error.path) in the response to revisions.watch \(error.reason)")
                caller.resume(throwing: fault)
                ended(fault, currentConnection)
            }
        case .failure(let error): caller.resume(throwing: error)
        }
    }

    /// Ends all streams of revisions.
    func endFeeds(_ error: ClientError) {
        for feed in feeds.values { feed.finish(throwing: error) }
        feeds = [:]
    }
}
