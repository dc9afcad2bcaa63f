package import NoteText
import NotesModel
import Synchronization

/// A thread-safe source of random note ids and `op` values.
package final class IDGenerator: Sendable {
    private let generator: Mutex<any RandomNumberGenerator & Sendable>

    /// Makes a source that draws from `generator`.
    package init(_ generator: any RandomNumberGenerator & Sendable) {
        self.generator = Mutex(generator)
    }

    /// A new note id for a note made at `time`.
    func noteID(at time: Timestamp) -> NoteID {
        generator.withLock { generator in NoteID(at: time, random: (generator.next(), generator.next())) }
    }

    /// A new `op`, by which the daemon recognises a write that is sent again.
    package func operation() -> ByteString {
        generator.withLock { generator in
            ByteString(String(generator.next(), radix: 36) + "-" + String(generator.next(), radix: 36))
        }
    }
}
