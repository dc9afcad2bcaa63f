import Testing

/// What a program that a test starts finds is what a shell would give it.
@Suite struct ChildProcessTests {
    /// Else what asks a daemon to end, or tells a terminal of its size, is never heard.
    @Test func whoeverStartsIt_blocksNoSignal() async throws {
        let signals = try await blocking {
            try Command.Running("/bin/grep", ["^SigBlk", "/proc/self/status"])
        }
        #expect(try await signals.command().lines == ["SigBlk:\t0000000000000000"])
    }
}
