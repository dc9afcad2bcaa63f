/// What every measurement is given.
struct Context {
    /// The daemon's binary.
    let program: String
    /// That of the command line client.
    let control: String
    let redis: Redis
    let postgres: Postgres
    let rounds: Int
    /// How long one value of a round is measured, in seconds.
    let roundSeconds: Double
    /// In the large store.
    let notes: Int
    /// In the store that is searched.
    let searched: Int
    let watchers: Int
    /// Connections that watch and hear nothing.
    let idle: Int
    /// Of each writer in a storm.
    let stormWrites: Int
    /// On a disk.
    let directory: String
    /// Files with recorded editing sessions.
    let traces: [String]
    /// A file with three-way merges, if one was named.
    let merges: String?

    var peers: [Peer] { [redis.peer, postgres.peer] }

    func scratch() throws(Failure) -> Scratch {
        try Scratch(in: directory)
    }

    func daemon(in scratch: Scratch) throws(Failure) -> DaemonProcess {
        try DaemonProcess(program: program, in: scratch)
    }
}
