import Glibc

/// An etcd server for the benchmark, the only member of its cluster.
final class EtcdServer {
    private let socket: String
    private let scratch: Scratch
    private let child: Child

    var pid: pid_t { child.pid }

    /// The greatest size of the database. It keeps all values of a key; the default of 2 GiB ends a
    /// long measurement.
    static let quotaBytes = 8 << 30

    /// Starts the server, and returns when it accepts connections.
    init(_ program: String, in scratch: Scratch) throws(Failure) {
        self.scratch = scratch
        // etcd takes a name like `host:port` for a socket, not a path: it makes the socket in its
        // working directory.
        let (client, peer) = ("client:1", "peer:1")
        socket = "\(scratch.path)/\(client)"
        let log = "\(scratch.path)/etcd.log"
        guard let env = SearchPath.program("env") else { throw Failure("env is missing (Debian: coreutils)") }
        child = try Child(
            [
                env, "-C", scratch.path, program, "--name", "bench", "--data-dir", "\(scratch.path)/etcd",
                "--listen-client-urls", "unix://\(client)", "--advertise-client-urls", "unix://\(client)",
                "--listen-peer-urls", "unix://\(peer)", "--initial-advertise-peer-urls", "unix://\(peer)",
                "--initial-cluster", "bench=unix://\(peer)", "--quota-backend-bytes", "\(Self.quotaBytes)",
            ], output: log)
        let limit = seconds() + 30
        while !(try Descriptor.stream().connects(to: socket)) {
            guard !child.hasEnded, seconds() < limit else {
                throw Failure("etcd did not start:\n\(try ProcessFacts.text(log).suffix(2_000))")
            }
            pause(seconds: 0.02)
        }
    }

    func connection() throws(Failure) -> EtcdConnection {
        let descriptor = try Descriptor.stream()
        guard try descriptor.connects(to: socket) else { throw Failure("cannot connect to etcd on \(socket)") }
        return try EtcdConnection(descriptor)
    }
}
