import Foundation
import Glibc

/// Facts about a process from the kernel.
enum ProcessFacts {
    /// Memory in bytes: `rss` includes shared pages in full, `pss` divides them among the
    /// processes.
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

    /// Seconds of a core that all threads of a process have used, with nanosecond resolution.
    /// `/proc` counts in clock ticks, which miss a daemon that wakes for less than one tick.
    static func coreSeconds(of pid: pid_t) throws(Failure) -> Double {
        var clock = clockid_t()
        let code = clock_getcpuclockid(pid, &clock)
        guard code == 0 else { throw Failure("clock_getcpuclockid: \(String(cString: strerror(code)))") }
        var time = timespec()
        guard clock_gettime(clock, &time) == 0 else { throw Failure(call: "clock_gettime") }
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// The same including its children, ended ones too, in clock ticks.
    static func coreSecondsWithChildren(of pid: pid_t) throws(Failure) -> Double {
        let children = try text("/proc/\(pid)/task/\(pid)/children").split(separator: " ").compactMap { pid_t($0) }
        var ticks = try self.ticks(of: pid).reduce(0, +)
        // A child that has just ended already counts as its parent's.
        for child in children { ticks += (try? self.ticks(of: child).prefix(2).reduce(0, +)) ?? 0 }
        return Double(ticks) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// Clock ticks in user mode and in the kernel, and both of its ended children.
    private static func ticks(of pid: pid_t) throws(Failure) -> [Int] {
        // The process's name may contain spaces; it precedes these fields in parentheses.
        let fields = try text("/proc/\(pid)/stat").split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 14 else { throw Failure("/proc/\(pid)/stat is cut short") }
        return fields[11..<15].compactMap { Int($0) }
    }

    /// Number of bytes that a process has changed in files on disks, in whole pages: a page that
    /// changes again after it was written counts again.
    static func writtenBytes(of pid: pid_t) throws(Failure) -> Int {
        let line = try text("/proc/\(pid)/io").split(separator: "\n").first { $0.hasPrefix("write_bytes: ") }
        guard let bytes = line?.split(separator: " ").last.flatMap({ Int($0) }) else {
            throw Failure("/proc/\(pid)/io has no number of written bytes")
        }
        return bytes
    }

    /// Seconds of a core that this process and its ended children have used.
    static func ownCoreSeconds() -> Double {
        [RUSAGE_SELF.rawValue, RUSAGE_CHILDREN.rawValue].reduce(0) { sum, who in
            var usage = rusage()
            getrusage(who, &usage)
            return sum + seconds(usage.ru_utime) + seconds(usage.ru_stime)
        }
    }

    private static func seconds(_ time: timeval) -> Double {
        Double(time.tv_sec) + Double(time.tv_usec) / 1e6
    }

    /// Raises the limit on open files as far as possible, for this process and its children. Throws
    /// if that is not enough.
    static func openFiles(_ count: Int, for purpose: String) throws(Failure) {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = min(limit.rlim_max, 65_536)
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        guard limit.rlim_cur >= count else {
            throw Failure("\(purpose) need \(count) open files, and \(limit.rlim_cur) are allowed")
        }
    }

    static func text(_ path: String) throws(Failure) -> String {
        guard let data = FileManager.default.contents(atPath: path) else { throw Failure("\(path) cannot be read") }
        return String(decoding: data, as: UTF8.self)
    }
}
