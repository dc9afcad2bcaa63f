import NotesWire
import Synchronization

/// Splits the input from a client into lines.
package final class LockedFramer: Sendable {
    private let framer = Mutex(LineFramer(lineBytesMax: 64 * 1_024 * 1_024))

    package func receive(_ bytes: [UInt8]) {
        framer.withLock { $0.receive(bytes) }
    }

    package func next() -> [UInt8]? {
        framer.withLock { framer in
            if case .line(let line) = framer.next() { line } else { nil }
        }
    }
}
