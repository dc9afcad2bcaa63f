import Console
import Dispatch
import Glibc
package import NoteTasks
import NotesWire

/// Serves one editor over standard input and output.
package struct AttachDriver {
    private let options: GlobalOptions

    package init(_ options: GlobalOptions) {
        self.options = options
    }

    /// Returns when the editor has gone, and everything that it typed is saved or in a draft.
    package func run() async throws {
        let input = EditorInput()
        let signals = input.takeSignals()
        input.read()
        let access = HostAccess { [options] in try options.clientOptions() }
        // An editor that was killed takes nothing more, but what it sent before is still in the input.
        await HostDriver(input.inbox, access, drafts: NoteDrafts()) { _ = Output.writeAll($0, to: STDOUT_FILENO) }.run()
        for signal in signals { signal.cancel() }
    }
}

/// The lines of an editor on standard input.
final class EditorInput: Sendable {
    let inbox: HostInbox
    /// Lines that were read and not handled. While it is at its end, nobody reads the input.
    private let room: DispatchSemaphore

    /// Most lines of the editor that wait.
    static let linesMax = 256

    init() {
        let room = DispatchSemaphore(value: 0)
        // Dispatch traps on a semaphore that ends below the value that it began with.
        for _ in 0..<Self.linesMax { room.signal() }
        self.room = room
        inbox = HostInbox { room.signal() }
    }

    /// Reads standard input on a thread of its own until it ends.
    func read() {
        DispatchQueue(label: "attach.input").async { [self] in
            var framer = LineFramer(lineBytesMax: AttachProtocol.lineBytesMax)
            var chunk = [UInt8](repeating: 0, count: 64 * 1_024)
            while true {
                let count = Glibc.read(STDIN_FILENO, &chunk, chunk.count)
                if count < 0 && errno == EINTR { continue }
                guard count > 0 else { return inbox.put(.ended) }
                framer.receive(Array(chunk[..<count]))
                while let event = framer.next() {
                    room.wait()
                    inbox.put(.line(event))
                }
            }
        }
    }

    /// Takes the signals that end the program as the end of the input.
    func takeSignals() -> [any DispatchSourceSignal] {
        // What was typed is saved although the editor reads no more.
        signal(SIGPIPE, SIG_IGN)
        return [SIGTERM, SIGINT, SIGHUP].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { [self] in inbox.put(.ended) }
            source.resume()
            return source
        }
    }
}
