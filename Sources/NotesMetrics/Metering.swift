package import CoreMetrics

/// What a part of the daemon is given to count with, and to tell what all parts counted.
package struct Metering: Sendable {
    package let factory: any MetricsFactory
    /// All that was counted, as OpenMetrics text.
    package let exposition: @Sendable () -> String

    package init(_ registry: MetricsRegistry) {
        factory = registry
        exposition = { registry.exposition() }
    }

    /// A registry of its own, in which stands who the daemon is.
    ///
    /// - Parameter startSeconds: since 1970.
    package init(version: String, startSeconds: Double) {
        self.init(MetricsRegistry())
        gauge(.build, [("version", version)]).set(1)
        gauge(.start).set(startSeconds)
    }

    private init() {
        factory = NOOPMetricsHandler.instance
        exposition = { "# EOF\n" }
    }

    /// Counts nothing.
    package static let none = Metering()

    package func counter(_ measure: Measure, _ labels: [(String, String)] = []) -> Counter {
        Counter(label: measure.rawValue, dimensions: labels, factory: factory)
    }

    package func gauge(_ measure: Measure, _ labels: [(String, String)] = []) -> Meter {
        Meter(label: measure.rawValue, dimensions: labels, factory: factory)
    }

    package func timer(_ measure: Measure, _ labels: [(String, String)] = []) -> Timer {
        Timer(label: measure.rawValue, dimensions: labels, factory: factory)
    }

    /// Of values that are no times.
    package func histogram(_ measure: Measure, _ labels: [(String, String)] = []) -> Recorder {
        Recorder(label: measure.rawValue, dimensions: labels, aggregate: true, factory: factory)
    }
}
