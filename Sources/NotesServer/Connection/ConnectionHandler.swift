import NIOCore
import NotesEngine
import NotesMethods
import NotesModel
import NotesWire

/// Drives one connection: passes events of its channel to `ConnectionState` and carries out the
/// actions that it returns. Used on the channel's event loop only.
final class ConnectionHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var state: ConnectionState
    /// The client end of the connection.
    let client: ClientEnd
    private let table: ConnectionTable
    /// Id of the dependent, once hello was submitted to the engine.
    private var dependent: DependentID?
    /// Number of outputs that the table queues for this connection.
    var outputsWaiting = 0
    /// Share of this connection in `MemoryAccount.bufferedBytes`.
    private var countedBytes = 0
    /// Share of this connection in `UserUsage.inFlight`, of the user and of the person.
    private var countedRequests = 0
    private let helloTime: TimeAmount
    private let lingerTime: TimeAmount

    /// Nil before the handler is added and after the connection is gone.
    private var context: ChannelHandlerContext?
    /// Nil before the connection is open, after `channelInactive`, and for channels without a socket.
    /// A channel that closes its socket calls `channelInactive` before it returns to the loop.
    private var socket: DirectSocketWriter?
    /// Encoded lines that were not written yet; empty outside of `proceed`.
    private var lines = LineBuffer()
    private var isFlushDue = false
    /// Whether a read was requested and has not completed.
    private var isReading = false
    /// Guards against recursion: a write can complete at once, inside `proceed`.
    private var isProceeding = false
    /// Whether `proceed` must run once more because of an event during its run.
    private var mustProceedAgain = false
    /// Whether lines wait for a slice of time. The table then calls `resume`.
    private var isResting = false
    private var helloTimeout: Scheduled<Void>?
    private var lingerTimeout: Scheduled<Void>?

    /// Size at which gathered lines are passed to the channel, in bytes. Each part reports when it
    /// is sent.
    private static let chunkBytesMax = 64 << 10

    /// Creates the handler of a new connection, before it is added to the channel's pipeline.
    init(state: ConnectionState, client: ClientEnd, table: ConnectionTable, configuration: ServerConfiguration) {
        self.state = state
        self.client = client
        self.table = table
        helloTime = .seconds(Int64(configuration.limits.helloSecondsMax))
        lingerTime = .seconds(Int64(configuration.lingerSecondsMax))
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        if context.channel.isActive { opened(context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        opened(context)
    }

    private func opened(_ context: ChannelHandlerContext) {
        guard helloTimeout == nil else { return }
        socket = DirectSocketWriter(of: context.channel)
        helloTimeout = context.eventLoop.assumeIsolated().scheduleTask(in: helloTime) {
            self.state.helloTimedOut()
            self.proceed()
        }
        proceed()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        unwrapInboundIn(data).withUnsafeReadableBytes { state.received($0) }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        isReading = false
        proceed()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .inputClosed? = event as? ChannelEvent {
            state.inputClosed()
            proceed()
        }
        context.fireUserInboundEventTriggered(event)
    }

    /// Closes the connection. The usual cause is a client that disconnects during a write.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        releaseResources()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        releaseResources()
    }

    /// Releases all shares and timers. Repeated calls have no effect.
    private func releaseResources() {
        guard context != nil else { return }
        context = nil
        socket = nil
        table.load.changeBuffered(by: -countedBytes)
        countedBytes = 0
        client.changeInFlight(by: -countedRequests)
        countedRequests = 0
        helloTimeout?.cancel()
        lingerTimeout?.cancel()
        table.closed(self, dependent)
    }
}

// MARK: - From the table

extension ConnectionHandler {
    /// Queues responses and notifications from the engine and writes what the socket accepts.
    func deliver(_ output: ConnectionOutput) {
        passTotals()
        if state.delivered(output) { proceed() } else { closeNow() }
    }

    /// The socket for the lines of a broadcast; nil if they have to be queued behind other lines.
    var directSocket: DirectSocketWriter? {
        isProceeding || !state.canBypassQueue ? nil : socket
    }

    /// Number of requests whose responses were not written yet.
    var requestsInFlight: Int { state.inFlight }

    /// Unit of offsets in this connection's lines.
    var encoding: PositionEncoding { state.encoding }

    /// Passes the lines of a broadcast to the channel after the socket accepted only some of their
    /// bytes.
    ///
    /// - Precondition: `directSocket` is not nil.
    func wrotePart(of lines: UnsafeRawBufferPointer, sent: Int) {
        guard let context else { return }
        state.wroteNotification(bytes: lines.count)
        state.sent(bytes: sent)
        writeThroughChannel(ByteBuffer(bytes: lines[sent...]), context)
        proceed()
    }

    /// Queues the lines of a broadcast behind other lines and writes what the socket accepts.
    func queue(_ notification: WatchNotification) {
        state.delivered(notification)
        proceed()
    }

    /// Writes the lines that wait for a slice of time.
    func resume() {
        isResting = false
        proceed()
    }

    /// Answers a request that the stopping engine did not take.
    func refusedByEngine(requestNumber: UInt64) {
        state.refusedByEngine(requestNumber: requestNumber)
        proceed()
    }

    /// Whether the user has any access.
    var isAdmitted: Bool { state.access != nil }

    /// Applies a new access level; nil ends the session.
    func accessChanged(to access: Access?) {
        guard access != state.access else { return }
        state.accessChanged(to: access)
        proceed()
    }

