import NIOCore
import NotesModel
import NotesWire

/// The driver of a client: turns what `LinkStateMachine`, `RequestPipeline` and `WatchProgress` decide into socket operations, and what the
/// socket brings into their events.
///
/// It runs on one event loop, the channel's own, so nothing here is reached from two threads, and it starts no task: everything
/// is driven by the socket, by timers of the loop, and by those who call.
///
/// Connections are numbered; what comes late from one that was given up is left out.
actor ClientSession {
    typealias Response = CheckedContinuation<JSONValue, any Error>

    /// Whom an answer is for.
    enum ResponseTarget {
        case hello
        case caller(Response)
        case watch(Int)
        /// A caller that was cancelled, or an unwatch.
        case nobody
    }

    struct Watching {
        var progress: WatchProgress
        let buffer: WatchBuffer
        /// Who waits for the watch to start for the first time.
        var starter: CheckedContinuation<Void, any Error>?
    }

    let options: ClientOptions
    let eventLoop: any EventLoop
    var link: LinkStateMachine
    var pipeline = RequestPipeline()
    var addressees: [Int64: ResponseTarget] = [:]
    var watches: [Int: Watching] = [:]
    /// Who wants to hear how far a request has come.
    var listeners: [Int64: @Sendable (RequestProgress) -> Void] = [:]
    /// Watches by the daemon's number on this connection.
    var watchTokens: [UInt64: Int] = [:]

    private var channel: (any Channel)?
    private var handler: LineHandler?
    private var connection = 0
    var currentConnection: Int { connection }
    private var helloTimer: Scheduled<Void>?
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

    /// Does something on the session's loop, after what that is at.
    nonisolated func later(_ body: @escaping @Sendable (isolated ClientSession) -> Void) {
        eventLoop.execute { [self] in assumeIsolated { body($0) } }
    }

    // MARK: The connection

    /// Connects and says hello, the first time.
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
        Connector.dial(options.socketPath, on: eventLoop) { [self] channel in
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
        if let limits = link.hello?.limits { pipeline.inFlightMax = max(1, limits.inFlightMax) }
        for starter in starters { starter.resume() }
        starters = []
        for token in watches.keys.sorted() { askForWatch(token) }
        sendWaiting()
    }

    /// A connection ended, or was given up.
    func ended(_ error: ClientError, _ number: Int) {
        guard number == connection else { return }
        perform(link.failed(error))
    }

    private func leaveConnection() {
        // What is still to come from it is of no connection any more.
        connection += 1
        helloTimer?.cancel()
        helloTimer = nil
        handler = nil
        channel?.close(promise: nil)
        channel = nil
        watchTokens = [:]
        addressees = addressees.filter { if case .hello = $0.value { false } else { true } }
        let resends = link.end == nil && options.resending == .whatMayBeRepeated
        for request in pipeline.connectionLost(resends: resends) {
            failCaller(of: request.id, .connectionLost(mayHaveHappened: request.isWrite))
        }
        if link.end == nil {
            for token in watches.keys { interruptWatch(token, .connectionLost(mayHaveHappened: false)) }
        }
    }

    private func endAll() {
        let error = link.end ?? .closed
        for starter in starters { starter.resume(throwing: error) }
        starters = []
        let left = pipeline.close()
        for request in left.inFlight + left.waiting { failCaller(of: request.id, error) }
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

    /// Sends what the ledger lets go, and reads on if that makes answers expected.
    func sendWaiting() {
        guard link.isOpen else { return }
        while let request = pipeline.nextToSend() { write(request.line) }
        handOver()
    }

    /// Lines that are written in one turn of the loop leave in one system call.
    private func write(_ line: [UInt8]) {
        guard let channel else { return }
        channel.write(channel.allocator.buffer(bytes: line), promise: nil)
        guard !isFlushScheduled else { return }
        isFlushScheduled = true
        later { session in
            session.isFlushScheduled = false
            session.channel?.flush()
        }
    }

    // MARK: Reading

    /// Whether lines are to be read: always while an answer is expected, since its caller may be the consumer whose buffer is
    /// full; otherwise while every watch has room.
    func wantsLines(of number: Int) -> Bool {
        guard number == connection else { return false }
        return link.isGreeting || pipeline.isAnyInFlight || !watches.values.contains { $0.buffer.isFull }
    }

    func handOver() {
        guard let channel else { return }
        handler?.handOver(channel)
    }

    func lineReceived(_ line: [UInt8], of number: Int) {
        guard number == connection else { return }
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

    private func answered(_ id: RequestID, _ result: Result<JSONValue, ClientError>) {
        guard case .integer(let id) = id, let addressee = addressees[id] else {
            return ended(.protocolViolation("a response to a request that was not sent"), connection)
        }
        if case .hello = addressee {
            addressees[id] = nil
            return helloAnswered(result)
        }
        guard pipeline.answered(id) else {
            return ended(.protocolViolation("a response out of the order of the requests"), connection)
        }
        addressees[id] = nil
        listeners[id] = nil
        switch addressee {
        case .hello, .nobody: break
        case .caller(let caller): caller.resume(with: result.mapError { $0 })
        case .watch(let token): watchAnswered(token, result)
        }
        sendWaiting()
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
