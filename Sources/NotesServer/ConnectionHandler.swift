import NIOCore
import NotesEngine
import NotesModel

/// Does what `ConnectionState` says, on the connection's channel.
final class ConnectionHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var state: ConnectionState
    let peer: Peer
    private let table: ConnectionTable
    /// Its number once its hello was accepted.
    private var dependent: DependentID?
    /// How many parcels the table has for it and has not delivered.
    var parcelsWaiting = 0
    /// What `MemoryAccount` counts of what waits on this connection, in bytes.
    private var countedBytes = 0
    /// What his `UserUsage` counts of its requests.
    private var countedRequests = 0
    private let helloTime: TimeAmount
    private let lingerTime: TimeAmount

    /// Nil before the connection is there and after it is gone.
    private var context: ChannelHandlerContext?
    /// Nil until the connection is there, and where it has none.
    private var socket: DirectSocketWriter?
    /// Lines that were encoded and not handed to the channel yet.
    private var chunk = ByteBuffer()
    private var isFlushDue = false
    /// Whether bytes were asked for and have not come.
    private var isReading = false
    /// Writing can report at once what has left, inside `proceed`.
    private var isProceeding = false
    private var mustGoRound = false
    private var helloTimeout: Scheduled<Void>?
    private var lingerTimeout: Scheduled<Void>?

    /// Lines are gathered up to this size before they are handed to the channel, each part of which reports when it has left.
    private static let chunkBytesMax = 64 << 10

    init(state: ConnectionState, peer: Peer, table: ConnectionTable, configuration: ServerConfiguration) {
        self.state = state
        self.peer = peer
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

    /// The peer went away while something was written to it, mostly.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        gone()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        gone()
    }

    private func gone() {
        guard context != nil else { return }
        context = nil
        socket = nil
        table.load.changeBuffered(by: -countedBytes)
        countedBytes = 0
        peer.usage.changeInFlight(by: -countedRequests)
        countedRequests = 0
        helloTimeout?.cancel()
        lingerTimeout?.cancel()
        table.closed(self, dependent)
    }
}

// MARK: - From the table

extension ConnectionHandler {
    func deliver(_ parcel: Parcel) {
        count()
        if state.delivered(parcel) { proceed() } else { closeNow() }
    }

    /// What a parcel with this notice alone would, but straight to the socket where nothing else is under way. What leaves whole leaves
    /// the state as it was.
    ///
    /// - Parameter scratch: room to encode it in.
    /// - Returns: whether it has left.
    func tell(_ notification: WatchNotification, with scratch: inout ByteBuffer) -> Bool {
        guard let context, let socket, !isProceeding, state.tellsAtOnce, context.channel.isActive else {
            if state.delivered(notification) { proceed() }
            return false
        }
        scratch.clear()
        let count = table.encoder.encode(notification, for: session, into: &scratch)
        let sent = socket.write(scratch)
        guard sent < count else { return true }
        scratch.moveReaderIndex(forwardBy: sent)
        state.wroteNotification(bytes: count)
        state.sent(bytes: sent)
        write(scratch, context)
        proceed()
        return false
    }

    func refusedByEngine(requestNumber: UInt64) {
        state.refusedByEngine(requestNumber: requestNumber)
        proceed()
    }

    /// Whether its user may do anything.
    var isAdmitted: Bool { state.access != nil }

    func accessChanged(to access: Access?) {
        guard access != state.access else { return }
        state.accessChanged(to: access)
        proceed()
    }

    func stopTaking() {
        state.stopTaking()
    }

    func sayClosing() {
        state.sayClosing()
        proceed()
    }

    func closeNow() {
        context?.close(promise: nil)
    }
}

// MARK: - Doing it

extension ConnectionHandler {
    private func proceed() {
        guard !isProceeding else {
            mustGoRound = true
            return
        }
        isProceeding = true
        defer { isProceeding = false }
        repeat {
            mustGoRound = false
            while let context, let action = nextAction() { perform(action, context) }
            flush()
        } while mustGoRound
        guard let context else { return }
        if state.isRegistered { helloTimeout?.cancel() }
        if state.isEnding, lingerTimeout == nil {
            lingerTimeout = context.eventLoop.assumeIsolated().scheduleTask(in: lingerTime) { self.closeNow() }
        }
        if state.wantsBytes, !isReading {
            isReading = true
            context.read()
        }
    }

    private func nextAction() -> ConnectionState.Action? {
        count()
        defer { count() }
        state.now = .now()
        return state.next()
    }

    /// Tells `MemoryAccount` what waits here, and the state what waits elsewhere.
    private func count() {
        let bytes = context == nil ? 0 : state.bufferedBytes
        table.load.changeBuffered(by: bytes - countedBytes)
        countedBytes = bytes
        state.othersWaitingBytes = table.load.bufferedBytes - bytes
        let requests = context == nil ? 0 : state.inFlight
        peer.usage.changeInFlight(by: requests - countedRequests)
        countedRequests = requests
        state.isOverloaded = table.load.isOverloaded || peer.usage.inFlight >= peer.inFlightMax ?? .max
    }

    private func perform(_ action: ConnectionState.Action, _ context: ChannelHandlerContext) {
        switch action {
        case .submit(let requestNumber, let body, let bytes): submit(requestNumber, body, table.load.count(requestBytes: bytes))
        case .drained: if let dependent { table.gather(.drained(dependent)) }
        case .write(let line): write(line, context)
        case .closeOutput: context.close(mode: .output, promise: nil)
        case .close: context.close(promise: nil)
        }
    }

    private func submit(_ requestNumber: UInt64, _ body: Request.Body, _ reservation: RequestReservation) {
        if let dependent {
            table.gather(.request(Request(dependent: dependent, requestNumber: requestNumber, body: body, reservation: reservation)))
        } else {
            dependent = table.register(self, requestNumber: requestNumber, body, reservation)
        }
    }

    private func write(_ line: OutboundLine, _ context: ChannelHandlerContext) {
        let bytes = table.encoder.encode(line, for: session, into: &chunk)
        state.wrote(line, bytes: bytes)
        if chunk.readableBytes >= Self.chunkBytesMax { handOverChunk(context) }
    }

    private var session: LineEncoder.Session {
        LineEncoder.Session(
            dependent: dependent, peer: peer, access: state.access, encoding: state.encoding,
            identity: table.engine?.identity)
    }

    private func handOverChunk(_ context: ChannelHandlerContext) {
        guard chunk.readableBytes > 0 else { return }
        handOver(chunk, context)
        chunk = ByteBuffer()
    }

    private func handOver(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
        var bytes = bytes
        if state.unsentBytes == bytes.readableBytes, let socket, context.channel.isActive {
            // Nothing is before these.
            let sent = socket.write(bytes)
            bytes.moveReaderIndex(forwardBy: sent)
            state.sent(bytes: sent)
            mustGoRound = true
        }
        write(bytes, context)
    }

    /// Hands bytes to the channel, and reports when they have left.
    private func write(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
        let count = bytes.readableBytes
        guard count > 0 else { return }
        let promise = context.eventLoop.makePromise(of: Void.self)
        promise.futureResult.assumeIsolated().whenSuccess {
            self.state.sent(bytes: count)
            self.proceed()
        }
        context.write(wrapOutboundOut(bytes), promise: promise)
        isFlushDue = true
    }

    private func flush() {
        guard let context else { return }
        handOverChunk(context)
        guard isFlushDue else { return }
        isFlushDue = false
        context.flush()
    }
}
