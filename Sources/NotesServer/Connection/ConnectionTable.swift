import Dependents
import NIOCore
import NoteText
import NotesEngine
import NotesModel
import NotesWire

/// The connections of one event loop, and their queue of inputs for the engine. Used on that loop
/// only.
///
/// Inputs are gathered while the loop handles its ready sockets and submitted in batches, so that
/// the engine is woken rarely and its batches grow with the load.
final class ConnectionTable {
    let eventLoop: any EventLoop
    private var configuration: ServerConfiguration
    private let drawNoteID: @Sendable () -> NoteID
    private let numbers: DependentIDAllocator
    private let index: Int
    private let userQuotas: UserQuotas
    /// Memory account of the whole server.
    let load: MemoryAccount
    /// Encoder shared by the connections of this loop.
    let encoder: LineEncoder
    /// Memory for the lines of the next connection that writes some.
    private var lineBuffer = LineBuffer()
    private let metrics: ServerMetrics

    /// The engine. Set before the first connection is created.
    var engine: (any RequestSink)?
    private var connections: [ObjectIdentifier: ConnectionHandler] = [:]
    /// The connections that were registered with the engine.
    var dependents: [DependentID: ConnectionHandler] = [:]
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
    /// Output, and connections with lines to write, that wait for a slice of time on the loop.
    var waiting = CircularBuffer<QueuedOutput>()
    /// When the current slice for queued output ends; nil outside of one.
    var sliceEnd: NIODeadline?
    /// The clock that measures slices.
    let now: () -> NIODeadline
    /// The weight of the broadcasts in `waiting`, in bytes.
    var waitingWeight = 0
    /// The requests of floods that wait for them.
    private(set) var floods = HeldFloods()
    var isSliceScheduled = false
    private var isStopping = false

    private enum Due {
        /// After the loop has handled its ready sockets.
        case soon
        /// After the loop has polled its sockets again.
        case later
    }

    enum QueuedOutput {
        case output(ConnectionOutput, ConnectionHandler)
        /// Changes for the recipients from index `next` on. The connection of a recipient is nil if
        /// it is gone.
        case broadcast(RenderedChanges, [Broadcast.Recipient], [ConnectionHandler?], next: Int)
        /// A connection with lines to write for which a slice of time was not enough.
        case resumption(ConnectionHandler)
    }

    /// Number of connections whose requests are submitted before the loop has handled all ready
    /// sockets. The engine then processes them while the loop handles the others, and the loop
    /// writes their responses while the engine commits the next batch. Requests that a connection
    /// sends together stay in one commit.
    private static let askingMax = 16

    /// Time for which output is written before the loop handles its sockets again, and the shortest time
    /// that it then has for them.
    static let slice = TimeAmount.milliseconds(1)
    static let pause = TimeAmount.microseconds(20)
    /// Number of recipients of a broadcast that are written to between two readings of the clock.
    static let stride = 16
    /// Weight of the waiting broadcasts from which on the requests of floods wait, in bytes. Otherwise a
    /// writer that does not wait for responses makes changes faster than they can be written to many
    /// watchers, and they would take the slow way through the outboxes. The loop writes this much in
    /// about 1 ms.
    private static let intakeWeightMax = 2 << 20
    /// Number of connections without hello that are always permitted.
    private static let strangersMin = 16

    init(
        eventLoop: any EventLoop, index: Int, numbers: DependentIDAllocator, load: MemoryAccount, userQuotas: UserQuotas,
        configuration: ServerConfiguration,
        drawNoteID: @escaping @Sendable () -> NoteID, now: @escaping () -> NIODeadline = { .now() }
    ) {
        self.eventLoop = eventLoop
        self.now = now
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

    /// An empty buffer. While one connection writes its lines, another one may have to write some; it then
    /// gets one without memory.
    func takeLineBuffer() -> LineBuffer {
        defer { lineBuffer = LineBuffer() }
        return lineBuffer
    }

    /// Takes the memory of a buffer back, and drops lines in it, which are those of a connection that
    /// has ended.
    func giveBack(_ buffer: inout LineBuffer) {
        lineBuffer.reuse(buffer.takeAll())
    }
}

// MARK: - Connections come and go

extension ConnectionTable {
    /// Creates the handler of a new connection, or returns nil if the server is stopping or a limit
    /// on connections is reached.
    func makeConnection(of user: User, credentials: ClientCredentials) -> ConnectionHandler? {
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
            user.id, connectionsMax: isPrivileged ? nil : limits.connectionsOfUserMax)
        guard let usage else { return nil }
        guard isPrivileged || hasRoomForHandshake(user.id) else {
            userQuotas.leave(user.id)
            return nil
        }
        connectionsHere[user.id, default: 0] += 1
        let client = ClientEnd(credentials: credentials, user: user, usage: usage, limits: limits.wire)
        client.inFlightMax = isPrivileged ? nil : limits.userInFlightMax
        client.personInFlightMax = limits.personInFlightMax
        let state = ConnectionState(
            user: user, access: configuration.access.access(of: credentials), configuration: configuration, drawNoteID: drawNoteID
        )
        let connection = ConnectionHandler(state: state, client: client, table: self, configuration: configuration)
        connections[ObjectIdentifier(connection)] = connection
        pendingHandshakes.append(connection, user: user.id)
        metrics.connected()
        return connection
    }

    /// Counts a connection as one of a person for whom its user connected.
    ///
    /// - Parameter inFlight: number of requests of the connection that the user's usage contains.
    /// - Returns: false if the person has as many connections as they may have.
    func count(_ person: ByteString, on client: ClientEnd, inFlight: Int) -> Bool {
        let usage = userQuotas.enter(
            client.user.id, for: person, connectionsMax: configuration.limits.connectionsOfPersonMax)
        guard let usage else { return false }
        client.connects(for: person, usage, inFlight: inFlight)
        return true
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
        let user = connection.client.user.id
        userQuotas.leave(user)
        if let person = connection.client.person { userQuotas.leave(user, for: person.name) }
        let remaining = connectionsHere[user, default: 0] - 1
        connectionsHere[user] = remaining > 0 ? remaining : nil
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
    func submitSoon() {
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

    /// Submits the gathered inputs. While many bytes of broadcasts wait, the requests of floods wait
    /// too.
    ///
    /// - Parameter count: number of the newest inputs to keep for the next submission.
    private func submitGathered(keeping count: Int = 0) {
        let mayHold = waitingWeight >= Self.intakeWeightMax && !isStopping && !floods.isOver(now: eventLoop.now)
        guard inputs.count > count || !mayHold && !floods.isEmpty else { return }
        var gathered = Array(inputs.dropLast(count))
        inputs = Array(inputs.suffix(count))
        if inputs.isEmpty { due = nil }
        asking = 0
        lastAsking = nil
        if mayHold {
            floods.hold(from: &gathered, now: eventLoop.now) {
                dependents[$0].map { $0.requestsInFlight >= HeldFloods.requestsMin } ?? false
            }
            guard !gathered.isEmpty else { return }
        } else if !floods.isEmpty {
            gathered = floods.takeAll() + gathered
        }
        guard engine?.submit(gathered) != true else { return }
        for case .request(let request) in gathered {
            dependents[request.dependent]?.refusedByEngine(requestNumber: request.requestNumber)
        }
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
            let isPrivileged = configuration.access.isPrivileged(connection.client.user.id)
            connection.client.inFlightMax = isPrivileged ? nil : configuration.limits.userInFlightMax
            connection.client.personInFlightMax = configuration.limits.personInFlightMax
            connection.accessChanged(to: configuration.access.access(of: connection.client.credentials))
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
