import Dispatch
import Glibc
import Logging
import NotesEngine
import NotesServer

extension Resolution {
    /// The access rules of this configuration. Logs each name that the system does not know; such a
    /// name grants no access.
    ///
    /// - Parameters:
    ///   - principals: ids of the names that were looked up before.
    ///   - asks: whether to query the user database, which may block; otherwise `principals` alone is
    ///     used.
    func accessRules(_ principals: PrincipalCache, _ logger: Logger, asks: Bool = true) -> ResolvedAccess {
        var isUnsure = false
        func admitted(_ key: String, _ names: [String]) -> AccessRules.Admitted {
            AccessRules.Admitted(names, principals: principals, asks: asks) { name, mayBeThere in
                isUnsure = isUnsure || mayBeThere
                guard asks else { return }
                logger.warning(
                    mayBeThere
                        ? "access.\(key) names \(name), whose lookup in the user database failed; the daemon will retry"
                        : "access.\(key) names \(name), which is not in the user database; it grants no access",
                    metadata: ["event": "unknown-peer", "setting": "access.\(key)"])
            }
        }
        let access = settings.access
        let rules = AccessRules(
            owner: geteuid(), read: admitted("read", access.read), write: admitted("write", access.write),
            sync: admitted("sync", access.sync), admin: admitted("admin", access.admin))
        return ResolvedAccess(rules: rules, isUnsure: isUnsure)
    }

    /// The access rules, looked up on a separate thread, because a directory server may be slow.
    ///
    /// If the lookup takes longer than `limit` seconds, or an earlier one has not returned yet, the
    /// result of earlier lookups is used.
    func accessRules(_ principals: PrincipalCache, _ logger: Logger, within limit: Int) async -> ResolvedAccess {
        let known = accessRules(principals, logger, asks: false)
        guard principals.beginAsking() else { return known }
        return await withCheckedContinuation { continuation in
            let result = OneShot { continuation.resume(returning: $0) }
            DispatchQueue.global().async {
                result.call(accessRules(principals, logger))
                principals.endAsking()
            }
            DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(limit)) {
                guard result.call(ResolvedAccess(rules: known.rules, isUnsure: true)) else { return }
                logger.warning(
                    "the user database does not respond; the daemon will retry the lookup of the names in [access]",
                    metadata: ["event": "unknown-peer"])
            }
        }
    }
}

/// Access rules, and whether they are incomplete because the lookup of a name failed.
struct ResolvedAccess: Sendable {
    let rules: AccessRules
    let isUnsure: Bool
}
