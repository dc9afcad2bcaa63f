import Dispatch
import NIOCore
import NoteText
import Synchronization

/// Cache of the names of connecting users. A slow user database delays only connections of users
/// that are not in the cache. Thread-safe.
final class UserNameCache: Sendable {
    private struct Known {
        let user: User
        let until: ContinuousClock.Instant
    }

    private struct State {
        var known: [UInt32: Known] = [:]
        /// Connections that wait for the lookup of a name, by user.
        var waiting: [UInt32: [EventLoopPromise<User>]] = [:]
        var waitingCount = 0
    }

    private let name: @Sendable (UInt32) -> ByteString
    private let state = Mutex(State())
    /// Users without access whose attempts were logged.
    private let refused = Mutex<Set<UInt32>>([])
    private let queue = DispatchQueue(label: "notesd.users", attributes: .concurrent)

    /// Time for which a name is cached.
    private static let keptFor = Duration.seconds(300)
    /// Number of names at which the cache is emptied.
    private static let keptMax = 4_096
    /// Limits on the connections that wait for one name, and for all names. They hold descriptors,
    /// and no other limit counts them yet.
    private static let waitingForOneMax = 256
    private static let waitingMax = 1_024

    /// Creates an empty cache.
    ///
    /// - Parameter name: looks up a name; may block.
    init(name: @escaping @Sendable (UInt32) -> ByteString) {
        self.name = name
    }

    /// The user with an id. Looks up the name on another thread if it is not cached. Fails if too
    /// many connections wait already.
    func user(_ id: UInt32, on eventLoop: any EventLoop) -> EventLoopFuture<User> {
        let now = ContinuousClock.now
        let promise = eventLoop.makePromise(of: User.self)
        enum Next {
            case notify(User)
            case lookUp, wait, turnAway
        }
        let next = state.withLock { state -> Next in
            if let known = state.known[id], known.until > now { return .notify(known.user) }
            let waiting = state.waiting[id]?.count ?? 0
            guard waiting < Self.waitingForOneMax, state.waitingCount < Self.waitingMax else { return .turnAway }
            state.waiting[id, default: []].append(promise)
            state.waitingCount += 1
            return waiting == 0 ? .lookUp : .wait
        }
        switch next {
        case .notify(let user): promise.succeed(user)
        case .turnAway: promise.fail(ChannelError.connectPending)
        case .wait: break
        case .lookUp: queue.async { [self] in learned(User(id: id, name: name(id))) }
        }
        return promise.futureResult
    }

    /// Caches a name and completes the waiting futures.
    private func learned(_ user: User) {
        let waiting = state.withLock { state in
            if state.known.count >= Self.keptMax { state.known = [:] }
            state.known[user.id] = Known(user: user, until: .now + Self.keptFor)
            let waiting = state.waiting.removeValue(forKey: user.id) ?? []
            state.waitingCount -= waiting.count
            return waiting
        }
        for promise in waiting { promise.succeed(user) }
    }

    /// Whether this is the first connection of a user without access since the last reload, so that
    /// it is logged.
    func isFirstRefusal(of user: UInt32) -> Bool {
        refused.withLock { refused in
            if refused.count >= Self.keptMax { refused = [] }
            return refused.insert(user).inserted
        }
    }

    /// Empties the cache, so that all names are looked up again.
    func forget() {
        refused.withLock { $0 = [] }
        state.withLock { $0.known = [:] }
    }
}
