import Dispatch
import Glibc
import Synchronization

/// The events for a `LanguageSession`, from standard input and tasks.
final class LanguageInbox: Sendable {
    let events: AsyncStream<LanguageEvent>
    private let continuation: AsyncStream<LanguageEvent>.Continuation
    /// Whether an event about changed notes waits; a second one would add nothing.
    private let hasChange = Mutex(false)
    /// Messages that were read and not handled. While it is at its end, nobody reads the input.
    private let room = DispatchSemaphore(value: 0)

    /// Most messages of the editor that wait.
    static let messagesMax = 256

    init() {
        (events, continuation) = AsyncStream.makeStream()
        // Dispatch traps on a semaphore that ends below the value that it began with.
        for _ in 0..<Self.messagesMax { room.signal() }
    }

    func put(_ event: LanguageEvent) {
        if case .notesChanged = event {
            let isFirst = hasChange.withLock { hasChange in
                defer { hasChange = true }
                return !hasChange
            }
            guard isFirst else { return }
        }
        continuation.yield(event)
    }

    /// Makes room for another event: the session has handled this one.
    func handled(_ event: LanguageEvent) {
        switch event {
        case .input: room.signal()
        case .notesChanged: hasChange.withLock { $0 = false }
        default: break
        }
    }

    /// Reads standard input on a thread of its own until it ends.
    func readInput() {
        DispatchQueue(label: "lsp.input").async { [self] in
            var framer = ContentFramer()
            var chunk = [UInt8](repeating: 0, count: 64 * 1_024)
            while true {
                let count = Glibc.read(STDIN_FILENO, &chunk, chunk.count)
                if count < 0 && errno == EINTR { continue }
                guard count > 0 else { return put(.inputEnded) }
                framer.receive(chunk[..<count])
                while let event = framer.next() {
                    room.wait()
                    put(.input(event))
                }
            }
        }
    }
}
