package import CoreMetrics

/// The metrics interface that the daemon passes to each of its parts: a factory to record with, and
/// the exposition of all recorded metrics.
package struct Metering: Sendable {
    /// The factory for metric handlers.
    package let factory: any MetricsFactory
    /// Returns all recorded metrics as OpenMetrics text.
    package let exposition: @Sendable () -> String

    /// Records into a registry.
    package init(_ registry: MetricsRegistry) {
        factory = registry
        exposition = { registry.exposition() }
    }

    /// Records into a new registry, which contains the daemon's version and start time.
    ///
    /// - Parameter startSeconds: the start time in seconds since 1970.
    package init(version: String, startSeconds: Double) {
        self.init(MetricsRegistry())
        gauge(.build, [("version", version)]).set(1)
        gauge(.start).set(startSeconds)
    }

    private init() {
        factory = NOOPMetricsHandler.instance
        exposition = { "# EOF\n" }
    }

    /// A metering that discards all records.
    package static let none = Metering()

    /// The counter of a measure with the given labels.
    package func counter(_ measure: Measure, _ labels: [(String, String)] = []) -> Counter {
        Counter(label: measure.rawValue, dimensions: labels, factory: factory)
    }

    /// The gauge of a measure with the given labels.
    package func gauge(_ measure: Measure, _ labels: [(String, String)] = []) -> Meter {
        Meter(label: measure.rawValue, dimensions: labels, factory: factory)
    }

    /// The histogram of a measure in seconds, with the given labels.
    package func timer(_ measure: Measure, _ labels: [(String, String)] = []) -> Timer {
        Timer(label: measure.rawValue, dimensions: labels, factory: factory)
    }

    /// The histogram of a measure that is not a duration, with the given labels.
    package func histogram(_ measure: Measure, _ labels: [(String, String)] = []) -> Recorder {
        Recorder(label: measure.rawValue, dimensions: labels, aggregate: true, factory: factory)
    }
}
