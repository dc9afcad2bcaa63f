/// Whether what a client was told was on the disk before: G1 and G3, as the kernel saw it.
struct DurableOrder {
    /// A write whose text is like nothing else. That it is in the log shows that the request has come.
    struct Mark: Sendable {
        /// A line of the note, and its title.
        let text: String
        /// Of the request, a string.
        let id: String
    }

    private let trace: SyscallTrace

    init(_ trace: SyscallTrace) {
        self.trace = trace
    }

    /// The syncs of the write-ahead log that succeeded.
    var syncs: [SyscallTrace.Call] { trace.calls.filter { Self.isSync($0) && $0.result == 0 } }

    private static func isSync(_ call: SyscallTrace.Call) -> Bool {
        (call.name == "fdatasync" || call.name == "fsync") && call.file.hasSuffix("-wal")
    }

    /// Where a client was sent something that holds these words: the first time.
    func sent(_ words: String) -> SyscallTrace.Call? {
        trace.calls.first { call in
            ["write", "writev", "sendto", "sendmsg"].contains(call.name) && call.isToSocket && call.arguments.contains(words)
        }
    }

    /// Nil where the text never came into the log, or was never synced.
    func durable(_ mark: Mark) -> SyscallTrace.Call? {
        let logged = trace.calls.first { call in
            ["pwrite64", "write", "pwritev"].contains(call.name) && call.file.hasSuffix("-wal")
                && call.arguments.contains(mark.text)
        }
        return logged.flatMap { logged in syncs.first { $0.start > logged.end } }
    }

    /// What is wrong with a write, its answer and the line by which others were told of it.
    func faults(_ mark: Mark) -> [String] {
        guard let sync = durable(mark) else { return ["\(mark.text) was never made durable"] }
        guard let answer = sent(#"\"id\":\"\#(mark.id)\""#) else { return ["\(mark.text) was never answered"] }
        guard let told = sent(#"\"title\":\"\#(mark.text)\""#) else { return ["nobody was told of \(mark.text)"] }
        return [("answered", answer), ("told to others", told)].filter { $0.1.start <= sync.end }.map {
            "\(mark.text) was \($0.0) in line \($0.1.start), before it was on the disk in line \(sync.end)"
        }
    }
}
