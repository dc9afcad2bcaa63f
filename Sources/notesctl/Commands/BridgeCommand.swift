import ArgumentParser
import Console
import Dispatch
import Glibc
import NoteTasks
import NoteText
import NotesClient
import NotesMethods
import NotesModel
import NotesWire

struct BridgeCommand: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "bridge",
        abstract: "Connect standard input and output with the daemon.",
        discussion: """
            Examples:
              ssh server notesctl bridge --only exchange

            Copies bytes between its standard input and output and the daemon's socket, until the daemon \
            ends the connection. `notesctl sync` runs it on the other machine, over ssh.

            Without --only, the other side may do all that you may do: read and erase every note, and \
            write backups into your home directory. With --only exchange, it may only exchange revisions. In \
            ~/.ssh/authorized_keys, `restrict,command="notesctl bridge --only exchange"` before a key limits \
            that key to this.
            """)

    enum Purpose: String, CaseIterable, ExpressibleByArgument {
        case exchange
    }

    @Option(help: ArgumentHelp("Let the other side only exchange revisions.", valueName: "purpose"))
    var only: Purpose?

    @OptionGroup var options: GlobalOptions

    func perform() async throws {
        let socket = Descriptor(try RawConnection.open(options.socketPath()))
        let number = socket.number
        if only == .exchange { try Self.limit(number) }
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

    /// Limits the connection to the exchange, before a byte of the other side reaches the daemon.
    static func limit(_ socket: Int32) throws {
        let request = Call.limit(SessionLimits(methods: .exchange)).line(id: .string("bridge"))
        guard Output.writeAll(request, to: socket) == 0, let answer = readLine(from: socket) else {
            throw ExitFailure("the daemon ended the connection", .noDaemon)
        }
        guard case .result(_, let result) = try? ServerLine(parsing: answer), let limits = try? LimitResult(reading: result),
            limits.methods == .exchange
        else {
            throw ExitFailure(
                "the daemon cannot limit a connection to the exchange, so nothing was carried; update notesd", .noDaemon)
        }
    }

    /// Reads a line, byte by byte, so that nothing behind it is taken; nil if the input ends, or the line is
    /// too long for an answer.
    private static func readLine(from source: Int32) -> [UInt8]? {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while line.count < 4_096 {
            let count = read(source, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count == 1 else { return nil }
            if byte == UInt8(ascii: "\n") { return line }
            line.append(byte)
        }
        return nil
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
