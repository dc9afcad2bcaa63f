package import NotesWire
import Synchronization

/// What a peer may do. Each may do what those before it may.
package typealias Access = HelloResult.Access

/// Who may do what: peers by user and group. The user that the daemon runs as, and root, may do everything.
package struct AccessRules: Sendable {
    /// Who is let in by one list.
    package struct Admitted: Hashable, Sendable {
        package var users: Set<UInt32> = []
        package var groups: Set<UInt32> = []
        package var isEverybody = false

        package init(users: Set<UInt32> = [], groups: Set<UInt32> = [], isEverybody: Bool = false) {
            self.users = users
            self.groups = groups
            self.isEverybody = isEverybody
        }

        fileprivate func includes(_ peer: PeerCredentials) -> Bool {
            isEverybody || users.contains(peer.user) || peer.groups.contains(where: groups.contains)
        }
    }

    /// The user that the daemon runs as.
    package let owner: UInt32
    private let superuser: UInt32?
    private let lists: [(access: Access, admitted: Admitted)]

    /// - Parameter superuser: root, but for tests that run as root.
    package init(
        owner: UInt32, superuser: UInt32? = 0, read: Admitted = Admitted(), write: Admitted = Admitted(),
        admin: Admitted = Admitted()
    ) {
        self.owner = owner
        self.superuser = superuser
        lists = [(.admin, admin), (.write, write), (.read, read)]
    }

    /// Nil for one who may do nothing.
    package func access(of peer: PeerCredentials) -> Access? {
        isPrivileged(peer.user) ? .admin : lists.first { $0.admitted.includes(peer) }?.access
    }

    /// Whether it is one whom no limit for each user holds back: he could do away with the daemon altogether.
    func isPrivileged(_ user: UInt32) -> Bool {
        user == owner || user == superuser
    }
}

/// Somebody in a list of the configuration.
package enum PeerName: Hashable, Sendable {
    case everybody
    case user(String)
    case group(String)

    /// `*`, a user's name or number, or `@` and a group's. Nil for what can be none of these.
    package init?(_ text: String) {
        if text == "*" {
            self = .everybody
            return
        }
        let isGroup = text.hasPrefix("@")
        let name = isGroup ? String(text.dropFirst()) : text
        let isPossible = name.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && !"@*:,/".utf8.contains($0) }
        guard !name.isEmpty, name.utf8.count <= 256, isPossible else { return nil }
        self = isGroup ? .group(name) : .user(name)
    }

    package static func isOne(_ text: String) -> Bool { PeerName(text) != nil }
}

/// What the system's database said of names when it could be asked last.
package final class PrincipalCache: Sendable {
    private let known = Mutex<[String: UInt32]>([:])

    private let isAsking = Mutex(false)

    package init() {}

    /// Whether the database may be asked now: one that does not answer is not asked again before it has.
    package func beginAsking() -> Bool {
        isAsking.withLock { isAsking in
            defer { isAsking = true }
            return !isAsking
        }
    }

    package func endAsking() {
        isAsking.withLock { $0 = false }
    }

    func id(of name: String, as found: UserDatabase.Found) -> UInt32? {
        known.withLock { known in
            switch found {
            case .id(let id): known[name] = id
            case .nothing: known[name] = nil
            case .unknown: break
            }
            return known[name]
        }
    }
}

extension AccessRules.Admitted {
    /// Looks the names up in the system's database.
    ///
    /// Waits for it where it is asked, so not on an event loop.
    ///
    /// - Parameters:
    ///   - book: what it said before, which holds while it cannot be asked.
    ///   - asks: whether it is asked.
    ///   - unknown: is told of each that lets nobody in, and whether that is since the database could not be asked.
    package init(_ names: [String], book: PrincipalCache, asks: Bool = true, unknown: (_ name: String, _ mayBeThere: Bool) -> Void) {
        self.init()
        for text in names {
            let found: UserDatabase.Found
            switch PeerName(text) {
            case .everybody:
                isEverybody = true
                continue
            case .user(let name): found = UInt32(name).map { .id($0) } ?? (asks ? UserDatabase.user(named: name) : .unknown)
            case .group(let name): found = UInt32(name).map { .id($0) } ?? (asks ? UserDatabase.group(named: name) : .unknown)
            case nil: found = .nothing
            }
            guard let id = book.id(of: text, as: found) else {
                unknown(text, found == .unknown)
                continue
            }
            if text.hasPrefix("@") { groups.insert(id) } else { users.insert(id) }
        }
    }
}
