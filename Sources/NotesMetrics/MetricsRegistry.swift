package import CoreMetrics
import Synchronization

/// The metrics of one daemon. It creates the series of each `Measure`, keeps them, and returns them
/// as OpenMetrics text.
///
/// Creating a handler takes a lock and looks up its series. Recording through a handler takes one
/// or two atomic additions. A name that is not a `Measure` yields a working handler that the
/// exposition omits.
package final class MetricsRegistry: MetricsFactory {
    struct Labels: Hashable, Comparable {
        let pairs: [[String]]

        init(_ dimensions: [(String, String)]) {
            pairs = dimensions.map { [$0.0, $0.1] }.sorted { $0[0] < $1[0] }
        }

        static func < (left: Labels, right: Labels) -> Bool {
            left.pairs.flatMap(\.self).lexicographicallyPrecedes(right.pairs.flatMap(\.self))
        }
    }

    enum Series {
        case counter(CounterSeries)
        case gauge(GaugeSeries)
        case histogram(HistogramSeries)
    }

    private let series = Mutex<[Measure: [Labels: Series]]>([:])

    /// Creates an empty registry.
    package init() {}

    /// Returns all series as OpenMetrics text.
    ///
    /// - Complexity: O(series).
    package func exposition() -> String {
        let all = series.withLock { $0 }
        return Exposition.text(Measure.allCases.map { ($0, all[$0] ?? [:]) })
    }

    /// The series for a name and labels, created if necessary; nil when the series is of another
    /// kind or the name is not a `Measure`.
    private func found<Value>(
        _ label: String, _ dimensions: [(String, String)], make: (Measure.Kind) -> Series?, as get: (Series) -> Value?
    ) -> Value? {
        guard let measure = Measure(rawValue: label) else { return nil }
        let labels = Labels(dimensions)
        return series.withLock { series in
            if let kept = series[measure]?[labels] { return get(kept) }
            guard let made = make(measure.kind) else { return nil }
            series[measure, default: [:]][labels] = made
            return get(made)
        }
    }

    private func counter(_ label: String, _ dimensions: [(String, String)]) -> CounterSeries {
        found(label, dimensions) {
            if case .counter = $0 { .counter(CounterSeries()) } else { nil }
        } as: {
            if case .counter(let series) = $0 { series } else { nil }
        } ?? CounterSeries()
    }

    private func gauge(_ label: String, _ dimensions: [(String, String)]) -> GaugeSeries {
        found(label, dimensions) { kind in
            switch kind {
            case .gauge, .info: .gauge(GaugeSeries())
            case .counter, .histogram: nil
            }
        } as: {
            if case .gauge(let series) = $0 { series } else { nil }
        } ?? GaugeSeries()
    }

    private func histogram(_ label: String, _ dimensions: [(String, String)]) -> HistogramSeries {
        found(label, dimensions) {
            if case .histogram(let bounds) = $0 { .histogram(HistogramSeries(bounds: bounds)) } else { nil }
        } as: {
            if case .histogram(let series) = $0 { series } else { nil }
        } ?? HistogramSeries(bounds: [])
    }

    // MARK: MetricsFactory

    /// Creates a handler for a counter.
    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler { counter(label, dimensions) }

    /// Creates a handler for a counter that also accepts fractions.
    package func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler { counter(label, dimensions) }

    /// Creates a handler for a gauge.
    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler { gauge(label, dimensions) }

    /// Creates a handler for a histogram if `aggregate`, otherwise for a gauge.
    package func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        if aggregate { histogram(label, dimensions) } else { gauge(label, dimensions) }
    }

    /// Creates a handler for a histogram in seconds.
    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler { histogram(label, dimensions) }

    /// Keeps the series: removing it would look like a restart to a collector.
    package func destroyCounter(_ handler: any CounterHandler) {}
    /// Keeps the series.
    package func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
    /// Keeps the series.
    package func destroyMeter(_ handler: any MeterHandler) {}
    /// Keeps the series.
    package func destroyRecorder(_ handler: any RecorderHandler) {}
    /// Keeps the series.
    package func destroyTimer(_ handler: any TimerHandler) {}
}
