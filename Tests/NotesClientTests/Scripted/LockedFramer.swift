import NotesWire
import Synchronization

/// Cuts what a client sent into lines.
final class LockedFramer: Sendable {
    private let framer = Mutex(LineFramer(lineBytesMax: 64 * 1_024 * 1_024))

    func receive(_ bytes: [UInt8]) {
        framer.withLock { $0.receive(bytes) }
    }

    func next() -> [UInt8]? {
        framer.withLock { framer in
            if case .line(let line) = framer.next() { line } else { nil }
        }
    }
}
