import Console
import Dispatch
import Glibc
import NotesWire

/// The events for an `EditorHost`, from standard input, tasks and signals.
final class HostInbox: Sendable {
    let events: AsyncStream<HostEvent>
    private let continuation: AsyncStream<HostEvent>.Continuation
    /// Lines that were read and not handled. While it is at its end, nobody reads the input.
    private let room = DispatchSemaphore(value: HostInbox.linesMax)

    /// Most lines of the editor that wait.
    static let linesMax = 256

    init() {
        (events, continuation) = AsyncStream.makeStream()
    }

    func put(_ event: HostEvent) { continuation.yield(event) }

    /// Notes that the host has handled a line.
    func handled() { room.signal() }

    /// Reads standard input on a thread of its own until it ends.
    func readInput() {
        DispatchQueue(label: "attach.input").async { [self] in
            var framer = LineFramer(lineBytesMax: AttachProtocol.lineBytesMax)
            var chunk = [UInt8](repeating: 0, count: 64 * 1_024)
            while true {
                let count = Glibc.read(STDIN_FILENO, &chunk, chunk.count)
                if count < 0 && errno == EINTR { continue }
                guard count > 0 else { return put(.ended) }
                framer.receive(Array(chunk[..<count]))
                while let event = framer.next() {
                    room.wait()
                    put(.line(event))
                }
            }
        }
    }

    /// Takes the signals that end the program as the end of the input.
    func takeSignals() -> [any DispatchSourceSignal] {
        [SIGTERM, SIGINT, SIGHUP].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { [self] in put(.ended) }
            source.resume()
            return source
        }
    }
}
