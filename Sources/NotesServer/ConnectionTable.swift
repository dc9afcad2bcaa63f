import Dependents
import NIOCore
import NotesEngine
import NotesModel

/// The connections of one event loop, and what they have for the engine. Touched on that loop only.
///
/// What connections want of the engine is gathered while the loop handles what was ready, and handed over some at a time: the engine is
/// woken seldom, and its batches grow with the load.
final class ConnectionTable {
    private let eventLoop: any EventLoop
    private var configuration: ServerConfiguration
    private let drawNoteID: @Sendable () -> NoteID
    private let numbers: DependentIDAllocator
    private let index: Int
    private let userQuotas: UserQuotas
    let load: MemoryAccount
    let encoder: LineEncoder
    private let metrics: ServerMetrics

    /// Set before the first connection is made.
    var engine: (any RequestSink)?
    private var connections: [ObjectIdentifier: ConnectionHandler] = [:]
    /// Those of `connections` whose hello was accepted.
    private var dependents: [DependentID: ConnectionHandler] = [:]
    private var pendingHandshakes = PendingHandshakes()
    /// By user, of this loop.
    private var connectionsHere: [UInt32: Int] = [:]
    private var inputs: [Input] = []
    /// When they are handed over; nil where there are none.
    private var due: Due?
    /// How many connections, one behind the other, the requests among them are of, and the last of those.
    private var asking = 0
    private var lastAsking: DependentID?
    /// What is told, and waits for its turn on the loop.
    private var waiting = CircularBuffer<Told>()
    /// Where lines for many are put together, one connection after the other.
    private var scratch = ByteBuffer()
    private var isTurnScheduled = false
    private var isStopping = false

    private enum Due {
        case soon
        case later
    }

    private enum Told {
        case parcel(Parcel, ConnectionHandler)
        /// To those from the recipient of that number on.
        case broadcast(RenderedBroadcast, next: Int)
    }

    /// The requests of so many connections are handed over before the loop has handled all that was ready: the engine begins with them
    /// while it handles the others, and the answers to the one part are written while the other is committed. What one connection
    /// sends in one piece stays in one, and goes into one commit.
    private static let askingMax = 16

    /// How long lines are written before the loop looks after its sockets again, and how long it does then at least.
    private static let turn = TimeAmount.milliseconds(1)
    private static let pause = TimeAmount.microseconds(20)
    /// Connections between two looks at the clock.
    private static let stride = 16
    /// So many connections may always be there that have not said hello.
    private static let strangersMin = 16
    /// More room than this is not kept.
    private static let scratchBytesMax = 256 << 10

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

    var count: Int { connections.count }
}

// MARK: - Connections come and go

