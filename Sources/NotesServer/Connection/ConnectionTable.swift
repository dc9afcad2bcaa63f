import Dependents
import NIOCore
import NotesEngine
import NotesModel
import NotesWire

/// The connections of one event loop, and their queue of inputs for the engine. Used on that loop
/// only.
///
/// Inputs are gathered while the loop handles its ready sockets and submitted in batches, so that
/// the engine is woken rarely and its batches grow with the load.
final class ConnectionTable {
    private let eventLoop: any EventLoop
    private var configuration: ServerConfiguration
    private let drawNoteID: @Sendable () -> NoteID
    private let numbers: DependentIDAllocator
    private let index: Int
    private let userQuotas: UserQuotas
    /// Memory account of the whole server.
    let load: MemoryAccount
    /// Encoder shared by the connections of this loop.
    let encoder: LineEncoder
    private let metrics: ServerMetrics

    /// The engine. Set before the first connection is created.
    var engine: (any RequestSink)?
    private var connections: [ObjectIdentifier: ConnectionHandler] = [:]
    /// The connections that were registered with the engine.
    private var dependents: [DependentID: ConnectionHandler] = [:]
    private var pendingHandshakes = PendingHandshakes()
    /// Number of connections on this loop by user.
    private var connectionsHere: [UInt32: Int] = [:]
    /// Gathered inputs for the engine.
    private var inputs: [Input] = []
    /// When the gathered inputs are submitted; nil if there are none.
    private var due: Due?
    /// Number of changes of connection in the sequence of gathered requests, and the last of the
    /// connections.
    private var asking = 0
    private var lastAsking: DependentID?
    /// Notifications that wait for their turn on the loop.
    private var waiting = CircularBuffer<QueuedOutput>()
    /// The weight of the broadcasts in `waiting`, in bytes.
    private var waitingWeight = 0
    private var isTurnScheduled = false
    private var isStopping = false

    private enum Due {
        /// After the loop has handled its ready sockets.
        case soon
        /// After the loop has polled its sockets again.
        case later
    }

    private enum QueuedOutput {
        case output(ConnectionOutput, ConnectionHandler)
        /// Changes for the recipients from index `next` on. The connection of a recipient is nil if
        /// it is gone.
        case broadcast(RenderedBroadcast, [ConnectionHandler?], next: Int)
    }

    /// Number of connections whose requests are submitted before the loop has handled all ready
    /// sockets. The engine then processes them while the loop handles the others, and the loop
    /// writes their responses while the engine commits the next batch. Requests that a connection
    /// sends together stay in one commit.
    private static let askingMax = 16

    /// Time for which queued notifications are written before the loop handles its sockets again,
    /// and the shortest time that it then has for them.
    private static let turn = TimeAmount.milliseconds(1)
    private static let pause = TimeAmount.microseconds(20)
    /// Number of connections that are written to between two readings of the clock.
    private static let stride = 16
    /// Weight of the waiting broadcasts from which on no requests are submitted, in bytes. Otherwise a
    /// writer that does not wait for responses makes changes faster than they can be written to many
    /// watchers, and they would take the slow way through the outboxes. The loop writes this much in
    /// about 1 ms.
    private static let intakeWeightMax = 2 << 20
    /// Number of connections without hello that are always permitted.
    private static let strangersMin = 16

    init(
        eventLoop: any EventLoop, index: Int, numbers: DependentIDAllocator, load: MemoryAccount, userQuotas: UserQuotas,
        configuration: ServerConfiguration,
        drawNoteID: @escaping @Sendable () -> NoteID
    ) {
        self.eventLoop = eventLoop
        self.index = index
        self.numbers = numbers
        self.load = load
        self.userQuotas = userQuotas
        self.configuration = configuration
        self.drawNoteID = drawNoteID
        metrics = ServerMetrics(configuration.metering)
        encoder = LineEncoder(configuration: configuration, metrics: metrics)
    }

    /// Number of open connections.
    var count: Int { connections.count }
}

// MARK: - Connections come and go

extension ConnectionTable {
    /// Creates the handler of a new connection, or returns nil if the server is stopping or a limit
    /// on connections is reached.
    func makeConnection(of user: User, peer: PeerCredentials) -> ConnectionHandler? {
        guard !isStopping, connections.count < connectionsMax else { return nil }
        let isPrivileged = configuration.access.isPrivileged(user.id)
        let limits = configuration.limits
        // No user may fill the share of this loop either, because connections of other users are
        // assigned to it too.
        guard isPrivileged || connectionsHere[user.id, default: 0] < (limits.userConnectionsMax ?? max(1, connectionsMax / 2))
        else {
            return nil
        }
        let usage = userQuotas.enter(
            user.id, connectionsMax: isPrivileged ? nil : limits.userConnectionsMax ?? max(1, limits.connectionsMax / 2))
        guard let usage else { return nil }
        guard isPrivileged || hasRoomForHandshake(user.id) else {
            userQuotas.leave(user.id)
            return nil
        }
        connectionsHere[user.id, default: 0] += 1
        let connected = Peer(peer: peer, user: user, usage: usage, limits: limits.wire)
        connected.inFlightMax = isPrivileged ? nil : limits.userInFlightMax
        let state = ConnectionState(
            user: user, access: configuration.access.access(of: peer), configuration: configuration, drawNoteID: drawNoteID)
        let connection = ConnectionHandler(state: state, peer: connected, table: self, configuration: configuration)
        connections[ObjectIdentifier(connection)] = connection
        pendingHandshakes.append(connection, user: user.id)
        metrics.connected()
        return connection
    }

