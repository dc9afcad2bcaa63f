import Glibc

/// How many cores were busy on average over some time: 1 is one core, all the time.
struct Cores {
    let daemon: Double
    let own: Double
}

/// Watches what two processes take, from when it is made.
struct CoreMeter {
    private let pid: pid_t
    private let start: Double
    private let daemon: Double
    private let own: Double

    init(daemon pid: pid_t) throws(Failure) {
        self.pid = pid
        daemon = try ProcessFacts.coreSeconds(of: pid)
        own = ProcessFacts.ownCoreSeconds()
        start = seconds()
    }

    func read() throws(Failure) -> Cores {
        let time = seconds() - start
        return Cores(
            daemon: (try ProcessFacts.coreSeconds(of: pid) - daemon) / time, own: (ProcessFacts.ownCoreSeconds() - own) / time)
    }
}
