/// Runs many operations concurrently, but only some at a time: the daemon answers in order,
/// so the rest are better queued here.
package enum BoundedTaskGroup {
    /// Most operations under way at once. A test that repeats a run sets 1, so that they start in order.
    @TaskLocal static var max = 64

    /// - Parameters:
    ///   - atOnce: most operations under way at once.
    ///   - finished: called for each item as it completes, in any order.
    /// - Throws: the first error, after it cancels the operations under way.
    package static func run<Item: Sendable, Result: Sendable>(
        _ items: [Item], atOnce: Int? = nil, each body: @escaping @Sendable (Item) async throws -> Result,
        finished: (Item, Result) throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: (Item, Result).self) { group in
            let atOnce = atOnce ?? max
            var rest = items[...]
            for item in rest.prefix(atOnce) { group.addTask { (item, try await body(item)) } }
            rest = rest.dropFirst(atOnce)
            while let (item, result) = try await group.next() {
                if let next = rest.popFirst() { group.addTask { (next, try await body(next)) } }
                try finished(item, result)
            }
        }
    }
}
