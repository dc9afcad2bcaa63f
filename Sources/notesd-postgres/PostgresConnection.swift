import CPostgres
import Glibc

/// A connection to a server, through libpq. All calls block.
final class PostgresConnection {
    /// A value that is bound to a statement, in the binary format.
    enum Value {
        case text(String)
        case bytes([UInt8])
        case integer(Int32)
        case long(Int64)
        case flag(Bool)
        case byteArrays([[UInt8]])
        case longs([Int64])

        /// The id of the type, which the server states in `pg_type`.
        var type: Oid {
            switch self {
            case .text: 25
            case .bytes: 17
            case .integer: 23
            case .long: 20
            case .flag: 16
            case .byteArrays: 1_001
            case .longs: 1_016
            }
        }

        var binary: [UInt8] {
            switch self {
            case .text(let text): Array(text.utf8)
            case .bytes(let bytes): bytes
            case .integer(let number): number.bigEndianBytes
            case .long(let number): number.bigEndianBytes
            case .flag(let flag): [flag ? 1 : 0]
            case .byteArrays(let elements): Self.array(elements, of: 17)
            case .longs(let numbers): Self.array(numbers.map(\.bigEndianBytes), of: 20)
            }
        }

        /// An array of one dimension: dimensions, flags, type, count, lower bound; then each element after its
        /// length.
        private static func array(_ elements: [[UInt8]], of type: Int32) -> [UInt8] {
            let header = [elements.isEmpty ? 0 : 1, 0, type].flatMap(\.bigEndianBytes)
            guard !elements.isEmpty else { return header }
            let dimension = Int32(elements.count).bigEndianBytes + Int32(1).bigEndianBytes
            return header + dimension + elements.flatMap { Int32($0.count).bigEndianBytes + $0 }
        }
    }

    private let connection: OpaquePointer

    /// Connects.
    ///
    /// - Parameter uri: a connection URI. Its parameters take precedence over those of this program.
    init(_ uri: String) throws(PostgresFault) {
        let settings = [
            ("connect_timeout", "15"), ("keepalives_idle", "30"), ("keepalives_interval", "10"), ("keepalives_count", "3"),
            ("tcp_user_timeout", "60000"), ("fallback_application_name", "notesd-postgres"), ("client_encoding", "UTF8"),
            ("dbname", uri),
        ]
        var names = settings.map { strdup($0.0).map { UnsafePointer($0) } }
        var values = settings.map { strdup($0.1).map { UnsafePointer($0) } }
        defer { for word in names + values { free(UnsafeMutablePointer(mutating: word)) } }
        names.append(nil)
        values.append(nil)
        guard let connection = PQconnectdbParams(names, values, 1) else {
            throw PostgresFault(state: "", message: "out of memory")
        }
        self.connection = connection
        guard PQstatus(connection) == CONNECTION_OK else {
            let message = PostgresFault.line(String(cString: PQerrorMessage(connection)))
            let needsPassword = PQconnectionNeedsPassword(connection) == 1
            throw PostgresFault(state: "", message: message + PostgresFault.advice(about: message, needsPassword: needsPassword))
        }
        PQsetNoticeProcessor(connection, { _, _ in }, nil)
    }

    deinit { PQfinish(connection) }

    /// The number of the socket.
    var socket: Int32 { PQsocket(connection) }

    /// The user name of the session.
    var role: String { PQuser(connection).map { String(cString: $0) } ?? "" }

    /// Runs statements without results or parameters, in one implicit transaction.
    func run(_ sql: String) throws(PostgresFault) {
        _ = try PostgresResult(PQexec(connection, sql), connection)
    }

    /// Runs a statement.
    func query(_ sql: String, _ values: [Value] = []) throws(PostgresFault) -> PostgresResult {
        let binaries = values.map(\.binary)
        let types = values.map(\.type)
        let lengths = binaries.map { Int32($0.count) }
        let formats = [Int32](repeating: 1, count: values.count)
        // The parameters are parts of one buffer.
        let bytes = binaries.reduce(into: []) { $0 += $1 } + [0]
        let result = bytes.withUnsafeBytes { buffer in
            var offset = 0
            let pointers: [UnsafePointer<CChar>?] = binaries.map { binary in
                defer { offset += binary.count }
                return (buffer.baseAddress.map { $0 + offset })?.assumingMemoryBound(to: CChar.self)
            }
            return PQexecParams(connection, sql, Int32(values.count), types, pointers, lengths, formats, 1)
        }
        return try PostgresResult(result, connection)
    }

    /// Reads what the server sent unasked. Returns whether a notice of `NOTIFY` came.
    func takeNotices() throws(PostgresFault) -> Bool {
        guard PQconsumeInput(connection) == 1 else {
            throw PostgresFault(state: "", message: PostgresFault.line(String(cString: PQerrorMessage(connection))))
        }
        var found = false
        while let notice = PQnotifies(connection) {
            found = true
            PQfreemem(notice)
        }
        return found
    }
}

/// The result of a statement, in the binary format. A value of another type or length is nil.
final class PostgresResult {
    private let result: OpaquePointer

    fileprivate init(_ result: OpaquePointer?, _ connection: OpaquePointer) throws(PostgresFault) {
        guard let result else {
            throw PostgresFault(state: "", message: PostgresFault.line(String(cString: PQerrorMessage(connection))))
        }
        self.result = result
        let status = PQresultStatus(result)
        guard status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK else {
            let field = PQresultErrorField(result, Int32(UInt8(ascii: "C")))
            let message = PQresultErrorField(result, Int32(UInt8(ascii: "M"))).map { String(cString: $0) }
            throw PostgresFault(
                state: field.map { String(cString: $0) } ?? "",
                message: PostgresFault.line(message ?? String(cString: PQerrorMessage(connection))))
        }
    }

    deinit { PQclear(result) }

    var rowCount: Int { Int(PQntuples(result)) }

    /// A value; nil if it is null or there is none.
    func bytes(_ row: Int, _ column: Int) -> [UInt8]? {
        guard row < rowCount, column < Int(PQnfields(result)) else { return nil }
        guard PQgetisnull(result, Int32(row), Int32(column)) == 0, let start = PQgetvalue(result, Int32(row), Int32(column))
        else {
            return nil
        }
        return Array(UnsafeRawBufferPointer(start: start, count: Int(PQgetlength(result, Int32(row), Int32(column)))))
    }

    func text(_ row: Int, _ column: Int) -> String? { bytes(row, column).map { String(decoding: $0, as: UTF8.self) } }

    func flag(_ row: Int, _ column: Int) -> Bool? { bytes(row, column).map { $0 == [1] } }

    /// An integer of 4 or 8 bytes.
    func integer(_ row: Int, _ column: Int) -> Int64? {
        guard let bytes = bytes(row, column) else { return nil }
        switch bytes.count {
        case 4: return Int64(Int32(bitPattern: bytes.reduce(0) { $0 << 8 | UInt32($1) }))
        case 8: return Int64(bitPattern: bytes.reduce(0) { $0 << 8 | UInt64($1) })
        default: return nil
        }
    }
}

extension FixedWidthInteger {
    fileprivate var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
}
