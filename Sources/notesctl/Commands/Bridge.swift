import ArgumentParser
import Dispatch
import Glibc
import NotesClient

struct Bridge: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "bridge",
        abstract: "Connect standard input and output with the daemon.",
        discussion: """
            Examples:
              ssh server notesctl bridge

            Copies bytes between its standard input and output and the daemon's socket, until the daemon \
            ends the connection. `notesctl sync` runs it on the other machine, over ssh. In \
            ~/.ssh/authorized_keys, `restrict,command="notesctl bridge"` before a key limits that key to this.
            """)

    @OptionGroup var options: GlobalOptions

    func perform() async throws {
        let socket = Descriptor(try RawConnection.open(options.socketPath()))
        let number = socket.number
        // Two threads, since either direction may have to wait for its reader.
        DispatchQueue.global().async {
            _ = Self.copy(STDIN_FILENO, to: number)
            shutdown(number, Int32(SHUT_WR))
        }
        let errorNumber = Self.copy(number, to: STDOUT_FILENO)
        withExtendedLifetime(socket) {}
        // The replicator ended first.
        guard errorNumber == 0 || errorNumber == EPIPE else {
            throw ExitFailure("the connection ended: \(SystemError.text(errorNumber))", .noDaemon)
        }
    }

    /// Copies bytes until the source ends. Returns 0, or an `errno` value.
    private static func copy(_ source: Int32, to destination: Int32) -> Int32 {
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = read(source, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            if count == 0 { return 0 }
            if count < 0 { return errno }
            let errorNumber = Output.writeAll(Array(chunk[..<count]), to: destination)
            if errorNumber != 0 { return errorNumber }
        }
    }
}
