/// Checks that everything sent to clients was on disk before: G1 and G3, as the kernel saw it.
struct DurableOrder {
    /// A write with a unique text. Finding that text in the log shows that the request arrived.
    struct Mark: Sendable {
        /// A line of the note, which is also its title.
        let text: String
        /// The id of the request, a string.
        let id: String
    }

    private let trace: SyscallTrace

    init(_ trace: SyscallTrace) {
        self.trace = trace
    }

    /// The successful syncs of the write-ahead log.
    var syncs: [SyscallTrace.Call] { trace.calls.filter { Self.isSync($0) && $0.result == 0 } }

    private static func isSync(_ call: SyscallTrace.Call) -> Bool {
        (call.name == "fdatasync" || call.name == "fsync") && call.file.hasSuffix("-wal")
    }

    /// The first call that sent these words to a client.
    func sent(_ words: String) -> SyscallTrace.Call? {
        trace.calls.first { call in
            ["write", "writev", "sendto", "sendmsg"].contains(call.name) && call.isToSocket && call.arguments.contains(words)
        }
    }

    /// The sync that made the text durable; nil if the text was never written to the log, or never
    /// synced.
    func durable(_ mark: Mark) -> SyscallTrace.Call? {
        let logged = trace.calls.first { call in
            ["pwrite64", "write", "pwritev"].contains(call.name) && call.file.hasSuffix("-wal")
                && call.arguments.contains(mark.text)
        }
        return logged.flatMap { logged in syncs.first { $0.start > logged.end } }
    }

    /// The faults in the order of a write, its response and the notification to others.
    func faults(_ mark: Mark) -> [String] {
        guard let sync = durable(mark) else { return ["\(mark.text) was never made durable"] }
        guard let answer = sent(#"\"id\":\"\#(mark.id)\""#) else { return ["\(mark.text) was never answered"] }
        guard let told = sent(#"\"title\":\"\#(mark.text)\""#) else { return ["\(mark.text) was never sent to others"] }
        return [("answered", answer), ("sent to others", told)].filter { $0.1.start <= sync.end }.map {
            "\(mark.text) was \($0.0) in line \($0.1.start), before it was on the disk in line \(sync.end)"
        }
    }
}
