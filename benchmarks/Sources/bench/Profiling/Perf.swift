import Foundation
import Glibc

/// Debian's `perf`, which asks many times a second what a process is doing.
struct Perf {
    private let program: String
    /// Turns the names of Swift's functions into what people call them; nil where there is no toolchain.
    private let swift: String?

    /// Samples a second.
    private static let frequency = 3_000
    /// Names that one command line takes.
    private static let namesMax = 400

    init() throws(Failure) {
        guard let program = SearchPath.program("perf") else {
            throw Failure("perf is needed to see where time goes, and is not in PATH (Debian: linux-perf)")
        }
        self.program = program
        swift = SearchPath.program("swift")
    }

    /// What a process was doing while a body ran: for each sample its thread and the functions that it was in, outermost first.
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
            throw Failure("perf recorded nothing, and said:\n\(try ProcessFacts.text(said))")
        }
        let text = try Child.said([program, "script", "-i", file, "-F", "comm,ip,sym,dso"], environment: ["PATH=/usr/bin:/bin"])
        return try named(Self.folded(text))
    }

    /// A function, or a thread where it is outermost.
    struct Frame: Hashable {
        var name: String
        let isKernel: Bool
    }

    /// Samples are divided by an empty line: the thread's name, then a line for each function, innermost first.
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

    /// What a thread of the daemon does, by what the system calls it.
    private static func threadName(_ name: String) -> String {
        name.hasPrefix("NIO-ELT") ? "event loop" : name.contains("qos") ? "engine" : name
    }

    /// `  address name (program)`.
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

    /// What a compiler puts between two functions says nothing to a reader.
    private static func isGlue(_ name: String) -> Bool {
        ["partial apply", "thunk for", "closure #", "specialized thunk", "protocol witness", "[unknown]"].contains(
            where: name.hasPrefix)
    }
}
