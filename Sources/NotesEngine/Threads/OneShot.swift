import Synchronization

/// A function that only the first call of `call` executes. Any thread may call.
package final class OneShot<Value: Sendable>: Sendable {
    private let body: Mutex<(@Sendable (Value) -> Void)?>

    package init(_ body: @escaping @Sendable (Value) -> Void) {
        self.body = Mutex(body)
    }

    /// Calls the function, unless an earlier call did.
    ///
    /// - Returns: Whether this call was the first.
    @discardableResult
    package func call(_ value: Value) -> Bool {
        let first = body.withLock { body in
            defer { body = nil }
            return body
        }
        first?(value)
        return first != nil
    }
}