    /// Stops taking requests. Requests that were taken are still answered.
    func stopTaking() {
        state.stopTaking()
    }

    /// Sends `session.closing` after all responses, then ends the connection.
    func sayClosing() {
        state.sayClosing()
        proceed()
    }

    /// Closes the connection without sending what is queued.
    func closeNow() {
        context?.close(promise: nil)
    }
}

// MARK: - Actions

extension ConnectionHandler {
    /// Carries out all actions that the state returns, then flushes, sets the timers and requests a
    /// read. Lines that do not fit into a slice of time wait for `resume`.
    private func proceed() {
        guard !isProceeding else {
            mustProceedAgain = true
            return
        }
        isProceeding = true
        lines = table.takeLineBuffer()
        defer {
            isProceeding = false
            table.giveBack(&lines)
        }
        repeat {
            mustProceedAgain = false
            state.now = table.now()
            performActions()
            flush()
        } while mustProceedAgain
        guard let context else { return }
        if state.takeLagging(), let dependent { table.gather(.lagging(dependent)) }
        if state.isRegistered { helloTimeout?.cancel() }
        if state.isEnding, lingerTimeout == nil {
            lingerTimeout = context.eventLoop.assumeIsolated().scheduleTask(in: lingerTime) { self.closeNow() }
        }
        if state.wantsBytes, !isReading {
            isReading = true
            context.read()
        }
    }

    private func performActions() {
        var hasWritten = false
        while let context, let action = nextAction() {
            perform(action, context)
            guard case .write = action else { continue }
            if hasWritten, table.isSliceOver(since: state.now) { rest() }
            hasWritten = true
        }
    }

    /// Lets further lines wait for a slice of time.
    private func rest() {
        guard !isResting else { return }
        isResting = true
        table.resumeLater(self)
    }

    private func nextAction() -> ConnectionState.Action? {
        passTotals()
        state.mayWrite = !isResting
        let action = state.next()
        count()
        return action
    }

    /// Updates the shares of this connection in `MemoryAccount` and `UserUsage`.
    private func count() {
        guard context != nil else { return }
        let (bytes, requests) = state.shares()
        table.load.changeBuffered(by: bytes - countedBytes)
        countedBytes = bytes
        client.changeInFlight(by: requests - countedRequests)
        countedRequests = requests
    }

    /// Passes the totals of the other connections to the state, and whether requests are refused.
    private func passTotals() {
        state.othersWaitingBytes = table.load.bufferedBytes - countedBytes
        state.isOverloaded = table.load.isOverloaded || client.isOverQuota
    }

    private func perform(_ action: ConnectionState.Action, _ context: ChannelHandlerContext) {
        switch action {
        case .submit(let requestNumber, let body, let bytes): submit(requestNumber, body, table.load.count(requestBytes: bytes))
        case .count(let id, let limits):
            let isCounted = limits.user.map { table.count($0, on: client, inFlight: countedRequests) } ?? true
            state.limit(id, to: limits, isCounted: isCounted)
        case .drained: if let dependent { table.gather(.drained(dependent)) }
        case .write(let line): write(line, context)
        case .closeOutput: context.close(mode: .output, promise: nil)
        case .close: context.close(promise: nil)
        }
    }

    private func submit(_ requestNumber: UInt64, _ body: Request.Body, _ reservation: RequestReservation) {
        if let dependent {
            table.gather(
                .request(Request(dependent: dependent, requestNumber: requestNumber, body: body, reservation: reservation)))
        } else {
            dependent = table.register(self, requestNumber: requestNumber, body, reservation)
        }
    }

    private func write(_ line: OutboundLine, _ context: ChannelHandlerContext) {
        let bytes = table.encoder.encode(line, in: state.encoding, into: &lines) { session }
        state.wrote(line, bytes: bytes)
        if lines.count >= Self.chunkBytesMax { writeChunk(context) }
    }

    private var session: LineEncoder.Session {
        LineEncoder.Session(
            dependent: dependent, client: client, access: state.access, encoding: state.encoding,
            identity: table.engine?.identity)
    }

    /// Writes the encoded lines directly to the socket if nothing is queued before them, and the rest to
    /// the channel.
    private func writeChunk(_ context: ChannelHandlerContext) {
        guard lines.count > 0 else { return }
        let bytes = lines.takeAll()
        var sent = 0
        if state.unsentBytes == bytes.count, let socket, context.channel.isActive {
            // No earlier bytes are queued.
            sent = bytes.withUnsafeBytes(socket.write)
            state.sent(bytes: sent)
            mustProceedAgain = true
        }
        if sent < bytes.count { writeThroughChannel(ByteBuffer(bytes: bytes[sent...]), context) }
        lines.reuse(bytes)
    }

    /// Passes bytes to the channel, and reports to the state when they are sent.
    private func writeThroughChannel(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
        let count = bytes.readableBytes
        guard count > 0 else { return }
        let promise = context.eventLoop.makePromise(of: Void.self)
        promise.futureResult.assumeIsolated().whenSuccess {
            self.state.sent(bytes: count)
            // Otherwise each of many connections whose sockets have room again would take a slice.
            if !self.table.waiting.isEmpty { self.rest() }
            self.proceed()
        }
        context.write(wrapOutboundOut(bytes), promise: promise)
        isFlushDue = true
    }

    private func flush() {
        guard let context else { return }
        writeChunk(context)
        guard isFlushDue else { return }
        isFlushDue = false
        context.flush()
    }
}
