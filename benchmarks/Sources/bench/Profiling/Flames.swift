import Foundation

/// Flame graphs of the daemon under the loads of `FanOut` and `Saves`.
enum Flames {
    /// Draws the graphs, and returns the paths of the SVG files.
    static func draw(_ context: Context, beside path: String) throws(Failure) -> [String] {
        let perf = try Perf()
        let seconds = max(2, context.roundSeconds)
        var files: [String] = []
        let fan = try context.daemon(in: try context.scratch())
        let fanOut = try FanOut.load(of: fan, context)
        for (name, title, run) in [
            ("deliveries", "64 saves at a time, sent to \(context.watchers) watchers", fanOut.batches),
            ("one-delivery", "one save at a time, sent to \(context.watchers) watchers", fanOut.singles),
        ] {
            try run(seconds / 4)
            let graph = try graph(title, of: fan, perf, context) { () throws(Failure) in try run(seconds) }
            files.append(try write(graph, as: name, beside: path))
        }
        try fan.stop()
        let saved = try context.daemon(in: try context.scratch())
        let savers = try Savers(64, of: saved.address)
        _ = try savers.run(for: seconds / 4)
        let graph = try graph("saves from 64 connections, each waiting for its response", of: saved, perf, context) {
            () throws(Failure) in _ = try savers.run(for: seconds)
        }
        files.append(try write(graph, as: "saves", beside: path))
        try saved.stop()
        return files
    }

    private static func graph(
        _ title: String, of daemon: DaemonProcess, _ perf: Perf, _ context: Context, while body: () throws(Failure) -> Void
    ) throws(Failure) -> FlameGraph {
        let stacks = try perf.stacks(of: daemon.pid, in: try context.scratch(), while: body)
        return FlameGraph(
            stacks, title: "notesd: \(title). Orange: the daemon, blue: the kernel. Wider boxes took longer; hover for shares.")
    }

    private static func write(_ graph: FlameGraph, as name: String, beside path: String) throws(Failure) -> String {
        let file = "\(path.hasSuffix(".json") ? String(path.dropLast(5)) : path)-\(name).svg"
        do {
            try Data(graph.svg.utf8).write(to: URL(fileURLWithPath: file))
        } catch {
            throw Failure("\(file) cannot be written: \(error)")
        }
        return file
    }
}
