import Foundation
import Glibc

/// PostgreSQL, if this machine has it.
struct Postgres {
    let peer: Peer
    /// Nil where one of them is missing.
    private let programs: Programs?

    struct Programs {
        let initdb: String
        let server: String
        let client: String
        let benchmark: String
    }

    /// What Debian keeps its versions in, each with a folder of programs.
    private static let versions = "/usr/lib/postgresql"

    init() throws(Failure) {
        let found = (try? FileManager.default.contentsOfDirectory(atPath: Self.versions)) ?? []
        let newest = found.compactMap { Int($0) }.max().map { "\(Self.versions)/\($0)/bin" }
        let paths = ["initdb", "postgres", "psql", "pgbench"].compactMap {
            SearchPath.program($0, in: newest.map { [$0] } ?? [])
        }
        programs =
            paths.count == 4 ? Programs(initdb: paths[0], server: paths[1], client: paths[2], benchmark: paths[3]) : nil
        let said = try programs.map { programs throws(Failure) in try Child.said([programs.server, "--version"]) }
        peer = Peer(
            name: "PostgreSQL", version: said?.split(separator: " ").dropFirst(2).first.map(String.init),
            setup: "a cluster of its own on a Unix socket, as `initdb` sets it up (`fsync` and `synchronous_commit` on), "
                + "without TCP and with 200 connections at most; one prepared statement, in one round trip and one transaction, "
                + "updates a note's row, adds one to a history table, and notifies",
            packages: "postgresql")
    }

    /// Nil where this machine lacks it.
    func server(_ context: Context) throws(Failure) -> PostgresServer? {
        try programs.map { programs throws(Failure) in try PostgresServer(programs, in: try context.scratch()) }
    }
}
