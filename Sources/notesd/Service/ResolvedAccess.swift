import Dispatch
import Glibc
import Logging
import NotesServer
import Synchronization

extension Resolution {
    /// Who is let in. Names that the system does not know are told, and let nobody in.
    ///
    /// - Parameter asks: whether the system's database is asked, and waited for; otherwise what it said before holds.
    func accessRules(_ book: PrincipalCache, _ logger: Logger, asks: Bool = true) -> ResolvedAccess {
        var isUnsure = false
        func admitted(_ key: String, _ names: [String]) -> AccessRules.Admitted {
            AccessRules.Admitted(names, book: book, asks: asks) { name, mayBeThere in
                isUnsure = isUnsure || mayBeThere
                guard asks else { return }
                logger.warning(
                    mayBeThere
                        ? "access.\(key) names \(name), and the system's database could not be asked who that is; it is asked again"
                        : "access.\(key) names \(name), which this system does not know; nobody is let in by it",
                    metadata: ["event": "unknown-peer", "setting": "access.\(key)"])
            }
        }
        let access = settings.access
        let rules = AccessRules(
            owner: geteuid(), read: admitted("read", access.read), write: admitted("write", access.write),
            admin: admitted("admin", access.admin))
        return ResolvedAccess(rules: rules, isUnsure: isUnsure)
    }

    /// The same on a thread of its own, since a directory server may take its time.
    ///
    /// Where there is no answer within so many seconds, or one is still waited for, what the database said before holds.
    func accessRules(_ book: PrincipalCache, _ logger: Logger, within limit: Int) async -> ResolvedAccess {
        let known = accessRules(book, logger, asks: false)
        guard book.beginAsking() else { return known }
        return await withCheckedContinuation { continuation in
            let answer = OneShot(continuation)
            DispatchQueue.global().async {
                _ = answer.give(accessRules(book, logger))
                book.endAsking()
            }
            DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(limit)) {
                guard answer.give(ResolvedAccess(rules: known.rules, isUnsure: true)) else { return }
                logger.warning(
                    "the system's database of users does not answer; who is let in by name is found out later",
                    metadata: ["event": "unknown-peer"])
            }
        }
    }
}

/// Who is let in, and whether the system's database could not be asked of somebody.
struct ResolvedAccess: Sendable {
    let rules: AccessRules
    let isUnsure: Bool
}

/// Takes the first of several answers.
private final class OneShot<Value: Sendable>: Sendable {
    private let waiting: Mutex<CheckedContinuation<Value, Never>?>

    init(_ continuation: CheckedContinuation<Value, Never>) {
        waiting = Mutex(continuation)
    }

    /// Returns whether it was the first.
    func give(_ value: Value) -> Bool {
        let first = waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }
        first?.resume(returning: value)
        return first != nil
    }
}
