/// A PostgreSQL server with a schema for notes, and a table that is filled without notesd.
final class HubLog {
    static let rowsPerCopy = 256
    /// Bytes of a stored revision besides its text, as `HubRevisions` makes it.
    private static let headBytes = 44

    let gateway: String
    private let server: PostgresServer
    private var copied = 0
    private let copier: PostgresSession

    init(_ gateway: String, _ server: PostgresServer) throws(Failure) {
        (self.gateway, self.server) = (gateway, server)
        _ = try Child.said([gateway, "init", server.url()], environment: ["PATH=/usr/bin:/bin"])
        copier = try server.session()
        try copier.run(
            """
            CREATE TABLE copied (space int, position bigint, replica bytea, counter bigint, body bytea,
                PRIMARY KEY (space, position));
            PREPARE put AS WITH one AS (INSERT INTO copied VALUES (1, $1, '\\x0000000000000001', $1, $2))
                SELECT pg_notify('copied', '');
            """)
    }

    var pid: Int32 { server.pid }

    /// A connection that listens to `put`.
    func listener() throws(Failure) -> PostgresSession {
        let session = try server.session()
        try session.run("LISTEN copied")
        return session
    }

    /// Adds a space, and returns its address.
    func space(_ name: String) throws(Failure) -> String {
        for words in [["space", "add", server.url(), name], ["member", "add", server.url(), name, PostgresServer.user]] {
            _ = try Child.said([gateway] + words, environment: ["PATH=/usr/bin:/bin"])
        }
        return server.url("&space=\(name)")
    }

    /// Copies rows that are as long as revisions, `rowsPerCopy` in a transaction, for `time` seconds.
    func copiesPerSecond(for time: Double) throws(Failure) -> Double {
        let begin = seconds()
        var count = 0
        while seconds() - begin < time {
            try copy(Self.rowsPerCopy, textBytes: SampleText.kilobyte.bytes)
            count += Self.rowsPerCopy
        }
        return Double(count) / (seconds() - begin)
    }

    /// Copies rows in one transaction.
    func copy(_ count: Int, textBytes: Int) throws(Failure) {
        let body = Array(String(repeating: ".", count: textBytes + Self.headBytes).utf8) + [0x0a]
        var rows: [UInt8] = []
        for _ in 0..<count {
            copied += 1
            rows += Array("1\t\(copied)\t\\\\x0000000000000001\t\(copied)\t".utf8) + body
        }
        try copier.copy(rows, into: "copied")
    }

    /// Inserts a row of 1 kB and notifies. Returns the seconds until `listener` has the notice.
    func put(_ listener: PostgresSession) throws(Failure) -> Double {
        copied += 1
        let body = String(repeating: ".", count: SampleText.kilobyte.bytes + Self.headBytes)
        let begin = seconds()
        try copier.send("EXECUTE put(\(copied), '\(body)')")
        try listener.awaitNotice()
        let time = seconds() - begin
        try copier.awaitReady()
        return time
    }
}