extension ConnectionTable {
    /// Nil where no more connections are served, or no more of this user.
    func makeConnection(of user: User, peer: PeerCredentials) -> ConnectionHandler? {
        guard !isStopping, connections.count < connectionsMax else { return nil }
        let isPrivileged = configuration.access.isPrivileged(user.id)
        let limits = configuration.limits
        // He may not fill this loop either, which others are given to as well.
        guard isPrivileged || connectionsHere[user.id, default: 0] < (limits.userConnectionsMax ?? max(1, connectionsMax / 2))
        else {
            return nil
        }
        let usage = userQuotas.enter(
            user.id, connectionsMax: isPrivileged ? nil : limits.userConnectionsMax ?? max(1, limits.connectionsMax / 2))
        guard let usage else { return nil }
        guard isPrivileged || hasRoomForStranger(user.id) else {
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

    private var connectionsMax: Int { max(1, configuration.limits.connectionsMax / numbers.loops) }

    /// Those who have not said hello take a part of the places only; whoever has most of them has to give way. It does not bind the
    /// daemon's own user and root.
    private func hasRoomForStranger(_ user: UInt32) -> Bool {
        guard pendingHandshakes.count >= max(Self.strangersMin, connectionsMax / 4) else { return true }
        guard let stranger = pendingHandshakes.makeRoom(for: user) else { return false }
        stranger.closeNow()
        return true
    }

    /// Hands over the first request of a connection under a number of its own, behind all that was gathered.
    func register(
        _ connection: ConnectionHandler, requestNumber: UInt64, _ body: Request.Body, _ reservation: RequestReservation
    ) -> DependentID {
        pendingHandshakes.remove(connection)
        return numbers.draw(loop: index) { dependent in
            dependents[dependent] = connection
            inputs.append(.request(Request(dependent: dependent, requestNumber: requestNumber, body: body, reservation: reservation)))
            submitGathered()
        }
    }

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
    func gather(_ input: Input) {
        inputs.append(input)
        guard case .request(let request) = input else { return submitLater() }
        submitSoon()
        guard request.dependent != lastAsking else { return }
        if asking == Self.askingMax { submitGathered(keeping: 1) }
        lastAsking = request.dependent
        asking += 1
    }

    /// Once the loop has handled what was ready.
    private func submitSoon() {
        guard due != .soon else { return }
        due = .soon
        eventLoop.assumeIsolated().execute { self.submitGathered() }
    }

    /// Once the loop has looked after its sockets again. Where the engine's turn runs on the loop and brings the next lines for one who
    /// reads as fast as they come, whose leaving brings the next turn, nobody else's requests would be read before all was told.
    private func submitLater() {
        guard due == nil else { return }
        due = .later
        eventLoop.assumeIsolated().scheduleTask(in: Self.pause) { self.submitGathered() }
    }

    /// - Parameter count: of the last, which stay for the next time.
    private func submitGathered(keeping count: Int = 0) {
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

    /// Answers are written at once. What thousands are told is written a while at a time, so that it holds up nobody's requests.
    func deliver(_ parcels: some Sequence<Parcel>) {
        for parcel in parcels {
            guard let connection = dependents[parcel.dependent] else { continue }
            // What is there for one connection keeps its order.
            if parcel.isToldAlone || connection.parcelsWaiting > 0 {
                connection.parcelsWaiting += 1
                waiting.append(.parcel(parcel, connection))
            } else {
                connection.deliver(parcel)
            }
        }
        if !isTurnScheduled { deliverWaiting() }
    }

    /// The same lines for many, behind what waits for each.
    func broadcast(_ told: RenderedBroadcast) {
        waiting.append(.broadcast(told, next: 0))
        for recipient in told.recipients { dependents[recipient.dependent]?.parcelsWaiting += 1 }
        if !isTurnScheduled { deliverWaiting() }
    }

    /// Delivers the first of what waits, or some of it where it is for many, and takes off what is done.
    private func deliverFirst() {
        guard let first = waiting.first else { return }
        switch first {
        case .parcel(let parcel, let connection):
            waiting.removeFirst()
            connection.parcelsWaiting -= 1
            connection.deliver(parcel)
        case .broadcast(let told, let next):
            let end = min(next + Self.stride, told.recipients.count)
            if end < told.recipients.count {
                waiting[waiting.startIndex] = .broadcast(told, next: end)
            } else {
                waiting.removeFirst()
            }
            var left: [DependentID] = []
            // Taken out, since what a connection does meanwhile may come back here.
            var room = ByteBuffer()
            swap(&room, &scratch)
            for recipient in told.recipients[next..<end] {
                guard let connection = dependents[recipient.dependent] else { continue }
                connection.parcelsWaiting -= 1
                let notification = WatchNotification(
                    watch: recipient.watch, number: recipient.seq, cursor: told.cursor, event: .changes(told.changes))
                if connection.tell(notification, with: &room) { left.append(recipient.dependent) }
            }
            if !left.isEmpty { gather(.allDrained(left)) }
            if room.capacity <= Self.scratchBytesMax { scratch = room }
        }
    }

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
        // A task that is due at once would run before any socket is looked after.
        eventLoop.assumeIsolated().scheduleTask(in: Self.pause) {
            self.isTurnScheduled = false
            self.deliverWaiting()
        }
    }

    private func deliverAllWaiting() {
        while !waiting.isEmpty { deliverFirst() }
    }
}

// MARK: - Changes of the configuration

extension ConnectionTable {
    /// Limits hold for connections from now on, rights for all. Who has none any more is told that the session ends.
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
    /// No connection is made and no line is taken from now on; what was taken goes to the engine.
    func stopTaking() {
        isStopping = true
        for connection in connections.values { connection.stopTaking() }
        submitGathered()
    }

    /// The last word to every dependent, and the end of every connection once it has left.
    func sayClosing() {
        deliverAllWaiting()
        for connection in connections.values { connection.sayClosing() }
    }

    /// Ends every connection as it stands.
    func closeAll() {
        isStopping = true
        waiting.removeAll()
        for connection in connections.values { connection.closeNow() }
    }
}

extension Parcel {
    /// Whether it is nothing but lines of watches, which nobody asked for a moment ago.
    fileprivate var isToldAlone: Bool { answers.isEmpty && !isCutShort }
}
