import Glibc

/// A connection to PostgreSQL by its protocol, version 3, that waits for each answer.
final class PostgresSession {
    private let descriptor: Descriptor
    private var bytes: [UInt8] = []
    private var start = 0

    /// - Parameter socket: Path of the server's socket. The server must ask for no password.
    init(socket: String, user: String, database: String) throws(Failure) {
        descriptor = try Descriptor.stream()
        guard try descriptor.connects(to: socket) else { throw Failure("PostgreSQL does not listen on \(socket)") }
        descriptor.setReadLimit(seconds: 60)
        let words = Array("user\0\(user)\0database\0\(database)\0\0".utf8)
        try descriptor.writeAll(Self.number(words.count + 8) + Self.number(3 << 16) + words)
        try awaitReady()
    }

    /// Runs statements, and ignores their rows.
    func run(_ sql: String) throws(Failure) {
        try send(sql)
        try awaitReady()
    }

    /// Sends statements without waiting.
    func send(_ sql: String) throws(Failure) {
        try descriptor.writeAll(Self.message("Q", Array(sql.utf8) + [0]))
    }

    /// Copies rows into a table, in one transaction.
    ///
    /// - Parameter rows: Lines in the text format of `COPY`.
    func copy(_ rows: [UInt8], into table: String) throws(Failure) {
        try send("COPY \(table) FROM STDIN")
        while try next() != UInt8(ascii: "G") {}
        try descriptor.writeAll(Self.message("d", rows) + Self.message("c", []))
        try awaitReady()
    }

    /// Waits for the end of the statements that were sent.
    func awaitReady() throws(Failure) {
        while try next() != UInt8(ascii: "Z") {}
    }

    /// Waits for a notice of `NOTIFY`.
    func awaitNotice() throws(Failure) {
        while try next() != UInt8(ascii: "A") {}
    }

    /// Waits for the next message, and returns its type. Throws an error that the server sends.
    private func next() throws(Failure) -> UInt8 {
        let head = 5
        try fill(head)
        let length = bytes[(start + 1)..<(start + head)].reduce(0) { $0 << 8 | Int($1) }
        try fill(length + 1)
        defer { start += length + 1 }
        if bytes[start] == UInt8(ascii: "E") {
            let text = bytes[(start + head)..<(start + 1 + length)].map { $0 == 0 ? UInt8(ascii: " ") : $0 }
            throw Failure("PostgreSQL reports: \(String(decoding: text, as: UTF8.self))")
        }
        return bytes[start]
    }

    /// Reads until `count` bytes from `start` on are there.
    private func fill(_ count: Int) throws(Failure) {
        while bytes.count - start < count {
            bytes.removeFirst(start)
            start = 0
            var (failure, read): (Failure?, Int?)
            let more = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, filled in
                do throws(Failure) {
                    read = try descriptor.read(into: UnsafeMutableRawBufferPointer(buffer), isWaiting: true)
                } catch {
                    failure = error
                }
                filled = read ?? 0
            }
            if let failure { throw failure }
            if more.isEmpty { throw Failure("PostgreSQL closed the connection") }
            bytes += more
        }
    }

    private static func message(_ type: Character, _ body: [UInt8]) -> [UInt8] {
        (type.asciiValue.map { [$0] } ?? []) + number(body.count + 4) + body
    }

    private static func number(_ value: Int) -> [UInt8] {
        withUnsafeBytes(of: UInt32(truncatingIfNeeded: value).bigEndian) { Array($0) }
    }
}
