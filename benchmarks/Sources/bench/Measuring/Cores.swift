import Glibc

/// Average number of busy cores over some time; 1 is one core all the time.
struct Cores {
    fileprivate(set) var seconds = 0.0
    /// Seconds of a core that the measured process used.
    fileprivate(set) var processSeconds = 0.0
    fileprivate var ownSeconds = 0.0

    /// Cores of the measured process.
    var process: Double { processSeconds / seconds }
    /// Cores of this program and of the load generators that it started and that have ended.
    var own: Double { ownSeconds / seconds }

    /// The average over both times.
    static func + (left: Self, right: Self) -> Self {
        Self(
            seconds: left.seconds + right.seconds, processSeconds: left.processSeconds + right.processSeconds,
            ownSeconds: left.ownSeconds + right.ownSeconds)
    }
}

/// Measures the cores that a process and this program keep busy, from its creation on.
struct CoreMeter {
    private let pid: pid_t
    private let hasChildren: Bool
    private let start = seconds()
    private let process: Double
    private let own = ProcessFacts.ownCoreSeconds()

    /// - Parameter hasChildren: Whether to count the process's children too, in ticks of 10 ms.
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
