import Foundation
import Glibc

/// What the kernel says of a process.
enum ProcessFacts {
    /// Memory in bytes: `rss` with, `pss` without what others share.
    struct Memory {
        let rss: Int
        let pss: Int
    }

    static func memory(of pid: pid_t) throws(Failure) -> Memory {
        let rollup = try text("/proc/\(pid)/smaps_rollup")
        return Memory(rss: kilobytes("Rss:", in: rollup) * 1_024, pss: kilobytes("Pss:", in: rollup) * 1_024)
    }

    private static func kilobytes(_ name: String, in text: String) -> Int {
        let line = text.split(separator: "\n").first { $0.hasPrefix(name) }
        return line.flatMap { $0.split(separator: " ").dropFirst().first }.flatMap { Int($0) } ?? 0
    }

    /// Seconds of a core that a process has used, all its threads together. To the nanosecond: what `/proc` says is counted in
    /// ticks of the clock, which a daemon that wakes for less than one can fall between.
    static func coreSeconds(of pid: pid_t) throws(Failure) -> Double {
        var clock = clockid_t()
        let code = clock_getcpuclockid(pid, &clock)
        guard code == 0 else { throw Failure("clock_getcpuclockid: \(String(cString: strerror(code)))") }
        var time = timespec()
        guard clock_gettime(clock, &time) == 0 else { throw Failure(call: "clock_gettime") }
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Seconds of a core that this process has used.
    static func ownCoreSeconds() -> Double {
        var usage = rusage()
        getrusage(RUSAGE_SELF.rawValue, &usage)
        return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }

    private static func seconds(_ time: timeval) -> Double {
        Double(time.tv_sec) + Double(time.tv_usec) / 1e6
    }

    /// Raises the limit on open files as far as it goes, and returns it.
    static func raiseOpenFiles() -> Int {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = min(limit.rlim_max, 65_536)
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return Int(limit.rlim_cur)
    }

    static func text(_ path: String) throws(Failure) -> String {
        guard let data = FileManager.default.contents(atPath: path) else { throw Failure("\(path) cannot be read") }
        return String(decoding: data, as: UTF8.self)
    }
}
