/// The part of gRPC, and of HTTP/2 below it, that a put needs.
enum EtcdWire {
    /// The first bytes of a client: the preface of HTTP/2, empty settings, and a window that the
    /// responses of a connection never fill.
    static let opening =
        Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + frame(.settings, stream: 0, [])
        + frame(.windowUpdate, stream: 0, bigEndian(1 << 30))

    /// The request `Put` of a key and a value.
    static func put(_ key: [UInt8], _ value: [UInt8], stream: UInt32) -> [UInt8] {
        // PutRequest: the key is field 1, the value is field 2.
        let request = field(1, key) + field(2, value)
        let message = [0] + bigEndian(UInt32(request.count)) + request
        return frame(.headers, flags: endsHeaders, stream: stream, headers)
            + frame(.data, flags: endsStream, stream: stream, message)
    }

    enum Kind: UInt8 {
        case data = 0
        case headers = 1
        case reset = 3
        case settings = 4
        case ping = 6
        case goAway = 7
        case windowUpdate = 8
    }

    private static let endsStream: UInt8 = 1
    private static let endsHeaders: UInt8 = 4
    private static let isAcknowledgement: UInt8 = 1
    private static let headBytes = 9

    /// The header fields of every put, as HPACK literals that enter no table.
    private static let headers: [UInt8] =
        // :method POST, :scheme http
        [0x83, 0x86]
        // :path, :authority, content-type, te
        + [0x04] + string("/etcdserverpb.KV/Put") + [0x01] + string("localhost") + [0x0f, 0x10] + string("application/grpc")
        + [0x00] + string("te") + string("trailers")

    private static func string(_ text: String) -> [UInt8] {
        [UInt8(text.utf8.count)] + Array(text.utf8)
    }

    private static func field(_ number: UInt8, _ bytes: [UInt8]) -> [UInt8] {
        var head = [number << 3 | 2]
        var count = bytes.count
        while count > 0x7f {
            head.append(UInt8(count & 0x7f) | 0x80)
            count >>= 7
        }
        return head + [UInt8(count)] + bytes
    }

    private static func bigEndian(_ number: UInt32) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }

    private static func frame(_ kind: Kind, flags: UInt8 = 0, stream: UInt32, _ payload: [UInt8]) -> [UInt8] {
        bigEndian(UInt32(payload.count)).dropFirst() + [kind.rawValue, flags] + bigEndian(stream) + payload
    }

    /// A frame from the server.
    struct Frame {
        /// Nil for a kind that a client may ignore.
        let kind: Kind?
        private let flags: UInt8
        let stream: UInt32
        let payload: ArraySlice<UInt8>

        /// The first frame of `bytes`. Nil if not all of it has arrived.
        init?(_ bytes: ArraySlice<UInt8>) {
            guard bytes.count >= headBytes else { return nil }
            let head = Array(bytes.prefix(headBytes))
            let count = head[..<3].reduce(0) { $0 << 8 | Int($1) }
            guard bytes.count >= headBytes + count else { return nil }
            kind = Kind(rawValue: head[3])
            flags = head[4]
            stream = head[5...].reduce(0) { $0 << 8 | UInt32($1) }
            payload = bytes.dropFirst(headBytes).prefix(count)
        }

        /// Number of bytes with the head.
        var length: Int { headBytes + payload.count }
        var endsStream: Bool { flags & EtcdWire.endsStream != 0 }

        /// The answer to settings or a ping. Nil if the frame is one itself.
        var acknowledgement: [UInt8]? {
            guard let kind, flags & isAcknowledgement == 0 else { return nil }
            return frame(kind, flags: isAcknowledgement, stream: 0, kind == .ping ? Array(payload) : [])
        }
    }
}
