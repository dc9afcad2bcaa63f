/// The access levels of users. Each level includes the ones before it.
package enum Access: String, CaseIterable, Hashable, Sendable, Comparable {
    case read, write, sync, admin

    package static func < (left: Access, right: Access) -> Bool {
        (allCases.firstIndex(of: left) ?? 0) < (allCases.firstIndex(of: right) ?? 0)
    }
}
