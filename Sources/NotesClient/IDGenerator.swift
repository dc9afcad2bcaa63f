package import NotesModel
import Synchronization

/// Where a client takes new ids of notes and names of writes from; no two are alike.
package final class IDGenerator: Sendable {
    private let generator: Mutex<any RandomNumberGenerator & Sendable>

    package init(_ generator: any RandomNumberGenerator & Sendable) {
        self.generator = Mutex(generator)
    }

    func noteID(at time: Timestamp) -> NoteID {
        generator.withLock { generator in NoteID(at: time, random: (generator.next(), generator.next())) }
    }

    /// A name for a write, by which the daemon knows it if it comes again.
    package func operation() -> ByteString {
        generator.withLock { generator in
            ByteString(String(generator.next(), radix: 36) + "-" + String(generator.next(), radix: 36))
        }
    }
}
