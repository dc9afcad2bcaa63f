import Glibc

/// Why the daemon cannot listen. Each says what is in the way and what to do about it.
package enum ListenError: Error, Hashable {
    /// The system holds a socket's path in a field of fixed size.
    case pathTooLong(path: String, bytes: Int, limit: Int)
    case emptyPath
    /// Something that is not a socket stands there; it is left alone.
    case notASocket(path: String)
    case alreadyListening(path: String)
    /// Anybody could put a socket of his own there in the place of this one.
    case openDirectory(String)
    /// So could the user whose it is.
    case foreignDirectory(String, owner: UInt32)
    case systemCall(String, path: String, code: Int32)
    /// What listened was closed, and not because it was asked to.
    case lost(path: String)
}

extension ListenError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .pathTooLong(let path, let bytes, let limit):
            "the socket's path has \(bytes) bytes, and the system takes \(limit): \(path). Choose a shorter one with --socket"
        case .emptyPath:
            "the socket's path is empty; name one with --socket"
        case .notASocket(let path):
            "\(path) is there and is not a socket, so it is left alone; move it away or choose another path with --socket"
        case .alreadyListening(let path):
            "another program listens on \(path) already; stop it, or choose another path with --socket"
        case .openDirectory(let directory):
            "anybody may put another socket into \(directory), and be asked in the daemon's place; run `chmod o-w \(directory)`, or choose "
                + "another path with --socket"
        case .foreignDirectory(let directory, let owner):
            "\(directory) belongs to another user (\(owner)), who may put another socket there; choose a path in a directory of your own "
                + "with --socket"
        case .systemCall(let call, let path, let code):
            "cannot listen on \(path): \(call): \(SystemFault.description(of: code))"
        case .lost(let path):
            "the system takes no more connections on \(path), so nobody could come in any more; start again"
        }
    }
}

enum SystemFault {
    static func description(of code: Int32) -> String {
        var buffer = [CChar](repeating: 0, count: 256)
        guard strerror_r(code, &buffer, buffer.count) == 0 else { return "error \(code)" }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
