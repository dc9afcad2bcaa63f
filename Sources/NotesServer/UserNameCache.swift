import Dispatch
import NIOCore
import NotesModel
import Synchronization

/// The names of those who connect. A database that takes its time holds up nobody but who has not been seen lately.
final class UserNameCache: Sendable {
    private struct Known {
        let user: User
        let until: ContinuousClock.Instant
    }

    private struct State {
        var known: [UInt32: Known] = [:]
        /// Those who wait for a name that is being asked for.
        var waiting: [UInt32: [EventLoopPromise<User>]] = [:]
        var waitingCount = 0
    }

    private let name: @Sendable (UInt32) -> ByteString
    private let state = Mutex(State())
    private let refused = Mutex<Set<UInt32>>([])
    private let queue = DispatchQueue(label: "notesd.users", attributes: .concurrent)

    private static let keptFor = Duration.seconds(300)
    private static let keptMax = 4_096
    /// So many may wait for one name, and for all: they hold descriptors, and are counted nowhere else yet.
    private static let waitingForOneMax = 256
    private static let waitingMax = 1_024

    init(name: @escaping @Sendable (UInt32) -> ByteString) {
        self.name = name
    }

    /// Fails where too many wait already.
    func user(_ id: UInt32, on eventLoop: any EventLoop) -> EventLoopFuture<User> {
        let now = ContinuousClock.now
        let promise = eventLoop.makePromise(of: User.self)
        enum Next {
            case tell(User)
            case ask, wait, turnAway
        }
        let next = state.withLock { state -> Next in
            if let known = state.known[id], known.until > now { return .tell(known.user) }
            let waiting = state.waiting[id]?.count ?? 0
            guard waiting < Self.waitingForOneMax, state.waitingCount < Self.waitingMax else { return .turnAway }
            state.waiting[id, default: []].append(promise)
            state.waitingCount += 1
            return waiting == 0 ? .ask : .wait
        }
        switch next {
        case .tell(let user): promise.succeed(user)
        case .turnAway: promise.fail(ChannelError.connectPending)
        case .wait: break
        case .ask: queue.async { [self] in learned(User(id: id, name: name(id))) }
        }
        return promise.futureResult
    }

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

    /// Whether it was not said before that this user is not let in.
    func isFirstRefusal(of user: UInt32) -> Bool {
        refused.withLock { refused in
            if refused.count >= Self.keptMax { refused = [] }
            return refused.insert(user).inserted
        }
    }

    /// Asks again for everybody who comes.
    func forget() {
        refused.withLock { $0 = [] }
        state.withLock { $0.known = [:] }
    }
}
