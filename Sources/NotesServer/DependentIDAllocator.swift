import NotesModel
import Synchronization

/// Gives dependents their numbers, from 1, rising in the order in which the engine is told of them, over all event loops.
///
/// A number says which loop its connection is on, so that the way back needs no table and no lock.
final class DependentIDAllocator: Sendable {
    let loops: Int
    private let drawn = Mutex<UInt64>(0)

    /// - Precondition: at least one loop.
    init(loops: Int) {
        self.loops = loops
    }

    /// Draws a number for a connection of the loop. What `announce` does happens before any greater number is drawn; it must
    /// not draw one.
    func draw(loop index: Int, _ announce: (DependentID) -> Void) -> DependentID {
        drawn.withLock { drawn in
            let dependent = DependentID(drawn * UInt64(loops) + UInt64(index) + 1)
            drawn += 1
            announce(dependent)
            return dependent
        }
    }

    func loop(of dependent: DependentID) -> Int {
        Int((dependent.number - 1) % UInt64(loops))
    }
}
