import Glibc
import NotesWire
import StrictJSON

/// A connected Unix socket with blocking calls, which closes itself when it is destroyed.
struct DirectSocket: ~Copyable {
    private let descriptor: Int32
    private var framer = LineFramer(lineBytesMax: JSONDocument.bytesMax)
    private var chunk = [UInt8](repeating: 0, count: 64 * 1_024)

    /// Connects to the socket and returns its number, which the caller closes.
    ///
    /// - Throws: `ClientError` with the reason.
    static func descriptor(to path: String) throws(ClientError) -> Int32 {
        guard path.utf8.count <= Connector.pathBytesMax else {
            throw .pathTooLong(path: path, limit: Connector.pathBytesMax)
        }
        let number = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard number >= 0 else { throw Connector.error(number: errno, path: path) }
        let code = connect(number, to: path)
        guard code == 0 else {
            close(number)
            throw Connector.error(number: code, path: path)
        }
        return number
    }

    private init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Connects to the socket.
    ///
    /// - Throws: `ClientError` with the reason.
    static func connected(to path: String) throws(ClientError) -> DirectSocket {
        DirectSocket(try descriptor(to: path))
    }

    /// Connects. Returns 0, or an `errno` value.
    private static func connect(_ descriptor: Int32, to path: String) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                while Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) != 0 {
                    if errno != EINTR { return errno }
                }
                return 0
            }
        }
    }

    deinit {
        close(descriptor)
    }

    /// Sends all bytes. Returns false if the daemon has closed the connection.
    func send(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { buffer in
            var rest = buffer[...]
            while !rest.isEmpty {
                let part = UnsafeRawBufferPointer(rebasing: rest)
                let count = Glibc.send(descriptor, part.baseAddress, part.count, Int32(MSG_NOSIGNAL))
                if count < 0 && errno == EINTR { continue }
                guard count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }
    }

    enum Received {
        case line([UInt8])
        case tooLong
        case ended
        /// No input arrived in time.
        case timedOut
    }

    /// Reads the next line.
    ///
    /// - Parameter milliseconds: longest wait for each read; nil waits for ever.
    mutating func line(within milliseconds: Int32?) -> Received {
        while true {
            switch framer.next() {
            case .line(let line): return .line(line)
            case .tooLong: return .tooLong
            case nil: break
            }
            if let milliseconds {
                var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                let ready = poll(&wanted, 1, milliseconds)
                if ready == 0 { return .timedOut }
                if ready < 0 && errno == EINTR { continue }
            }
            let count = read(descriptor, &chunk, chunk.count)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return .ended }
            chunk[..<count].withUnsafeBytes { framer.receive($0) }
        }
    }
}
