/// etcd, if installed.
struct Etcd {
    let peer: Peer
    /// Path of the server; nil if it is missing.
    private let program: String?

    init() throws(Failure) {
        program = SearchPath.program("etcd")
        let said = try program.map { program throws(Failure) in try Child.said([program, "--version"]) }
        peer = Peer(
            name: "etcd",
            // etcd Version: 3.4.23
            version: said?.split(separator: "\n").first?.split(separator: " ").last.map(String.init),
            setup: "a single member with a new data directory, on a Unix socket, without TCP, a database of at most "
                + "\(EtcdServer.quotaBytes >> 30) GiB, otherwise defaults (`fsync` on); `Put` over gRPC, "
                + "one at a time on each connection",
            packages: "etcd-server")
    }

    /// Starts a server. Nil if etcd is not installed.
    func server(_ context: Context) throws(Failure) -> EtcdServer? {
        try program.map { program throws(Failure) in try EtcdServer(program, in: try context.scratch()) }
    }
}
