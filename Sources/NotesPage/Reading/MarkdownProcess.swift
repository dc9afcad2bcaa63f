import Console
import Glibc
import NIOPosix

/// Parses Markdown in a process of its own, which ends after one text. Some texts take cmark minutes, and a fault in a parser
/// in C must reach no key, no cookie and no other note.
package enum MarkdownProcess {
    /// Largest text, 512 KiB.
    static let textBytesMax = 524_288
    /// Largest tree as JSON, 4 MiB.
    static let treeBytesMax = 4_194_304
    /// Seconds of processor time, and of real time.
    static let (processorSecondsMax, secondsMax) = (1, 8)
    /// Largest address space of the process, 512 MiB.
    static let memoryMax = 536_870_912

    // MARK: In the process

    /// Reads a text from standard input, and writes its tree to standard output. The process can open nothing, write no file and
    /// start no process, and the kernel ends it at its limits.
    package static func run() -> Never {
        alarm(UInt32(secondsMax))
        limit(__rlimit_resource_t(RLIMIT_CPU.rawValue), to: processorSecondsMax)
        limit(__rlimit_resource_t(RLIMIT_AS.rawValue), to: memoryMax)
        limit(__rlimit_resource_t(RLIMIT_CORE.rawValue), to: 0)
        limit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), to: 0)
        limit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), to: 0)
        guard let text = readAll(STDIN_FILENO, most: textBytesMax) else { exit(1) }
        exit(writeAll(MarkdownTree(text).json, to: STDOUT_FILENO) ? 0 : 1)
    }

    private static func limit(_ resource: __rlimit_resource_t, to most: Int) {
        var limits = rlimit(rlim_cur: rlim_t(most), rlim_max: rlim_t(most))
        setrlimit(resource, &limits)
    }

    // MARK: In the server

    /// The tree of a text, as JSON; nil if the process failed or reached a limit.
    static func tree(of text: [UInt8]) async -> [UInt8]? {
        try? await NIOThreadPool.singleton.runIfActive { treeByWaiting(for: text) }
    }

    private static func treeByWaiting(for text: [UInt8]) -> [UInt8]? {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return nil }
        let (own, other) = (ends[0], ends[1])
        let started = try? Child.start(["/proc/self/exe", "--markdown"], input: other, output: other)
        close(other)
        defer { close(own) }
        guard let process = started else { return nil }
        // The process writes nothing before it has read everything.
        _ = writeAll(text, to: own)
        shutdown(own, Int32(SHUT_WR))
        let tree = readAll(own, most: treeBytesMax)
        if tree == nil { kill(process, SIGKILL) }
        return Child.wait(process).isSuccess ? tree : nil
    }

    // MARK: Sockets

    /// Everything up to the end; nil if it is longer, or cannot be read.
    private static func readAll(_ descriptor: Int32, most: Int) -> [UInt8]? {
        var all: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(descriptor, &part, part.count)
            if count == 0 { return all }
            if count < 0 && errno == EINTR { continue }
            guard count > 0, all.count + count <= most else { return nil }
            all += part[..<count]
        }
    }

    private static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var place = 0
        while place < bytes.count {
            let count = bytes[place...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return false }
            place += count
        }
        return true
    }
}