    /// Share of this loop in the limit on connections.
    private var connectionsMax: Int { max(1, configuration.limits.connectionsMax / numbers.loops) }

    /// Whether a connection without hello may be added. They may use a quarter of the limit, but at
    /// least 16 connections. Beyond that, closes the oldest one of the user with the most, if
    /// possible. Not called for privileged users.
    private func hasRoomForHandshake(_ user: UInt32) -> Bool {
        guard pendingHandshakes.count >= max(Self.strangersMin, connectionsMax / 4) else { return true }
        guard let evicted = pendingHandshakes.makeRoom(for: user) else { return false }
        evicted.closeNow()
        return true
    }

    /// Draws an id for a connection and submits its first request, after all inputs gathered
    /// before.
    func register(
        _ connection: ConnectionHandler, requestNumber: UInt64, _ body: Request.Body, _ reservation: RequestReservation
    ) -> DependentID {
        pendingHandshakes.remove(connection)
        return numbers.draw(loop: index) { dependent in
            dependents[dependent] = connection
            inputs.append(
                .request(Request(dependent: dependent, requestNumber: requestNumber, body: body, reservation: reservation)))
            submitGathered()
        }
    }

    /// Removes a connection and releases its dependent.
    func closed(_ connection: ConnectionHandler, _ dependent: DependentID?) {
        if connections.removeValue(forKey: ObjectIdentifier(connection)) != nil { metrics.disconnected() }
        let user = connection.peer.user.id
        userQuotas.leave(user)
        let left = connectionsHere[user, default: 0] - 1
        connectionsHere[user] = left > 0 ? left : nil
        guard let dependent else { return pendingHandshakes.remove(connection) }
        dependents[dependent] = nil
        gather(.released(dependent))
    }
}

// MARK: - To and from the engine

extension ConnectionTable {
    /// Adds an input to the queue and schedules its submission.
    func gather(_ input: Input) {
        inputs.append(input)
        guard case .request(let request) = input else { return submitLater() }
        submitSoon()
        guard request.dependent != lastAsking else { return }
        if asking == Self.askingMax { submitGathered(keeping: 1) }
        lastAsking = request.dependent
        asking += 1
    }

    /// Submits after the loop has handled its ready sockets.
    private func submitSoon() {
        guard due != .soon else { return }
        due = .soon
        eventLoop.assumeIsolated().execute { self.submitGathered() }
    }

    /// Submits after the loop has polled its sockets again. Otherwise a fast reader could starve
    /// other clients: its `drained` starts a turn of the engine, whose lines are sent at once and
    /// cause the next `drained`, and no request is read in between.
    private func submitLater() {
        guard due == nil else { return }
        due = .later
        eventLoop.assumeIsolated().scheduleTask(in: Self.pause) { self.submitGathered() }
    }

    /// Submits the gathered inputs. While many bytes of broadcasts wait, it submits only reports about
    /// lines, and the rest once they are written.
    ///
    /// - Parameter count: number of the newest inputs to keep for the next submission.
    private func submitGathered(keeping count: Int = 0) {
        guard waitingWeight < Self.intakeWeightMax || isStopping else { return submitReports() }
        guard inputs.count > count else { return }
        let gathered = Array(inputs.dropLast(count))
        inputs = Array(inputs.suffix(count))
        if inputs.isEmpty { due = nil }
        asking = 0
        lastAsking = nil
        guard engine?.submit(gathered) != true else { return }
        for case .request(let request) in gathered {
            dependents[request.dependent]?.refusedByEngine(requestNumber: request.requestNumber)
        }
    }

    private func submitReports() {
        let reports = inputs.filter(\.isReport)
        inputs.removeAll(where: \.isReport)
        due = nil
        if !reports.isEmpty { _ = engine?.submit(reports) }
    }

    /// Writes responses at once. Notifications are queued and written in slices of time, so that a
    /// broadcast to thousands of connections does not delay requests.
    func deliver(_ outputs: some Sequence<ConnectionOutput>) {
        for output in outputs {
            guard let connection = dependents[output.dependent] else { continue }
            // Output for one connection keeps its order.
            if output.isNotificationsOnly || connection.outputsWaiting > 0 {
                connection.outputsWaiting += 1
                waiting.append(.output(output, connection))
            } else {
                connection.deliver(output)
            }
        }
        if !isTurnScheduled { deliverWaiting() }
    }

