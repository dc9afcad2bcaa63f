import NotesWire

/// The life of a client's connection, from the first attempt to the end.
///
///                  ┌──────────── pause over ───────────┐
///                  ▼                                   │
///     start ─► connecting ─ connected ─► greeting ─ greeted ─► open
///                  │                        │                   │
///                  └── failed, transient ───┴──── lost ─────────┴─► pausing
///                  └── failed for good, or no reconnecting ───────► closed
///
/// The first attempt is not repeated: who connects wants to know that there is no daemon. Events that come late, from a
/// connection that was given up, are the driver's to leave out: it tells connections apart by their number.
struct LinkStateMachine {
    enum Phase {
        case idle
        case connecting
        /// The socket is open and hello is sent.
        case greeting
        case open
        /// Until the next attempt.
        case pausing
        case closed(ClientError)
    }

    enum Action: Equatable {
        case connect
        case sayHello
        /// Tell who waits, start watches anew, send what waits.
        case proceed
        case pause(Duration)
        /// Everyone who waits is told the error.
        case close
        case nothing
    }

    private(set) var phase = Phase.idle
    /// Of the connection that is open, or was last.
    private(set) var hello: HelloResult?
    private var backoff: Backoff?
    private var generator: any RandomNumberGenerator & Sendable
    /// What the daemon asked for when it said that it is closing.
    private var retryAfter: Duration?

    init(reconnecting: Backoff?, generator: any RandomNumberGenerator & Sendable) {
        backoff = reconnecting
        self.generator = generator
    }

    var isOpen: Bool { if case .open = phase { true } else { false } }

    var isGreeting: Bool { if case .greeting = phase { true } else { false } }

    /// Why nothing more will come.
    var end: ClientError? { if case .closed(let error) = phase { error } else { nil } }

    mutating func start() -> Action {
        guard case .idle = phase else { return .nothing }
        phase = .connecting
        return .connect
    }

    mutating func connected() -> Action {
        switch phase {
        case .connecting:
            phase = .greeting
            return .sayHello
        case .idle, .greeting, .open, .pausing, .closed: return .nothing
        }
    }

    mutating func greeted(_ hello: HelloResult) -> Action {
        switch phase {
        case .greeting:
            phase = .open
            self.hello = hello
            backoff?.succeeded()
            retryAfter = nil
            return .proceed
        case .idle, .connecting, .open, .pausing, .closed: return .nothing
        }
    }

    /// The daemon says that it will close the connection.
    mutating func closingAnnounced(retryAfterMilliseconds: Int?) {
        retryAfter = retryAfterMilliseconds.map { .milliseconds(min($0, Self.retryAfterMillisecondsMax)) }
    }

    /// However long the daemon asks for, it is looked for after a minute.
    private static let retryAfterMillisecondsMax = 60_000

    /// An attempt failed, or the connection ended.
    mutating func failed(_ error: ClientError) -> Action {
        switch phase {
        case .connecting, .greeting, .open:
            guard hello != nil, error.isTransient, var backoff else {
                phase = .closed(error)
                return .close
            }
            let wait = max(backoff.next(using: &generator), retryAfter ?? .zero)
            self.backoff = backoff
            retryAfter = nil
            phase = .pausing
            return .pause(wait)
        case .idle, .pausing, .closed: return .nothing
        }
    }

    mutating func pauseOver() -> Action {
        guard case .pausing = phase else { return .nothing }
        phase = .connecting
        return .connect
    }

    /// The client's own wish.
    mutating func close() -> Action {
        if case .closed = phase { return .nothing }
        phase = .closed(.closed)
        return .close
    }
}
