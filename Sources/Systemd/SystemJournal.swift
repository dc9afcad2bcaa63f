import Glibc

/// A connection to the system journal in its native protocol: one datagram of fields for each entry
/// (systemd.io, "Native Journal Protocol").
package final class SystemJournal: Sendable {
    private let socket: DatagramSocket

    /// The path of the journal's socket.
    package static let path = "/run/systemd/journal/socket"

    /// Opens the connection; nil when the journal's socket cannot be used.
    package init?(path: String = SystemJournal.path) {
        guard let socket = DatagramSocket(to: path) else { return nil }
        self.socket = socket
    }

    /// Whether the descriptor is connected to the journal: `JOURNAL_STREAM` names the device and
    /// inode of that file (`systemd.exec(5)`).
    package static func isStream(_ descriptor: CInt, variable: (String) -> String?) -> Bool {
        guard let stream = variable("JOURNAL_STREAM") else { return false }
        var file = stat()
        return fstat(descriptor, &file) == 0 && stream == "\(file.st_dev):\(file.st_ino)"
    }

    /// Sends one entry. Never blocks, because a stopped journal must not stop the daemon.
    ///
    /// - Parameter fields: names and values. A name consists of capital letters, digits and `_`,
    ///   starts with a letter and has at most 64 bytes; fields with other names are left out. A
    ///   value can be any bytes. The journal does not accept an entry larger than a datagram (about
    ///   200 kB).
    /// - Returns: whether the journal accepted the entry.
    @discardableResult
    package func send(_ fields: [(name: String, value: String)]) -> Bool {
        socket.send(Self.encode(fields), mayWait: false)
    }

    static func encode(_ fields: [(name: String, value: String)]) -> [UInt8] {
        var bytes: [UInt8] = []
        for (name, value) in fields where isName(name) {
            bytes += name.utf8
            if value.utf8.contains(UInt8(ascii: "\n")) {
                bytes.append(UInt8(ascii: "\n"))
                withUnsafeBytes(of: UInt64(value.utf8.count).littleEndian) { bytes += $0 }
            } else {
                bytes.append(UInt8(ascii: "="))
            }
            bytes += value.utf8
            bytes.append(UInt8(ascii: "\n"))
        }
        return bytes
    }

    private static func isName(_ name: String) -> Bool {
        guard let first = name.utf8.first, (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(first), name.utf8.count <= 64 else {
            return false
        }
        return name.utf8.allSatisfy {
            switch $0 {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): true
            default: false
            }
        }
    }
}
