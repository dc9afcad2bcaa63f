import NotesWire

/// The state of a client's connection, from the first attempt to the end.
///
///                  ┌──────────── pause over ───────────┐
///                  ▼                                   │
///     start ─► connecting ─ connected ─► greeting ─ greeted ─► open
///                  │                        │                   │
///                  └── failed, transient ───┴──── lost ─────────┴─► pausing
///                  └── failed for good, or no reconnecting ───────► closed
///
/// The first attempt is not repeated, so that the caller learns at once that there is no daemon.
/// The driver numbers its connections and filters late events of a connection that was given up.
struct LinkStateMachine {
    enum Phase {
        case idle
        case connecting
        /// The socket is open and hello is sent.
        case greeting
        case open
        /// Waiting for the next attempt.
        case pausing
        case closed(ClientError)
    }

    enum Action: Equatable {
        case connect
        case sayHello
        /// Resume callers of `start`, restore watches, send queued requests.
        case proceed
        case pause(Duration)
        /// Fail all callers and watches with the error.
        case close
        case nothing
    }

    private(set) var phase = Phase.idle
    /// The response to hello on the current or the last connection.
    private(set) var hello: HelloResult?
    private var backoff: Backoff?
    private var generator: any RandomNumberGenerator & Sendable
    /// The wait that the daemon asked for in `session.closing`.
    private var retryAfter: Duration?

    init(reconnecting: Backoff?, generator: any RandomNumberGenerator & Sendable) {
        backoff = reconnecting
        self.generator = generator
    }

    var isOpen: Bool { if case .open = phase { true } else { false } }

    var isGreeting: Bool { if case .greeting = phase { true } else { false } }

    /// The error that ended the client; nil while it may still connect.
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

    /// Handles `session.closing`: stores the wait before the next attempt.
    mutating func closingAnnounced(retryAfterMilliseconds: Int?) {
        retryAfter = retryAfterMilliseconds.map { .milliseconds(min($0, Self.retryAfterMillisecondsMax)) }
    }

    /// Longest wait that the client grants a daemon, in milliseconds.
    private static let retryAfterMillisecondsMax = 60_000

    /// Handles a failed attempt or the end of a connection.
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

    /// Closes the client at the caller's request.
    mutating func close() -> Action {
        if case .closed = phase { return .nothing }
        phase = .closed(.closed)
        return .close
    }
}
