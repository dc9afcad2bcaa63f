import Glibc

/// Who is at the other end of a Unix socket, by the kernel's word at the time of its connect.
package struct PeerCredentials: Hashable, Sendable {
    package var user: UInt32
    /// The primary one first.
    package var groups: [UInt32]

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

    /// Nil where the descriptor is no Unix socket.
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

    /// None where the system does not tell them (`SO_PEERGROUPS` is there since Linux 4.13).
    private static func supplementaryGroups(of descriptor: CInt) -> [UInt32] {
        var groups = [UInt32](repeating: 0, count: 64)
        // The system says how long they are where they do not fit, of which there are at most 65,536.
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

    /// `SO_PEERGROUPS` of `asm-generic/socket.h`, which the C library's headers do not all have.
    private static let peerGroups: CInt = 59
}
