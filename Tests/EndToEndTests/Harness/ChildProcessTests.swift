import Testing

/// Checks that a program started by a test gets the same environment as from a shell.
@Suite struct ChildProcessTests {
    /// Otherwise signals that end a daemon, or announce a terminal's size, would not arrive.
    @Test func startedProcess_blocksNoSignal() async throws {
        let signals = try await blocking {
            try Command.Running("/bin/grep", ["^SigBlk", "/proc/self/status"])
        }
        #expect(try await signals.command().lines == ["SigBlk:\t0000000000000000"])
    }
}
