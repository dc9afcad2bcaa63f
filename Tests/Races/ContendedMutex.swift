import Dispatch
import Synchronization

/// Four threads that reach a list in a `Mutex`, and only there. No race, and ThreadSanitizer reports some.
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

let box = Box()
DispatchQueue.concurrentPerform(iterations: 4) { thread in
    for value in 0..<200_000 {
        if thread.isMultiple(of: 2) { box.put(value) } else { _ = box.takeAll() }
    }
}