    /// Queues the same lines for many connections, after what is already queued for each of them.
    func broadcast(_ batch: RenderedBroadcast) {
        let connections = batch.recipients.map { dependents[$0.dependent] }
        for connection in connections { connection?.outputsWaiting += 1 }
        waiting.append(.broadcast(batch, connections, next: 0))
        waitingWeight += batch.weight
        if !isTurnScheduled { deliverWaiting() }
    }

    /// Delivers the first queued item, or the next part of it if it is a broadcast, and removes
    /// what is done.
    private func deliverFirst() {
        guard let first = waiting.first else { return }
        switch first {
        case .output(let output, let connection):
            waiting.removeFirst()
            connection.outputsWaiting -= 1
            connection.deliver(output)
        case .broadcast(let batch, let connections, let next):
            let end = min(next + Self.stride, connections.count)
            if end < connections.count {
                waiting[waiting.startIndex] = .broadcast(batch, connections, next: end)
            } else {
                waiting.removeFirst()
            }
            write(batch, to: connections, next..<end)
            // After `lagging` of its recipients.
            guard end == connections.count else { break }
            waitingWeight -= batch.weight
            gather(.broadcastWritten(weight: batch.weight))
            if waitingWeight < Self.intakeWeightMax, inputs.contains(where: { !$0.isReport }) { submitSoon() }
        }
    }

    /// Writes a broadcast to some of its recipients, straight to the sockets that accept it whole.
    private func write(_ batch: RenderedBroadcast, to connections: [ConnectionHandler?], _ range: Range<Int>) {
        var start = range.lowerBound
        while start < range.upperBound {
            let encoding = connections[start]?.encoding ?? .utf8
            let encoded = encoder.encode(batch.changes, encoding: encoding)
            start = withUnsafeTemporaryAllocation(byteCount: encoded.byteCountMax, alignment: 1) { lines in
                for index in start..<range.upperBound {
                    guard let connection = connections[index] else { continue }
                    guard connection.encoding == encoding else { return index }
                    connection.outputsWaiting -= 1
                    let recipient = batch.recipients[index]
                    guard let socket = connection.directSocket else {
                        connection.queue(
                            WatchNotification(
                                watch: recipient.watch, number: recipient.seq, cursor: batch.cursor,
                                event: .changes(batch.changes)))
                        continue
                    }
                    let count = encoded.write(watch: recipient.watch.number, seq: recipient.seq, to: lines)
                    let written = UnsafeRawBufferPointer(rebasing: lines[..<count])
                    let sent = socket.write(written)
                    if sent < count { connection.wrotePart(of: written, sent: sent) }
                }
                return range.upperBound
            }
        }
    }

    /// Delivers queued items for at most one slice of time, then schedules the next slice.
    private func deliverWaiting() {
        let end = NIODeadline.now() + Self.turn
        var count = 0
        while !waiting.isEmpty {
            if case .broadcast? = waiting.first { count += Self.stride } else { count += 1 }
            deliverFirst()
            if count >= Self.stride {
                count = 0
                if NIODeadline.now() >= end { break }
            }
        }
        guard !waiting.isEmpty else { return encoder.deliveryEnded() }
        isTurnScheduled = true
        // A task without a delay would run before the loop polls its sockets.
        eventLoop.assumeIsolated().scheduleTask(in: Self.pause) {
            self.isTurnScheduled = false
            self.deliverWaiting()
        }
    }

    private func deliverAllWaiting() {
        while !waiting.isEmpty { deliverFirst() }
    }
}

// MARK: - Reload

extension ConnectionTable {
    /// Applies a reloaded configuration: access levels to all connections, limits to new ones,
    /// except that `userInFlightMax` applies to all. The session of a user without access ends.
    func reconfigure(_ configuration: ServerConfiguration) {
        self.configuration = configuration
        encoder.configuration = configuration
        for connection in connections.values {
            let isPrivileged = configuration.access.isPrivileged(connection.peer.user.id)
            connection.peer.inFlightMax = isPrivileged ? nil : configuration.limits.userInFlightMax
            connection.accessChanged(to: configuration.access.access(of: connection.peer.peer))
        }
    }
}

// MARK: - The end

extension ConnectionTable {
    /// Stops creating connections and taking lines, and submits the gathered inputs.
    func stopTaking() {
        isStopping = true
        for connection in connections.values { connection.stopTaking() }
        submitGathered()
    }

    /// Delivers all queued items, sends `session.closing` to every dependent, and ends every
    /// connection once its lines are sent.
    func sayClosing() {
        deliverAllWaiting()
        for connection in connections.values { connection.sayClosing() }
    }

    /// Closes every connection without sending what is queued.
    func closeAll() {
        isStopping = true
        waiting.removeAll()
        waitingWeight = 0
        for connection in connections.values { connection.closeNow() }
    }
}

extension ConnectionOutput {
    /// Whether it contains only notifications, for which no client waits.
    fileprivate var isNotificationsOnly: Bool { responses.isEmpty && !isCutShort }
}

extension Input {
    /// Whether it reports that lines were written, or not.
    fileprivate var isReport: Bool {
        switch self {
        case .broadcastWritten, .drained, .lagging: true
        case .errand, .released, .request, .tick: false
        }
    }
}
