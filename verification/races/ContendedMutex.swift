import Dispatch
import Synchronization

/// Four threads that use a list only inside a `Mutex`; with RACE, also a number outside of it. The
/// first checks that ThreadSanitizer knows contended locks (mutex.c), the second that it still
/// finds a real race.
final class Box: Sendable {
    private let values = Mutex<[Int]>([])

    func put(_ value: Int) {
        values.withLock { $0.append(value) }
    }

    func takeAll() -> [Int] {
        values.withLock { values in
            defer { values = [] }
            return values
        }
    }
}

nonisolated(unsafe) var unguarded = 0
let box = Box()
DispatchQueue.concurrentPerform(iterations: 4) { thread in
    for value in 0..<200_000 {
        #if RACE
            unguarded += value
        #endif
        if thread.isMultiple(of: 2) { box.put(value) } else { _ = box.takeAll() }
    }
}
