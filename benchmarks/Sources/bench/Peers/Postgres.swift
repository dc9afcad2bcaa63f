import Foundation
import Glibc

/// PostgreSQL, if installed.
struct Postgres {
    let peer: Peer
    /// Nil if one of them is missing.
    private let programs: Programs?

    struct Programs {
        let initdb: String
        let server: String
        let client: String
        let benchmark: String
    }

    /// Debian's directory of installed versions; each has a directory of programs.
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
            setup: "a new cluster on a Unix socket, as `initdb` sets it up (`fsync` and `synchronous_commit` on), "
                + "without TCP, at most 200 connections; one prepared statement, in one round trip and one transaction, "
                + "updates a note's row, inserts one into a history table, and notifies",
            packages: "postgresql")
    }

    /// Starts a server. Nil if PostgreSQL is not installed.
    func server(_ context: Context) throws(Failure) -> PostgresServer? {
        try programs.map { programs throws(Failure) in try PostgresServer(programs, in: try context.scratch()) }
    }
}
