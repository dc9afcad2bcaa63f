/// The system calls of a process's threads, as recorded by `strace -f -y`.
///
/// Each call has one line, or two if another thread's line came between. The lines are in the order
/// of the events: a thread continues after a call only once the line is written.
///
///     812 fdatasync(11</data/notes.sqlite3-wal> <unfinished ...>
///     807 write(20<socket:[4491]>, "{\"jsonrpc\"…", 191) = 191
///     812 <... fdatasync resumed>) = 0
struct SyscallTrace: Sendable {
    struct Call: Sendable {
        let name: String
        /// The arguments as recorded; strings in C syntax.
        var arguments: String
        /// The line numbers of its start and its end.
        let start: Int
        var end: Int
        /// The result; nil if the call never returned.
        var result: Int?

        /// The file of the first argument's descriptor.
        var file: Substring {
            guard let open = arguments.firstIndex(of: "<"), let close = arguments[open...].firstIndex(of: ">") else { return "" }
            return arguments[arguments.index(after: open)..<close]
        }

        var isToSocket: Bool { file.hasPrefix("socket:") || file.hasPrefix("UNIX") }
    }

    /// The calls in the order of their starts.
    private(set) var calls: [Call] = []

    init(_ lines: [String]) {
        var unfinished: [Substring: Int] = [:]
        for (number, line) in lines.enumerated() {
            guard let space = line.firstIndex(of: " ") else { continue }
            let thread = line[..<space]
            let rest = line[space...].drop { $0 == " " }
            if rest.hasPrefix("<... ") {
                guard let index = unfinished.removeValue(forKey: thread), let close = rest.firstIndex(of: ">") else { continue }
                calls[index].arguments += rest[rest.index(after: close)...]
                calls[index].end = number
                calls[index].result = Self.result(rest)
            } else if let open = rest.firstIndex(of: "("), rest[..<open].allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }) {
                let arguments = String(rest[rest.index(after: open)...])
                let result = Self.result(rest)
                if rest.hasSuffix("<unfinished ...>") { unfinished[thread] = calls.count }
                calls.append(
                    Call(name: String(rest[..<open]), arguments: arguments, start: number, end: number, result: result))
            }
        }
    }

    /// The part after the last `) = `.
    private static func result(_ line: Substring) -> Int? {
        guard !line.hasSuffix("<unfinished ...>"), let equals = line.lastIndex(of: "=") else { return nil }
        return Int(line[line.index(after: equals)...].drop { $0 == " " }.prefix { $0 == "-" || $0.isNumber })
    }
}
