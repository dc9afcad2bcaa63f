import Foundation
import Glibc

/// Debian's `perf`, which samples the stacks of a process.
struct Perf {
    private let program: String
    /// Path of `swift`, which demangles names of functions; nil without a toolchain.
    private let swift: String?

    /// Samples per second.
    private static let frequency = 3_000
    /// Number of names for one command line.
    private static let namesMax = 400

    init() throws(Failure) {
        guard let program = SearchPath.program("perf") else {
            throw Failure("flame graphs need perf, which is not in PATH (Debian: linux-perf)")
        }
        self.program = program
        swift = SearchPath.program("swift")
    }

    /// Samples a process while `body` runs: for each stack its thread and its functions, outermost
    /// first.
    func stacks(
        of pid: pid_t, in scratch: Scratch, while body: () throws(Failure) -> Void
    ) throws(Failure) -> [(stack: [Frame], count: Int)] {
        let (file, said) = ("\(scratch.path)/perf.data", "\(scratch.path)/perf.said")
        let recorder = try Child(
            [
                program, "record", "-q", "-F", "\(Self.frequency)", "--call-graph", "fp", "-o", file, "-p", "\(pid)",
            ], output: said, abort: SIGINT)
        try body()
        kill(recorder.pid, SIGINT)
        recorder.wait()
        let attributes = try? FileManager.default.attributesOfItem(atPath: file)
        guard attributes?[.size] as? Int ?? 0 > 0 else {
            throw Failure("perf recorded nothing; its output:\n\(try ProcessFacts.text(said))")
        }
        let text = try Child.said([program, "script", "-i", file, "-F", "comm,ip,sym,dso"], environment: ["PATH=/usr/bin:/bin"])
        return try named(Self.folded(text))
    }

    /// A function, or a thread as the outermost frame.
    struct Frame: Hashable {
        var name: String
        let isKernel: Bool
    }

    /// Parses samples separated by empty lines: the thread's name, then a line for each function,
    /// innermost first.
    private static func folded(_ text: String) -> [[Frame]: Int] {
        var counts: [[Frame]: Int] = [:]
        var thread: String?
        var frames: [Frame] = []
        func end() {
            guard let name = thread else { return }
            counts[[Frame(name: name, isKernel: false)] + frames.reversed(), default: 0] += 1
            thread = nil
            frames = []
        }
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.allSatisfy(\.isWhitespace) {
                end()
            } else if thread == nil {
                thread = threadName(line.split(separator: " ").joined(separator: " "))
            } else if let frame = frame(line) {
                frames.append(frame)
            }
        }
        end()
        return counts
    }

    /// The role of a daemon's thread, from its system name.
    private static func threadName(_ name: String) -> String {
        name.hasPrefix("NIO-ELT") ? "event loop" : name.contains("qos") ? "engine" : name
    }

    /// Parses a line `  address name (program)`.
    private static func frame(_ line: Substring) -> Frame? {
        let words = line.drop(while: \.isWhitespace).split(separator: " ", maxSplits: 1)
        guard words.count == 2, let open = words[1].lastIndex(of: "(") else { return nil }
        let name = words[1][..<open].split(separator: "+")[0].split(separator: " ").joined(separator: " ")
        return Frame(name: name, isKernel: words[1][open...].hasPrefix("([kernel"))
    }

    private func named(_ folded: [[Frame]: Int]) throws(Failure) -> [(stack: [Frame], count: Int)] {
        var names: [String: String] = [:]
        if let swift {
            let mangled = Set(folded.keys.joined().map(\.name).filter { $0.hasPrefix("$s") }).sorted()
            for start in stride(from: 0, to: mangled.count, by: Self.namesMax) {
                let some = Array(mangled[start..<min(start + Self.namesMax, mangled.count)])
                let said = try Child.said(
                    [swift, "demangle", "--compact", "--simplified"] + some, environment: ["PATH=/usr/bin:/bin"])
                for (name, plain) in zip(some, said.split(separator: "\n")) { names[name] = String(plain) }
            }
        }
        return folded.map { stack, count in
            let plain = stack.map { Frame(name: names[$0.name] ?? $0.name, isKernel: $0.isKernel) }
            return (plain.filter { !Self.isGlue($0.name) }, count)
        }
    }

    /// Whether the compiler generated the function between two others.
    private static func isGlue(_ name: String) -> Bool {
        ["partial apply", "thunk for", "closure #", "specialized thunk", "protocol witness", "[unknown]"].contains(
            where: name.hasPrefix)
    }
}
