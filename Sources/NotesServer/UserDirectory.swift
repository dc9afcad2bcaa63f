import Dispatch
import NIOCore
import NotesModel
import Synchronization

/// The names of those who connect. A database that takes its time holds up nobody but who has not been seen lately.
final class UserDirectory: Sendable {
    private struct Known {
        let user: User
        let until: ContinuousClock.Instant
    }

    private let name: @Sendable (UInt32) -> ByteString
    private let known = Mutex<[UInt32: Known]>([:])
    private let refused = Mutex<Set<UInt32>>([])
    private let queue = DispatchQueue(label: "notesd.users")

    private static let keptFor = Duration.seconds(300)
    private static let keptMax = 4_096

    init(name: @escaping @Sendable (UInt32) -> ByteString) {
        self.name = name
    }

    func user(_ id: UInt32, on eventLoop: any EventLoop) -> EventLoopFuture<User> {
        let now = ContinuousClock.now
        if let known = known.withLock({ $0[id] }), known.until > now { return eventLoop.makeSucceededFuture(known.user) }
        let promise = eventLoop.makePromise(of: User.self)
        queue.async { [self] in
            let user = User(id: id, name: name(id))
            known.withLock { known in
                if known.count >= Self.keptMax { known = [:] }
                known[id] = Known(user: user, until: now + Self.keptFor)
            }
            promise.succeed(user)
        }
        return promise.futureResult
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
        known.withLock { $0 = [:] }
    }
}
