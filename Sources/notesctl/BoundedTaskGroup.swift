/// Does many things at once, but not all: the daemon answers in order, and what waits for it is held here.
enum BoundedTaskGroup {
    static let max = 64

    /// - Parameter finished: called for each as it is done, in any order.
    /// - Throws: the first error; what is under way is cancelled then.
    static func run<Item: Sendable, Result: Sendable>(
        _ items: [Item], each body: @escaping @Sendable (Item) async throws -> Result,
        finished: (Item, Result) throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: (Item, Result).self) { group in
            var rest = items[...]
            for item in rest.prefix(max) { group.addTask { (item, try await body(item)) } }
            rest = rest.dropFirst(max)
            while let (item, result) = try await group.next() {
                if let next = rest.popFirst() { group.addTask { (next, try await body(next)) } }
                try finished(item, result)
            }
        }
    }
}
