import Foundation
import Glibc

/// A Redis server for the benchmark.
final class RedisServer {
    let socket: String
    private let programs: Redis.Programs
    private let scratch: Scratch
    private let child: Child
    /// Sets per second in the last run of `redis-benchmark`, whose duration is given as a number of
    /// requests.
    private var lastRate = 500.0

    var pid: pid_t { child.pid }
    /// Path of `redis-cli`.
    var client: String { programs.client }

    /// Starts the server, and returns when it accepts connections.
    ///
    /// - Parameter isDurable: Whether each write is on disk before its response; otherwise none
    ///   ever is.
    init(_ programs: Redis.Programs, isDurable: Bool, in scratch: Scratch) throws(Failure) {
        self.programs = programs
        self.scratch = scratch
        socket = "\(scratch.path)/redis.sock"
        let log = "\(scratch.path)/redis.log"
        child = try Child(
            [
                programs.server, "--port", "0", "--unixsocket", socket, "--dir", scratch.path, "--save", "",
                "--appendonly", isDurable ? "yes" : "no", "--appendfsync", "always", "--auto-aof-rewrite-percentage", "0",
                "--client-output-buffer-limit", "pubsub", "0", "0", "0", "--maxclients", "10000",
            ], output: log)
        let limit = seconds() + 20
        while !(try Descriptor.stream().connects(to: socket)) {
            guard !child.hasEnded, seconds() < limit else {
                throw Failure("Redis did not start:\n\(try ProcessFacts.text(log).suffix(2_000))")
            }
            pause(seconds: 0.002)
        }
    }

    func connection() throws(Failure) -> RedisConnection {
        let descriptor = try Descriptor.stream()
        guard try descriptor.connects(to: socket) else { throw Failure("cannot connect to Redis on \(socket)") }
        return RedisConnection(descriptor)
    }

    /// Rate of the sets that `redis-benchmark` makes of a note's text under one of a
    /// hundred thousand keys, with each connection waiting for its responses, for about `time`.
    func sets(connections: Int, for time: Double) throws(Failure) -> LoadRate {
        let requests = max(4 * connections, Int(lastRate * time))
        let said = try Child.said([
            programs.benchmark, "-s", socket, "-t", "set", "-d", "\(ReplacedLine.bytes)", "-c", "\(connections)",
            "-n", "\(requests)", "-r", "100000", "--csv",
        ])
        // "SET","9004.95",…
        let line = said.split(separator: "\n").last { $0.hasPrefix("\"SET\"") }
        let field = line?.split(separator: ",").dropFirst().first?.trimmingCharacters(in: ["\""])
        guard let rate = field.flatMap({ Double($0) }) else { throw Failure("unexpected output of redis-benchmark: \(said)") }
        lastRate = rate
        return LoadRate(perSecond: rate, operations: requests)
    }
}
