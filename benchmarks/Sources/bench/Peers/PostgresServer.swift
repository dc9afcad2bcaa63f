import Foundation
import Glibc

/// A PostgreSQL server for the benchmark, with a table of notes and a table of their history.
final class PostgresServer {
    private let programs: Postgres.Programs
    private let scratch: Scratch
    private let child: Child

    var pid: pid_t { child.pid }

    /// Starts the server and creates the tables.
    init(_ programs: Postgres.Programs, in scratch: Scratch) throws(Failure) {
        self.programs = programs
        self.scratch = scratch
        let data = "\(scratch.path)/data"
        let log = "\(scratch.path)/postgres.log"
        let drop = try Self.dropRoot(for: scratch)
        _ = try Child.said(
            drop + [programs.initdb, "-D", data, "-A", "trust", "-U", Self.user, "-E", "UTF8", "--no-locale"],
            environment: Self.environment)
        // SIGQUIT ends the server immediately and lets it remove its shared memory.
        child = try Child(
            drop + [
                programs.server, "-D", data, "-k", scratch.path, "-c", "listen_addresses=", "-c", "max_connections=200",
            ], environment: Self.environment, output: log, abort: SIGQUIT)
        let limit = seconds() + 30
        while !isReady {
            guard !child.hasEnded, seconds() < limit else {
                throw Failure("PostgreSQL did not start:\n\(try ProcessFacts.text(log).suffix(2_000))")
            }
            pause(seconds: 0.02)
        }
        _ = try run(programs.client, ["-v", "ON_ERROR_STOP=1", "-c", Self.tables])
        let script = Data(Self.save.utf8)
        guard FileManager.default.createFile(atPath: self.script, contents: script) else {
            throw Failure("\(self.script) cannot be written")
        }
    }

    static let user = "postgres"
    private static let environment = ["PATH=/usr/bin:/bin", "LC_ALL=C"]

    private var script: String { "\(scratch.path)/save.sql" }
    private var isReady: Bool { (try? run(programs.client, ["-c", "SELECT 1"])) != nil }

    /// PostgreSQL refuses to run as root. Root therefore gives the directory to another user and
    /// runs the server as that user. Returns the words before the command.
    private static func dropRoot(for scratch: Scratch) throws(Failure) -> [String] {
        guard geteuid() == 0 else { return [] }
        guard let entry = getpwnam(user) ?? getpwnam("nobody") else { throw Failure("no user exists to run PostgreSQL as") }
        let (uid, gid) = (entry.pointee.pw_uid, entry.pointee.pw_gid)
        guard let setpriv = SearchPath.program("setpriv") else {
            throw Failure("PostgreSQL refuses to run as root, and setpriv is missing (Debian: util-linux)")
        }
        guard chown(scratch.path, uid, gid) == 0 else { throw Failure(call: "chown") }
        return [setpriv, "--reuid=\(uid)", "--regid=\(gid)", "--clear-groups", "--"]
    }

    /// A connection URI of the database, with further parameters.
    func url(_ parameters: String = "") -> String {
        "postgres://\(Self.user)@/postgres?host=\(scratch.path)\(parameters)"
    }

    func session() throws(Failure) -> PostgresSession {
        try PostgresSession(socket: "\(scratch.path)/.s.PGSQL.5432", user: Self.user, database: "postgres")
    }

    private func run(_ program: String, _ arguments: [String]) throws(Failure) -> String {
        try Child.said([program, "-h", scratch.path, "-U", Self.user] + arguments + ["postgres"], environment: Self.environment)
    }

    private static let notes = 1_000

    private static let tables = """
        CREATE TABLE note (id int PRIMARY KEY, version int NOT NULL, text text NOT NULL);
        CREATE TABLE history (note int, version int, text text NOT NULL, PRIMARY KEY (note, version));
        INSERT INTO note SELECT id, 0, repeat('.', \(ReplacedLine.bytes)) FROM generate_series(0, \(notes - 1)) AS id;
        """

    /// Each client saves a separate note. The number makes each text different.
    private static let save: String = {
        let digits = 12
        let rest = String(repeating: ".", count: ReplacedLine.bytes - digits)
        return """
            \\set number random(100000000000, 999999999999)
            WITH saved AS (UPDATE note SET version = version + 1, text = :number::text || '\(rest)'
                    WHERE id = :client_id RETURNING id, version, text),
                kept AS (INSERT INTO history SELECT id, version, text FROM saved)
            SELECT pg_notify('notes', id::text) FROM saved;
            """
    }()

    /// Rate of the saves that `pgbench` makes, with each connection waiting for its responses, for
    /// about `time`, rounded up to seconds.
    func saves(connections: Int, for time: Double) throws(Failure) -> LoadRate {
        let said = try run(
            programs.benchmark,
            [
                "-n", "-M", "prepared", "-f", script, "-c", "\(connections)", "-j", "1",
                "-T", "\(max(1, Int(time.rounded(.up))))",
            ])
        // number of transactions actually processed: 290
        // tps = 285.1 (without initial connection time)
        let lines = said.split(separator: "\n")
        let count = lines.first { $0.hasPrefix("number of transactions actually") }?.split(separator: " ").last
        let line = lines.first { $0.hasPrefix("tps = ") && $0.contains("without") }
        guard let rate = line?.split(separator: " ").dropFirst(2).first.flatMap({ Double($0) }),
            let operations = count.flatMap({ Int($0) })
        else { throw Failure("unexpected output of pgbench: \(said)") }
        return LoadRate(perSecond: rate, operations: operations)
    }
}
