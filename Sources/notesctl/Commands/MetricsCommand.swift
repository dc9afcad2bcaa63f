import ArgumentParser
import Console
import NoteTasks
import NoteText
import NotesClient
import NotesWire
import StrictJSON

struct MetricsCommand: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "metrics",
        abstract: "Print the daemon's metrics, for Prometheus and similar systems.",
        discussion: """
            Examples:
              notesctl metrics
              notesctl metrics | grep duration
              notesctl metrics --openmetrics

            The output is in the text format of Prometheus that node_exporter's textfile collector \
            reads: counts, sizes, and request durations. It contains no names or texts of notes. \
            config/prometheus shows how to collect it.
            """)

    @Flag(name: .long, help: "Print the newer OpenMetrics text format instead.")
    var openmetrics = false

    @OptionGroup var options: GlobalOptions

    func perform() async throws {
        try await options.withClient { client in
            let received = try await client.metrics()
            let text = openmetrics ? received : ByteString(PrometheusText.converted(received))
            guard options.isForPrograms else { return try Output.write(text.utf8) }
            var writer = JSONWriter()
            MetricsResult(text: text).write(to: &writer)
            try options.emit(writer.bytes)
        }
    }
}
