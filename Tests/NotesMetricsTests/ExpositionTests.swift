import CoreMetrics
import Dispatch
import TestKit
import Testing

@testable import NotesMetrics

/// Every counter is exposed, in the form that the OpenMetrics format requires.
@Suite struct ExpositionTests {
    private let registry = MetricsRegistry()
    private var metering: Metering { Metering(registry) }

    private func check() throws -> OpenMetricsCheck { try OpenMetricsCheck(registry.exposition()) }

    @Test func exposition_isExact() {
        metering.gauge(.build, [("version", "0.1.0")]).set(1)
        metering.counter(.writes, [("outcome", "saved")]).increment(by: 3)
        metering.counter(.writes, [("outcome", "merged")]).increment()
        metering.histogram(.batchCommits).record(Int64(3))
        metering.histogram(.batchCommits).record(Int64(1_000))
        #expect(
            registry.exposition() == """
                # TYPE notesd_build_info gauge
                # HELP notesd_build_info Version of the daemon.
                notesd_build_info{version="0.1.0"} 1.0
                # TYPE notesd_writes counter
                # HELP notesd_writes Successful writes, by outcome: created, saved, merged, conflicted, unchanged.
                notesd_writes_total{outcome="merged"} 1.0
                notesd_writes_total{outcome="saved"} 3.0
                # TYPE notesd_batch_commits histogram
                # HELP notesd_batch_commits Revisions committed in one transaction.
                notesd_batch_commits_bucket{le="1.0"} 0.0
                notesd_batch_commits_bucket{le="2.0"} 0.0
                notesd_batch_commits_bucket{le="4.0"} 1.0
                notesd_batch_commits_bucket{le="8.0"} 1.0
                notesd_batch_commits_bucket{le="16.0"} 1.0
                notesd_batch_commits_bucket{le="32.0"} 1.0
                notesd_batch_commits_bucket{le="64.0"} 1.0
                notesd_batch_commits_bucket{le="128.0"} 1.0
                notesd_batch_commits_bucket{le="256.0"} 1.0
                notesd_batch_commits_bucket{le="+Inf"} 2.0
                notesd_batch_commits_count 2.0
                notesd_batch_commits_sum 1003.0
                # EOF\n
                """)
    }

    @Test func unusedMetrics_areExposed() throws {
        #expect(registry.exposition() == "# EOF\n")
        #expect(try OpenMetricsCheck(Metering.none.exposition()).families.isEmpty)
    }

    @Test func everyMetric_isValidOpenMetrics() throws {
        for measure in Measure.allCases {
            switch measure.kind {
            case .info, .gauge: metering.gauge(measure).set(0.5)
            case .counter: metering.counter(measure).increment()
            case .histogram: metering.timer(measure).recordNanoseconds(1_500)
            }
        }
        let check = try check()
        #expect(check.families.map(\.name) == Measure.allCases.map { $0.kind == .info ? $0.rawValue + "_info" : $0.rawValue })
        for (measure, family) in zip(Measure.allCases, check.families) {
            #expect(family.help == measure.help && family.unit == measure.unit)
            #expect(measure.rawValue.hasPrefix("notesd_") && measure.help.hasSuffix("."))
            #expect(!["total", "count", "sum", "bucket", "info"].contains { measure.rawValue.hasSuffix("_" + $0) })
            if case .histogram(let bounds) = measure.kind {
                #expect(bounds == bounds.sorted() && Set(bounds).count == bounds.count)
            }
        }
    }

    @Test(arguments: seeds(60))
    func labels_roundTrip(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let pieces = ["\\", "\"", "\n", "n", "é", "{", "}", ",", "=", " ", "#", "\\n"]
        let values = Set((0..<5).map { _ in (0..<random.below(6)).map { _ in random.pick(pieces) }.joined() })
        for value in values { metering.counter(.errors, [("kind", value)]).increment() }
        let samples = try check().family("notesd_errors")?.samples ?? []
        #expect(Set(samples.compactMap { $0.labels["kind"] }) == values, "seed \(seed)")
    }

    @Test(arguments: seeds(60))
    func histogram_matchesNaiveCount(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let values = (0..<random.below(200)).map { _ in Int64(1) << Int64(random.below(40)) }
        let timer = metering.timer(.appendSeconds)
        for value in values { timer.recordNanoseconds(value) }
        let samples = try check().family("notesd_append_duration_seconds")?.samples ?? []
        for sample in samples where sample.name.hasSuffix("_bucket") {
            let bound = sample.labels["le"] == "+Inf" ? Double.infinity : try #require(sample.labels["le"].flatMap { Double($0) })
            #expect(Int(sample.value) == values.count { Double($0) / 1e9 <= bound }, "seed \(seed)")
        }
        let sum = try #require(samples.first { $0.name.hasSuffix("_sum") }).value
        #expect(abs(sum - values.reduce(0) { $0 + Double($1) / 1e9 }) <= sum * 1e-12, "seed \(seed)")
    }

    @Test func concurrentUpdates_loseNothing_andStayValid() throws {
        let (registry, threads, each) = (registry, 4, 5_000)
        DispatchQueue.concurrentPerform(iterations: threads + 1) { thread in
            let metering = Metering(registry)
            if thread == threads {
                for _ in 0..<50 {
                    do { _ = try OpenMetricsCheck(registry.exposition()) } catch { Issue.record("\(error)") }
                }
                return
            }
            let (counter, histogram) = (metering.counter(.commits), metering.histogram(.batchCommits))
            let gauge = metering.gauge(.connections)
            for value in 0..<each {
                counter.increment()
                histogram.record(Int64(value % 300))
                gauge.increment(by: 1)
            }
        }
        let check = try check()
        let all = Double(threads * each)
        #expect(check.family("notesd_commits")?.samples.first?.value == all)
        #expect(check.family("notesd_connections")?.samples.first?.value == all)
        #expect(check.family("notesd_batch_commits")?.samples.first { $0.name.hasSuffix("_count") }?.value == all)
        let sum = Double(threads) * (0..<each).reduce(0) { $0 + Double($1 % 300) }
        #expect(check.family("notesd_batch_commits")?.samples.first { $0.name.hasSuffix("_sum") }?.value == sum)
    }

    @Test func unknownMetrics_areIgnored() throws {
        Counter(label: "other", dimensions: [], factory: registry).increment()
        Counter(label: "notesd_connections", dimensions: [], factory: registry).increment()
        metering.counter(.commits).increment(by: -5)
        metering.counter(.commits).increment(by: 2)
        metering.histogram(.batchCommits).record(Double.nan)
        let check = try check()
        #expect(Set(check.families.map(\.name)) == ["notesd_commits", "notesd_batch_commits"])
        #expect(check.family("notesd_commits")?.samples.map(\.value) == [2])
        #expect(check.family("notesd_batch_commits")?.samples.allSatisfy { $0.value == 0 } == true)
    }

    /// The checker sees what it is there for.
    @Test(arguments: [
        "", "# EOF", "\n# EOF\n", "notesd_a 1\n# EOF\n", "# TYPE a gauge\na 1\n\n# EOF\n", "# TYPE a gauge\na 1\n# EOF\nmore\n",
        "# TYPE a counter\na 1\n# EOF\n", "# TYPE a counter\na_total -1\n# EOF\n", "# TYPE a wrong\na 1\n# EOF\n",
        "# TYPE a gauge\n# UNIT a bytes\na 1\n# EOF\n", "# TYPE a gauge\na 1\na 2\n# EOF\n", "# TYPE a gauge\na one\n# EOF\n",
        "# TYPE a gauge\na{b=\"c} 1\n# EOF\n", "# TYPE a gauge\na{b=\"\\x\"} 1\n# EOF\n",
        "# TYPE a gauge\na 1\n# TYPE b gauge\nb 1\n# HELP a x\n# EOF\n",
        "# TYPE a histogram\na_bucket{le=\"1\"} 2\na_bucket{le=\"+Inf\"} 1\na_count 1\na_sum 1\n# EOF\n",
        "# TYPE a histogram\na_bucket{le=\"1\"} 1\na_count 1\na_sum 1\n# EOF\n", "# TYPE 1a gauge\n1a 1\n# EOF\n",
        "# TYPE a gauge\n# EOF\n",
    ])
    func checker_refusesInvalidText(text: String) {
        #expect(throws: OpenMetricsCheck.Fault.self) { try OpenMetricsCheck(text) }
    }
}
