/// The parameters of every measurement.
struct Context {
    /// Path of the daemon's binary.
    let program: String
    /// Path of the command-line client's binary.
    let control: String
    /// Path of the gateway to PostgreSQL; nil if it was not built.
    let gateway: String?
    let redis: Redis
    let postgres: Postgres
    let etcd: Etcd
    let rounds: Int
    /// Seconds for which one value is measured in a round.
    let roundSeconds: Double
    /// Number of notes in the large store.
    let notes: Int
    /// Number of notes in the searched store.
    let searched: Int
    /// Megabytes of text in the store in which notes are purged.
    let purged: Int
    let watchers: Int
    /// Number of connections that watch and receive nothing.
    let idle: Int
    /// Number of writes of each writer in a storm.
    let stormWrites: Int
    /// Parent directory of all stores, on a disk.
    let directory: String
    /// Paths of recorded editing sessions.
    let traces: [String]
    /// Path of a file with three-way merges, if one was named.
    let merges: String?

    var peers: [Peer] { [redis.peer, postgres.peer, etcd.peer] }

    func scratch() throws(Failure) -> Scratch {
        try Scratch(in: directory)
    }

    func floor() throws(Failure) -> FloorProcess {
        try FloorProcess(in: try scratch())
    }

    func daemon(in scratch: Scratch) throws(Failure) -> DaemonProcess {
        try DaemonProcess(program: program, in: scratch)
    }
}
