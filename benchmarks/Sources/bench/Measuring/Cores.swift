import Glibc

/// How many cores were busy on average over some time: 1 is one core, all the time.
struct Cores {
    fileprivate var seconds = 0.0
    fileprivate var processSeconds = 0.0
    fileprivate var ownSeconds = 0.0

    /// Of what is measured.
    var process: Double { processSeconds / seconds }
    /// Of this program and of the load generators that it started and that have ended.
    var own: Double { ownSeconds / seconds }

    /// Over both times.
    static func + (left: Self, right: Self) -> Self {
        Self(
            seconds: left.seconds + right.seconds, processSeconds: left.processSeconds + right.processSeconds,
            ownSeconds: left.ownSeconds + right.ownSeconds)
    }
}

/// Watches what two processes take, from when it is made.
struct CoreMeter {
    private let pid: pid_t
    private let hasChildren: Bool
    private let start = seconds()
    private let process: Double
    private let own = ProcessFacts.ownCoreSeconds()

    /// - Parameter hasChildren: whether the process leaves its work to others that it starts; they count then, in ticks of 10 ms.
    init(of pid: pid_t, hasChildren: Bool = false) throws(Failure) {
        self.pid = pid
        self.hasChildren = hasChildren
        process = try Self.coreSeconds(of: pid, hasChildren)
    }

    func read() throws(Failure) -> Cores {
        Cores(
            seconds: seconds() - start, processSeconds: try Self.coreSeconds(of: pid, hasChildren) - process,
            ownSeconds: ProcessFacts.ownCoreSeconds() - own)
    }

    private static func coreSeconds(of pid: pid_t, _ hasChildren: Bool) throws(Failure) -> Double {
        hasChildren ? try ProcessFacts.coreSecondsWithChildren(of: pid) : try ProcessFacts.coreSeconds(of: pid)
    }
}
