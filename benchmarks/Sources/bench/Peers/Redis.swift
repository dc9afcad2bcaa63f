/// Redis, if installed.
struct Redis {
    let peer: Peer
    /// Nil if one of them is missing.
    private let programs: Programs?

    struct Programs {
        let server: String
        let client: String
        let benchmark: String
    }

    private static let versionLeast = 7

    init() throws(Failure) {
        let paths = ["redis-server", "redis-cli", "redis-benchmark"].compactMap { SearchPath.program($0) }
        programs = paths.count == 3 ? Programs(server: paths[0], client: paths[1], benchmark: paths[2]) : nil
        let version = try programs.map { programs throws(Failure) in try Self.version(of: programs.server) }
        peer = Peer(
            name: "Redis", version: version,
            setup: "separate servers on Unix sockets, without TCP, snapshots, rewriting of the append-only file, and limits on "
                + "unread output of subscribers, otherwise defaults; one server without files for messages and GET, "
                + "one with `appendfsync always` for saves",
            packages: "redis-server, redis-tools")
    }

    private static func version(of program: String) throws(Failure) -> String {
        let said = try Child.said([program, "--version"])
        let version = said.split(separator: " ").first { $0.hasPrefix("v=") }?.dropFirst(2) ?? ""
        guard let major = version.split(separator: ".").first.flatMap({ Int($0) }), major >= versionLeast else {
            throw Failure("Redis \(version) is older than \(versionLeast): \(program)")
        }
        return String(version)
    }

    /// Starts a server. Nil if Redis is not installed.
    func server(isDurable: Bool, _ context: Context) throws(Failure) -> RedisServer? {
        try programs.map { programs throws(Failure) in
            try RedisServer(programs, isDurable: isDurable, in: try context.scratch())
        }
    }
}
