import Glibc
import NIOCore
import NotesModel

/// Who is at the other end of a Unix socket, by the kernel's word at the time of its connect.
enum PeerCredentials {
    /// `struct ucred` of `unix(7)`.
    private struct Credentials: Sendable {
        var process: Int32 = 0
        var user: UInt32 = 0
        var group: UInt32 = 0
    }

    /// Fails where the channel is no socket.
    static func userID(of channel: any Channel) -> EventLoopFuture<UInt32> {
        guard let socket = channel as? any SocketOptionProvider else {
            return channel.eventLoop.makeFailedFuture(ChannelError.operationUnsupported)
        }
        let credentials: EventLoopFuture<Credentials> = socket.unsafeGetSocketOption(
            level: .socket, name: NIOBSDSocket.Option(rawValue: SO_PEERCRED))
        return credentials.map(\.user)
    }
}

extension User {
    /// The user that this process runs as.
    package static func ofThisProcess() -> User {
        let id = geteuid()
        return User(id: id, name: name(of: id))
    }

    /// The name in the system's user database; the number where it has none, or one that is not UTF-8.
    private static func name(of id: UInt32) -> ByteString {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 16 * 1_024)
        guard getpwuid_r(id, &entry, &buffer, buffer.count, &found) == 0, found != nil, let name = entry.pw_name else {
            return ByteString(String(id))
        }
        let bytes = UnsafeBufferPointer(start: name, count: strlen(name)).map { UInt8(bitPattern: $0) }
        return ByteString(checkedUTF8: bytes) ?? ByteString(String(id))
    }
}
