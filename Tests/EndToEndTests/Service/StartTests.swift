import NotesWire
import TestKit
import Testing

extension EndToEnd {
    /// Tests of what the daemon requires of the system at start.
    @Suite struct StartTests {
        @Test(arguments: [8, 18, 20, 63])
        func tooFewOpenFiles_areReported(limit: Int) async throws {
            let scratch = try Scratch()
            let start = try await Command.run(
                "/bin/sh",
                [
                    "-c", #"ulimit -n "$1"; shift; exec "$@""#, "sh", "\(limit)", Binaries.notesd,
                    "--socket", scratch.file("socket"), "--data", scratch.file("data"), "--config", "/dev/null",
                ])
            #expect(start.end == .exited(73))
            #expect(start.errors.contains("have \(limit) open files, and notesd needs at least 64"), "\(start.errors)")
        }

        @Test func minimumOfOpenFiles_suffices() async throws {
            try await DaemonProcess.run(under: ["/bin/sh", "-c", #"ulimit -n 64; exec "$@""#, "sh"]) { daemon in
                let writer = try await RawConnection.registered(daemon.socket)
                let line = #"{"jsonrpc":"2.0","id":1,"method":"note.create","params":{"text":"hello\n"}}"#
                guard case .result = try await writer.call(line) else {
                    Issue.record("a note was refused")
                    return
                }
            }
        }
    }
}
