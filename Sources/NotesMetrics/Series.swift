import CoreMetrics
import Synchronization

/// A floating-point number that any thread can set or increase without blocking.
final class Number: Sendable {
    private let bits = Atomic<UInt64>(0)

    var value: Double { Double(bitPattern: bits.load(ordering: .relaxed)) }

    func set(_ value: Double) {
        bits.store(value.bitPattern, ordering: .relaxed)
    }

    func add(_ amount: Double) {
        var current = bits.load(ordering: .relaxed)
        while true {
            let sum = (Double(bitPattern: current) + amount).bitPattern
            let (exchanged, original) = bits.weakCompareExchange(expected: current, desired: sum, ordering: .relaxed)
            if exchanged { return }
            current = original
        }
    }
}

/// An exact count of events that any thread can increase without blocking.
final class EventCount: Sendable {
    private let count = Atomic<Int64>(0)

    var value: Int64 { count.load(ordering: .relaxed) }

    func add(_ amount: Int64) {
        count.wrappingAdd(amount, ordering: .relaxed)
    }

    func reset() {
        count.store(0, ordering: .relaxed)
    }
}

/// The counter for one set of labels.
final class CounterSeries: CounterHandler, FloatingPointCounterHandler {
    private let events = EventCount()
    private let rest = Number()

    var value: Double { Double(events.value) + rest.value }

    /// Adds an amount. Counters never decrease, so an amount of 0 or less has no effect.
    func increment(by amount: Int64) {
        if amount > 0 { events.add(amount) }
    }

    func increment(by amount: Double) {
        if amount > 0, amount.isFinite { rest.add(amount) }
    }

    func reset() {
        events.reset()
        rest.set(0)
    }
}

/// The gauge for one set of labels.
final class GaugeSeries: MeterHandler, RecorderHandler {
    private let number = Number()

    var value: Double { number.value }

    func set(_ value: Int64) { number.set(Double(value)) }
    func set(_ value: Double) { number.set(value) }
    func increment(by amount: Double) { number.add(amount) }
    func decrement(by amount: Double) { number.add(-amount) }
    func record(_ value: Int64) { set(value) }
    func record(_ value: Double) { set(value) }
}

/// The histogram for one set of labels: the number of values up to each bound, and the sum of all
/// values.
final class HistogramSeries: RecorderHandler, TimerHandler {
    let bounds: [Double]
    private let buckets: [EventCount]
    private let total = Number()

    init(bounds: [Double]) {
        self.bounds = bounds
        buckets = (0...bounds.count).map { _ in EventCount() }
    }

    /// The number of values in each bucket. The last bucket holds the values above all bounds.
    var counts: [Int64] { buckets.map(\.value) }
    var sum: Double { total.value }

    /// Adds a value; ignores NaN and infinities.
    ///
    /// - Complexity: O(bounds).
    func record(_ value: Double) {
        // NaN belongs to no bucket and would make the sum NaN.
        guard value.isFinite else { return }
        buckets[bounds.firstIndex { value <= $0 } ?? bounds.count].add(1)
        total.add(value)
    }

    func record(_ value: Int64) { record(Double(value)) }
    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }
}
