/// Values in use, bounded in bytes: what was not asked for since the younger generation last filled up is let go.
///
/// Invariant: each generation counts at most `bytesMax / 2`, or holds one value that is larger.
struct GenerationCache<Key: Hashable, Value> {
    private let bytesMax: Int
    private let cost: (Value) -> Int
    private var young: [Key: Value] = [:]
    private var old: [Key: Value] = [:]
    private var youngBytes = 0

    /// - Parameter cost: what a value is counted as, in bytes.
    init(bytesMax: Int, cost: @escaping (Value) -> Int) {
        self.bytesMax = bytesMax
        self.cost = cost
    }

    /// - Complexity: O(1), but for the moment when a generation ends.
    mutating func value(_ key: Key) -> Value? {
        if let value = young[key] { return value }
        guard let value = old.removeValue(forKey: key) else { return nil }
        insert(value, for: key)
        return value
    }

    /// Gives a value up to one who is going to change it.
    mutating func take(_ key: Key) -> Value? {
        guard let value = young.removeValue(forKey: key) else { return old.removeValue(forKey: key) }
        youngBytes -= cost(value)
        return value
    }

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
