/// A cache that is bounded in bytes. It evicts the values that were not used since the younger
/// generation last filled up.
///
/// Invariant: each generation counts at most `bytesMax / 2`, or holds a single larger value.
struct GenerationCache<Key: Hashable, Value> {
    private let bytesMax: Int
    private let cost: (Value) -> Int
    private var young: [Key: Value] = [:]
    private var old: [Key: Value] = [:]
    private var youngBytes = 0

    /// - Parameter cost: the number of bytes that a value counts as.
    init(bytesMax: Int, cost: @escaping (Value) -> Int) {
        self.bytesMax = bytesMax
        self.cost = cost
    }

    /// The value of a key; nil if it is not cached.
    ///
    /// - Complexity: O(1), except when a generation ends.
    mutating func value(_ key: Key) -> Value? {
        if let value = young[key] { return value }
        guard let value = old.removeValue(forKey: key) else { return nil }
        insert(value, for: key)
        return value
    }

    /// Removes and returns a value, so that the caller can change it without a copy.
    mutating func take(_ key: Key) -> Value? {
        guard let value = young.removeValue(forKey: key) else { return old.removeValue(forKey: key) }
        youngBytes -= cost(value)
        return value
    }

    mutating func removeAll() {
        (young, old, youngBytes) = ([:], [:], 0)
    }

    /// Caches a value in the younger generation, and evicts the older one if the younger is full.
    mutating func insert(_ value: Value, for key: Key) {
        old[key] = nil
        if let replaced = young.updateValue(value, forKey: key) { youngBytes -= cost(replaced) }
        youngBytes += cost(value)
        if youngBytes > bytesMax / 2 {
            old = young
            young = [:]
            youngBytes = 0
        }
    }
}
