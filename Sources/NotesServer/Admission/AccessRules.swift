package import NotesMethods
import Synchronization

/// Maps users and groups to access levels.
///
/// The user that the daemon runs as, and root, are privileged: they always have the level admin,
/// and the limits per user do not apply to them.
package struct AccessRules: Sendable {
    /// The users and groups that one access list admits.
    package struct Admitted: Hashable, Sendable {
        /// User ids.
        package var users: Set<UInt32> = []
        /// Group ids.
        package var groups: Set<UInt32> = []
        /// Whether the list contains `*`, which admits every user.
        package var isEverybody = false

        package init(users: Set<UInt32> = [], groups: Set<UInt32> = [], isEverybody: Bool = false) {
            self.users = users
            self.groups = groups
            self.isEverybody = isEverybody
        }

        /// Whether the list admits the client, by its user, by one of its groups or by `*`.
        fileprivate func includes(_ client: ClientCredentials) -> Bool {
            isEverybody || users.contains(client.user) || client.groups.contains(where: groups.contains)
        }
    }

    /// Id of the user that the daemon runs as.
    package let owner: UInt32
    /// Id of root; nil if root is not privileged.
    private let superuser: UInt32?
    /// The lists, highest access level first.
    private let lists: [(access: Access, admitted: Admitted)]

    /// Creates rules from the four access lists.
    ///
    /// - Parameters:
    ///   - owner: id of the user that the daemon runs as.
    ///   - superuser: id of root. Tests that run as root pass nil.
    ///   - read: admitted to reading.
    ///   - write: admitted to reading and writing.
    ///   - sync: admitted to exchanging revisions with other stores, too.
    ///   - admin: admitted to everything.
    package init(
        owner: UInt32, superuser: UInt32? = 0, read: Admitted = Admitted(), write: Admitted = Admitted(),
        sync: Admitted = Admitted(), admin: Admitted = Admitted()
    ) {
        self.owner = owner
        self.superuser = superuser
        lists = [(.admin, admin), (.sync, sync), (.write, write), (.read, read)]
    }

    /// The highest access level that the rules grant a client; nil if they grant none.
    ///
    /// - Complexity: O(groups of the client).
    package func access(of client: ClientCredentials) -> Access? {
        isPrivileged(client.user) ? .admin : lists.first { $0.admitted.includes(client) }?.access
    }

    /// Whether the user is the daemon's own or root. Limits per user do not apply to them: they
    /// could stop the daemon altogether.
    func isPrivileged(_ user: UInt32) -> Bool {
        user == owner || user == superuser
    }
}

/// One item of an access list, not yet looked up.
package enum Principal: Hashable, Sendable {
    /// `*`.
    case everybody
    /// Name or number of a user.
    case user(String)
    /// Name or number of a group, without the `@`.
    case group(String)

    /// Parses `*`, the name or number of a user, or `@` and the name or number of a group.
    ///
    /// Returns nil for names that are empty, longer than 256 bytes, or contain white space, a
    /// control character or one of `@*:,/`.
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

    /// Whether the text is a valid item of an access list.
    package static func isOne(_ text: String) -> Bool { Principal(text) != nil }
}

/// Ids of the users and groups in the access lists, from their last successful lookups. It bridges
/// times in which the user database does not respond. Thread-safe.
package final class PrincipalCache: Sendable {
    /// Ids by the item of the access list.
    private let known = Mutex<[String: UInt32]>([:])

    private let isAsking = Mutex(false)

    /// Creates an empty cache.
    package init() {}

    /// Begins a lookup of all names.
    ///
    /// - Returns: false if another lookup has not ended yet, so that a database that does not
    ///   respond is queried only once. After true, the caller calls `endAsking`.
    package func beginAsking() -> Bool {
        isAsking.withLock { isAsking in
            defer { isAsking = true }
            return !isAsking
        }
    }

    /// Ends the lookup that `beginAsking` began.
    package func endAsking() {
        isAsking.withLock { $0 = false }
    }

    /// Updates the cache with the result of a lookup and returns the id. If the lookup failed
    /// (`unknown`), the id of the last successful one is returned; nil if there is none.
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
    /// Looks up the items of an access list. Numbers need no lookup.
    ///
    /// Blocks while it queries the user database, so it must not run on an event loop.
    ///
    /// - Parameters:
    ///   - names: the items of the list.
    ///   - principals: results of earlier lookups, which are used if a lookup fails.
    ///   - asks: whether to query the user database; otherwise `principals` alone is used.
    ///   - unknown: called for each item without an id, which admits nobody. `mayBeThere` is true
    ///     if the lookup failed or was not made, so that the name may exist.
    package init(
        _ names: [String], principals: PrincipalCache, asks: Bool = true, unknown: (_ name: String, _ mayBeThere: Bool) -> Void
    ) {
        self.init()
        for text in names {
            let found: UserDatabase.Found
            switch Principal(text) {
            case .everybody:
                isEverybody = true
                continue
            case .user(let name): found = UInt32(name).map { .id($0) } ?? (asks ? UserDatabase.user(named: name) : .unknown)
            case .group(let name): found = UInt32(name).map { .id($0) } ?? (asks ? UserDatabase.group(named: name) : .unknown)
            case nil: found = .nothing
            }
            guard let id = principals.id(of: text, as: found) else {
                unknown(text, found == .unknown)
                continue
            }
            if text.hasPrefix("@") { groups.insert(id) } else { users.insert(id) }
        }
    }
}
