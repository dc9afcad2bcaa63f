import Glibc

/// User and groups of the process that connected to a Unix socket, as of its call of `connect`. The
/// kernel reports them, so a client cannot forge them.
package struct ClientCredentials: Hashable, Sendable {
    /// Id of the effective user.
    package var user: UInt32
    /// Ids of the groups, the primary one first.
    package var groups: [UInt32]

    /// Creates credentials, for tests.
    package init(user: UInt32, groups: [UInt32] = []) {
        self.user = user
        self.groups = groups
    }

    /// `struct ucred` of `unix(7)`.
    private struct Credentials {
        var process: Int32 = 0
        var user: UInt32 = 0
        var group: UInt32 = 0
    }

    /// Reads the credentials of a connected socket; nil if the descriptor is not a Unix socket.
    init?(of descriptor: CInt) {
        var credentials = Credentials()
        var size = socklen_t(MemoryLayout<Credentials>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0,
            size == MemoryLayout<Credentials>.size
        else { return nil }
        user = credentials.user
        groups = [credentials.group]
        for group in Self.supplementaryGroups(of: descriptor) where !groups.contains(group) { groups.append(group) }
    }

    /// Supplementary groups of the client; empty if the system cannot report them (`SO_PEERGROUPS`
    /// exists since Linux 4.13).
    private static func supplementaryGroups(of descriptor: CInt) -> [UInt32] {
        var groups = [UInt32](repeating: 0, count: 64)
        // If the groups do not fit, the system returns the necessary size. A process has at most
        // 65,536 groups.
        for _ in 0..<2 {
            var size = socklen_t(groups.count * MemoryLayout<UInt32>.size)
            let result = getsockopt(descriptor, SOL_SOCKET, peerGroups, &groups, &size)
            let count = Int(size) / MemoryLayout<UInt32>.size
            if result == 0 { return Array(groups.prefix(count)) }
            guard errno == ERANGE, count > groups.count, count <= 65_536 else { return [] }
            groups = [UInt32](repeating: 0, count: count)
        }
        return []
    }

    /// `SO_PEERGROUPS` of `asm-generic/socket.h`, which some C library headers lack.
    private static let peerGroups: CInt = 59
}
