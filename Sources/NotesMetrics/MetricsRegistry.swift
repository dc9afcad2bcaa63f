package import CoreMetrics
import Synchronization

/// The metrics of one daemon: makes the series of `Measure`, keeps them, and tells them as OpenMetrics text.
///
/// A series is looked up when it is made and never when something is recorded in it: that is one atomic addition, or two. What is
/// no `Measure` is made too, and told nowhere.
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

    package init() {}

    /// - Complexity: O(series).
    package func exposition() -> String {
        let all = series.withLock { $0 }
        return Exposition.text(Measure.allCases.map { ($0, all[$0] ?? [:]) })
    }

    /// The series of a name and labels, made if it is not there; nil where it is of another kind, or no name of ours.
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

    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler { counter(label, dimensions) }

    package func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler { counter(label, dimensions) }

    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler { gauge(label, dimensions) }

    package func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        if aggregate { histogram(label, dimensions) } else { gauge(label, dimensions) }
    }

    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler { histogram(label, dimensions) }

    /// What was counted stays counted: a counter that starts anew looks like a restart.
    package func destroyCounter(_ handler: any CounterHandler) {}
    package func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
    package func destroyMeter(_ handler: any MeterHandler) {}
    package func destroyRecorder(_ handler: any RecorderHandler) {}
    package func destroyTimer(_ handler: any TimerHandler) {}
}
