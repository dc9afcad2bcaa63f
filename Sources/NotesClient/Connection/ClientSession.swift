import NIOCore
import NotesMethods
import NotesModel
import NotesWire
import StrictJSON

/// The driver of a client. It executes the decisions of `LinkStateMachine`, `RequestPipeline` and
/// `WatchProgress` as socket operations, and turns input from the socket into their events.
///
/// The actor runs on one event loop, which is also the channel's, so its state needs no locks. It
/// starts no tasks: the socket, the loop's timers and callers drive everything.
///
/// Connections are numbered, and events of a connection that was given up are ignored.
actor ClientSession {
    typealias Response = CheckedContinuation<JSONValue, any Error>

    /// The receiver of a response.
    enum ResponseTarget {
        case limit(SessionLimits)
        case hello
        case caller(Response)
        case watch(Int)
        case feed(CheckedContinuation<IncomingFeed, any Error>)
        /// A ping of the session itself.
        case probe
        /// A caller that was cancelled, or an unwatch: the response is discarded.
        case nobody
    }

    struct Watching {
        var progress: WatchProgress
        let buffer: WatchBuffer
        /// The caller that waits for the watch to start for the first time.
        var starter: CheckedContinuation<Void, any Error>?
    }

    let options: ClientOptions
    let eventLoop: any EventLoop
    var link: LinkStateMachine
    var pipeline = RequestPipeline()
    var addressees: [Int64: ResponseTarget] = [:]
    var watches: [Int: Watching] = [:]
    /// Progress callbacks by request id.
    var listeners: [Int64: @Sendable (RequestProgress) -> Void] = [:]
    /// Streams of revisions by the daemon's number of the watch.
    var feeds: [UInt64: AsyncThrowingStream<RevisionsPage, any Error>.Continuation] = [:]
    /// Bytes of lines that were skipped before the response to hello.
    private var skippedBytes = 0
    /// Watch tokens by the daemon's number of the watch on this connection.
    var watchTokens: [UInt64: Int] = [:]

    private var channel: (any Channel)?
    private var handler: LineHandler?
    private var connection = 0
    var currentConnection: Int { connection }
    private var helloTimer: Scheduled<Void>?
    /// Nil while no connection is open, or without limits for silence.
    var silence: SilenceMonitor?
    var silenceTimer: RepeatedTask?
    private var lastRequest: Int64 = 0
    private var lastWatch = 0
    private var isFlushScheduled = false
    private var starters: [CheckedContinuation<Void, any Error>] = []

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        eventLoop.executor.asUnownedSerialExecutor()
    }

    init(options: ClientOptions, eventLoop: any EventLoop) {
        self.options = options
        self.eventLoop = eventLoop
        link = LinkStateMachine(reconnecting: options.reconnecting, generator: options.generator)
    }

    /// Runs `body` on the session's event loop, after its current work.
    nonisolated func later(_ body: @escaping @Sendable (isolated ClientSession) -> Void) {
        eventLoop.execute { [self] in assumeIsolated { body($0) } }
    }

    // MARK: The connection

    /// Connects and sends hello for the first time.
    func start() async throws {
        try await withCheckedThrowingContinuation { continuation in
            starters.append(continuation)
            perform(link.start())
        }
    }

    func close() {
        perform(link.close())
    }

    func perform(_ action: LinkStateMachine.Action) {
        switch action {
        case .connect: dial()
        case .sayHello: sayHello()
        case .proceed: proceed()
        case .pause(let wait):
            leaveConnection()
            _ = eventLoop.scheduleTask(in: .nanoseconds(wait.nanosecondsClamped)) { [self] in
                assumeIsolated { $0.perform($0.link.pauseOver()) }
            }
        case .close:
            leaveConnection()
            endAll()
        case .nothing: break
        }
    }

    private func dial() {
        connection += 1
        let number = connection
        Connector.dial(options, on: eventLoop) { [self] channel in
            channel.eventLoop.makeCompletedFuture {
                try assumeIsolated { try $0.attach(to: channel, number) }
            }
        }.whenComplete { [self] result in
            assumeIsolated { session in
                switch result {
                case .success where number == session.connection: session.perform(session.link.connected())
                case .success(let channel): channel.close(promise: nil)
                case .failure(let error):
                    session.ended(Connector.error(error, path: session.options.socketPath), number)
                }
            }
        }
    }

    private func attach(to channel: any Channel, _ number: Int) throws {
        let handler = LineHandler(session: self, connection: number)
        try channel.pipeline.syncOperations.addHandler(handler)
        guard number == connection else { return }
        self.channel = channel
        self.handler = handler
    }

    private func sayHello() {
        if let limits = options.limits {
            let id = nextRequest()
            addressees[id] = .limit(limits)
            write(Call.limit(limits).line(id: .integer(id)))
        }
        let id = nextRequest()
        addressees[id] = .hello
        write(options.greeting.line(id: .integer(id)))
        let number = connection
        helloTimer = eventLoop.scheduleTask(in: .nanoseconds(options.helloTimeout.nanosecondsClamped)) { [self] in
            assumeIsolated { session in
                session.ended(session.options.notGreeted, number)
            }
        }
        handOver()
    }

    private func proceed() {
        helloTimer?.cancel()
        helloTimer = nil
        watchSilence()
        if let limits = link.hello?.limits { pipeline.inFlightMax = max(1, limits.inFlightMax) }
        for starter in starters { starter.resume() }
        starters = []
        for token in watches.keys.sorted() { askForWatch(token) }
        sendWaiting()
    }

    /// Handles the end of a connection, or a fault that ends it.
    func ended(_ error: ClientError, _ number: Int) {
        guard number == connection else { return }
        perform(link.failed(error))
    }

    private func leaveConnection() {
        // From here on, events of the old connection carry an outdated number.
        connection += 1
        skippedBytes = 0
        endFeeds(link.end ?? .connectionLost(mayHaveHappened: false))
        helloTimer?.cancel()
        helloTimer = nil
        endSilenceWatch()
        handler = nil
        channel?.close(promise: nil)
        channel = nil
        watchTokens = [:]
        addressees = addressees.filter {
            switch $0.value {
            case .hello, .limit, .probe: false
            case .caller, .watch, .feed, .nobody: true
            }
        }
        let resends = link.end == nil && options.resending == .whatMayBeRepeated
        for request in pipeline.connectionLost(resends: resends) {
            failCaller(of: request.id, link.end?.ofLost(request) ?? .connectionLost(mayHaveHappened: request.isWrite))
        }
        if link.end == nil {
            for token in watches.keys { interruptWatch(token, .connectionLost(mayHaveHappened: false)) }
        }
    }

    private func endAll() {
        let error = link.end ?? .closed
        for starter in starters { starter.resume(throwing: error) }
        starters = []
        let unanswered = pipeline.close()
        for request in unanswered.inFlight + unanswered.waiting { failCaller(of: request.id, error) }
        for token in watches.keys { endWatch(token, error) }
    }

    // MARK: Writing

    func nextRequest() -> Int64 {
        lastRequest += 1
        return lastRequest
    }

    func nextWatch() -> Int {
        lastWatch += 1
        return lastWatch
    }

    /// Sends the requests that the pipeline allows, and reads if responses are now expected.
    func sendWaiting() {
        guard link.isOpen else { return }
        while let request = pipeline.nextToSend() {
            if pipeline.oldestInFlight == request.id { silence?.moved() }
            write(request.line)
        }
        handOver()
    }

    /// Writes a line. Lines written in one turn of the event loop share one flush.
    private func write(_ line: [UInt8]) {
        guard let channel else { return }
        if silence == nil {
            channel.write(channel.allocator.buffer(bytes: line), promise: nil)
        } else {
            writeCounted(line, to: channel)
        }
        guard !isFlushScheduled else { return }
        isFlushScheduled = true
        later { session in
            session.isFlushScheduled = false
            session.channel?.flush()
        }
    }

    // MARK: Reading

    /// Whether to read lines now: while a response is expected, and while every watch has room.
    ///
    /// An expected response has priority over a full buffer, because its caller may be the consumer
    /// of that buffer.
    func wantsLines(of number: Int) -> Bool {
        guard number == connection else { return false }
        return link.isGreeting || pipeline.isAnyInFlight || !watches.values.contains { $0.buffer.isFull }
    }

    func handOver() {
        guard let channel else { return }
        handler?.handOver(channel)
    }

    func lineReceived(_ line: [UInt8], of number: Int) {
        guard number == connection, !skips(line) else { return }
        do throws(ServerLineFault) {
            switch try ServerLine(parsing: line) {
            case .result(let id, let value): answered(id, .success(value))
            case .failure(let id?, let error): answered(id, .failure(.refused(error)))
            case .failure(nil, let error): ended(.refused(error), number)
            case .notification(let notification): notified(notification, bytes: line.count)
            }
        } catch {
            ended(.protocolViolation("\(error)"), number)
        }
    }

    /// Whether a line precedes the daemon's first one: something that the program printed that makes the
    /// connection.
    private func skips(_ line: [UInt8]) -> Bool {
        guard options.opening != nil, link.isGreeting, line.first != UInt8(ascii: "{"),
            skippedBytes + line.count <= Self.skippedBytesMax
        else { return false }
        skippedBytes += line.count
        return true
    }

    private static let skippedBytesMax = 64 << 10

    private func answered(_ id: RequestID, _ result: Result<JSONValue, ClientError>) {
        guard case .integer(let id) = id, let addressee = addressees[id] else {
            return ended(.protocolViolation("a response to a request that was not sent"), connection)
        }
        switch addressee {
        case .limit(let limits):
            addressees[id] = nil
            return limitAnswered(limits, result)
        case .hello:
            addressees[id] = nil
            return helloAnswered(result)
        case .caller, .watch, .feed, .probe, .nobody: break
        }
        guard pipeline.answered(id) else {
            return ended(.protocolViolation("a response out of the order of the requests"), connection)
        }
        addressees[id] = nil
        listeners[id] = nil
        switch addressee {
        case .limit, .hello, .probe, .nobody: break
        case .caller(let caller): caller.resume(with: result.mapError { $0 })
        case .watch(let token): watchAnswered(token, result)
        case .feed(let caller): feedAnswered(caller, result)
        }
        sendWaiting()
    }

    private func limitAnswered(_ limits: SessionLimits, _ result: Result<JSONValue, ClientError>) {
        do throws(ClientError) {
            try limits.check(try result.get(), options)
        } catch {
            if case .refused(let refusal) = error { return ended(options.notLimited(refusal.message), connection) }
            ended(error, connection)
        }
    }

    private func helloAnswered(_ result: Result<JSONValue, ClientError>) {
        switch result {
        case .success(let value):
            do throws(ClientError) {
                perform(link.greeted(try HelloResult.read(value)))
            } catch {
                ended(error, connection)
            }
        case .failure(let error):
            ended(error.toHello, connection)
        }
    }
}
