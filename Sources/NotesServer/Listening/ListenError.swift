import Glibc

/// Reason why the daemon cannot listen. The description states the obstacle and what to do about
/// it.
package enum ListenError: Error, Hashable {
    /// The path does not fit into `sun_path`, which holds 107 bytes and a NUL.
    case pathTooLong(path: String, bytes: Int, limit: Int)
    /// The path is empty.
    case emptyPath
    /// The path names a file that is not a socket. The daemon does not touch it.
    case notASocket(path: String)
    /// Another process listens on the path.
    case alreadyListening(path: String)
    /// All users can write the directory, so any of them could replace the socket.
    case openDirectory(String)
    /// The directory belongs to another user, who could replace the socket.
    case foreignDirectory(String, owner: UInt32)
    /// A system call failed. `code` is its `errno`.
    case systemCall(String, path: String, code: Int32)
    /// The listening socket was closed, but the daemon did not close it.
    case lost(path: String)
}

extension ListenError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .pathTooLong(let path, let bytes, let limit):
            "the path of the socket has \(bytes) bytes, and the system permits \(limit): \(path); choose a shorter path with "
                + "--socket"
        case .emptyPath:
            "the path of the socket is empty; set one with --socket"
        case .notASocket(let path):
            "\(path) exists and is not a socket; move it away, or choose another path with --socket"
        case .alreadyListening(let path):
            "another program already listens on \(path); stop it, or choose another path with --socket"
        case .openDirectory(let directory):
            "all users can write \(directory), so any of them could replace the socket and impersonate the daemon; run "
                + "`chmod o-w \(directory)`, or choose another path with --socket"
        case .foreignDirectory(let directory, let owner):
            "\(directory) belongs to another user (\(owner)), who could replace the socket; choose a path in a directory of your "
                + "own with --socket"
        case .systemCall(let call, let path, let code):
            "cannot listen on \(path): \(call): \(SystemFault.description(of: code))"
        case .lost(let path):
            "the system closed the listening socket \(path), so no client can connect; start the daemon again"
        }
    }
}

/// Descriptions of `errno` values.
enum SystemFault {
    /// The text of `strerror` for a code. Thread-safe.
    static func description(of code: Int32) -> String {
        var buffer = [CChar](repeating: 0, count: 256)
        guard strerror_r(code, &buffer, buffer.count) == 0 else { return "error \(code)" }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
