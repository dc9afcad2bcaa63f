import NotesModel
import Synchronization

/// Allocates the ids of dependents, over all event loops: numbers from 1 that increase in the order
/// in which the dependents are registered with the engine.
///
/// An id encodes the loop of its connection (`id - 1` modulo the number of loops), so that routing
/// needs neither a table nor a lock. With 2 loops, for example, loop 0 has the odd ids.
final class DependentIDAllocator: Sendable {
    /// Number of event loops.
    let loops: Int
    private let drawn = Mutex<UInt64>(0)

    /// Creates an allocator.
    ///
    /// - Precondition: `loops` is at least 1.
    init(loops: Int) {
        self.loops = loops
    }

    /// Allocates an id for a connection of a loop and calls `announce` with it before any greater
    /// id is allocated. `announce` must not allocate one.
    func draw(loop index: Int, _ announce: (DependentID) -> Void) -> DependentID {
        drawn.withLock { drawn in
            let dependent = DependentID(drawn * UInt64(loops) + UInt64(index) + 1)
            drawn += 1
            announce(dependent)
            return dependent
        }
    }

    /// Index of the loop of a dependent.
    func loop(of dependent: DependentID) -> Int {
        Int((dependent.number - 1) % UInt64(loops))
    }
}
