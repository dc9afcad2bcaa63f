/// What the threads of a process asked of the kernel, as `strace -f -y` wrote it down.
///
/// A line for each call, or two where another thread's came between; the order of lines is the order in which things happened:
/// a thread whose call has ended goes on only when the line is made.
///
///     812 fdatasync(11</data/notes.sqlite3-wal> <unfinished ...>
///     807 write(20<socket:[4491]>, "{\"jsonrpc\"…", 191) = 191
///     812 <... fdatasync resumed>) = 0
struct SyscallTrace: Sendable {
    struct Call: Sendable {
        let name: String
        /// As they were written, texts in C's form.
        var arguments: String
        /// Where the line of its start stands, and of its end.
        let start: Int
        var end: Int
        /// Nil where it never returned.
        var result: Int?

        /// What the first argument's descriptor is of.
        var file: Substring {
            guard let open = arguments.firstIndex(of: "<"), let close = arguments[open...].firstIndex(of: ">") else { return "" }
            return arguments[arguments.index(after: open)..<close]
        }

        var isToSocket: Bool { file.hasPrefix("socket:") || file.hasPrefix("UNIX") }
    }

    /// In the order of their starts.
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

    /// What stands behind the last `) = `.
    private static func result(_ line: Substring) -> Int? {
        guard !line.hasSuffix("<unfinished ...>"), let equals = line.lastIndex(of: "=") else { return nil }
        return Int(line[line.index(after: equals)...].drop { $0 == " " }.prefix { $0 == "-" || $0.isNumber })
    }
}
