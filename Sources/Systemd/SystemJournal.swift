import Glibc

/// The system's log, told in its own way: a datagram of fields (`systemd.io`, "Native Journal Protocol").
package final class SystemJournal: Sendable {
    private let socket: DatagramSocket

    package static let path = "/run/systemd/journal/socket"

    /// Nil where it cannot be reached.
    package init?(path: String = SystemJournal.path) {
        guard let socket = DatagramSocket(to: path) else { return nil }
        self.socket = socket
    }

    /// Whether what is written to this descriptor goes to the journal: `JOURNAL_STREAM` says which file that is (`systemd.exec(5)`).
    package static func isStream(_ descriptor: CInt, variable: (String) -> String?) -> Bool {
        guard let stream = variable("JOURNAL_STREAM") else { return false }
        var file = stat()
        return fstat(descriptor, &file) == 0 && stream == "\(file.st_dev):\(file.st_ino)"
    }

    /// A field's name has capital letters, digits and `_`, begins with a letter and has at most 64 bytes; others are left out. A value is
    /// any bytes. What is in all longer than a datagram may be (some 200 kB) is not taken.
    ///
    /// Never waits: a journal that has stopped must not stop whoever logs.
    ///
    /// - Returns: whether the journal took it.
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
