import Foundation
import Glibc

/// Measures the daemon from outside, through its socket, and compares it with yardsticks on the
/// same machine.
@main
enum Main {
    static func main() {
        let words = Array(CommandLine.arguments.dropFirst())
        guard !words.contains("--help"), !words.contains("-h") else { return say(Arguments.help) }
        signal(SIGPIPE, SIG_IGN)
        Cleanup.onSignals()
        do {
            if words.first == FloorServer.word { try FloorServer.run(words.dropFirst()) }
            try run(try Arguments(words))
        } catch {
            // The failure may be a consequence of a signal that ends the program.
            Cleanup.giveWay()
            FileHandle.standardError.write(Data("bench: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func run(_ arguments: Arguments) throws(Failure) {
        let context = try context(arguments)
        var machine = Machine()
        say(
            "\(machine.processor), \(machine.processors) processors, Linux \(machine.kernel), load \(Table.text(machine.loadAtStart))"
        )
        say("\(context.program); stores in \(context.directory); \(context.rounds) rounds")
        for peer in context.peers { say("\(peer.line)") }
        say("\n\(Table.heading)")
        var figures: [Figure] = []
        for group in arguments.groups {
            let start = seconds()
            try measure(group, context, beside: arguments.json) { figure in
                say(Table.lines(figure))
                figures.append(figure)
            }
            say("  (\(group.rawValue): \(Table.text(seconds() - start)) s)\n")
        }
        machine.end()
        // `flames` measures nothing, and must not overwrite earlier figures.
        guard !figures.isEmpty else { return }
        try write(figures, of: machine, context, arguments)
        say("load at the end \(Table.text(machine.loadAtEnd)); `cores` and `bench`: cores that the server and bench kept busy")
        say("written to \(arguments.json) and \(arguments.chart); docs/performance.md explains the figures")
    }

    /// - Parameters:
    ///   - path: Path of the JSON; flame graphs are written next to it.
    ///   - tell: Receives each figure as soon as it is measured.
    private static func measure(
        _ group: Arguments.Group, _ context: Context, beside path: String, tell: (Figure) -> Void
    ) throws(Failure) {
        switch group {
        case .saves:
            try Saves.measure(context).forEach(tell)
            try FirstSaves.measure(context).forEach(tell)
        case .latency: try Latency.measure(context).forEach(tell)
        case .fanout: try FanOut.measure(context).forEach(tell)
        case .stopped: try Stopped.measure(context).forEach(tell)
        case .fairness: try Fairness.measure(context).forEach(tell)
        case .store:
            var store = FilledStore(scratch: try context.scratch())
            try Creating.measure(context, &store).forEach(tell)
            try StartUp.measure(context, store).forEach(tell)
            try Listing.measure(context, store).forEach(tell)
            try CatchUp.measure(context, store).forEach(tell)
        case .floor: try FloorDistance.measure(context).forEach(tell)
        case .flames: for file in try Flames.draw(context, beside: path) { say("written to \(file)") }
        case .search: try Searching.measure(context).forEach(tell)
        case .idle: try Idle.measure(context).forEach(tell)
        case .show: try ShowNote.measure(context).forEach(tell)
        case .links: try Links.measure(context).forEach(tell)
        case .browse: try Browsing.measure(context).forEach(tell)
        case .agents: try TakingBack.measure(context).forEach(tell)
        case .purge: try Purging.measure(context).forEach(tell)
        case .mirror: try Mirroring.measure(context).forEach(tell)
        case .replication: try Replicating.measure(context).forEach(tell)
        case .hub:
            if let lack = context.postgres.peer.lack { return say("hub: skipped; PostgreSQL is \(lack)") }
            if context.gateway == nil { return say("hub: skipped; `make postgres` builds notesd-postgres, which needs libpq") }
            try Hub.measure(context, tell: tell)
        case .sizes: try Sizes.measure(context).forEach(tell)
        case .revisions: try Revisions.measure(context).forEach(tell)
        case .storms: try Storms.measure(context, tell: tell)
        case .blind: try NeverLooking.measure(context, tell: tell)
        case .merges:
            guard let git = Git() else {
                guard context.merges == nil else { throw Failure("merges need git, which is not in PATH") }
                return say("merges: skipped; they need git, which is not in PATH")
            }
            let merges = try Merges(context, git: git)
            if context.merges != nil { say(try merges.table(context).text) }
            try merges.measure(context).forEach(tell)
        case .keystrokes:
            if context.traces.isEmpty { say("keystrokes: skipped; name a trace with `keystrokes FILE`") }
            for trace in context.traces { try Keystrokes.measure(context, trace: trace).forEach(tell) }
        }
    }

    private static func context(_ arguments: Arguments) throws(Failure) -> Context {
        let programs = ["notesd", "notesctl"].map { "\(arguments.bin)/\($0)" }
        for program in programs where access(program, X_OK) != 0 {
            throw Failure("\(program) does not exist; run `make build`")
        }
        guard !Scratch.isInMemory(arguments.directory) else {
            throw Failure("\(arguments.directory) is in memory, where nothing is durable; name a disk with --directory")
        }
        return Context(
            program: programs[0], control: programs[1],
            gateway: SearchPath.program("notesd-postgres", in: [arguments.bin]), redis: try Redis(), postgres: try Postgres(),
            etcd: try Etcd(), rounds: arguments.rounds, roundSeconds: arguments.roundSeconds, notes: arguments.notes,
            searched: arguments.searched, purged: arguments.purged, watchers: arguments.watchers, idle: arguments.idle,
            stormWrites: arguments.stormWrites, directory: arguments.directory, traces: arguments.traces,
            merges: arguments.merges)
    }

    /// Prints without buffering, whatever standard output is.
    private static func say(_ text: String) {
        FileHandle.standardOutput.write(Data("\(text)\n".utf8))
    }

    private static func write(
        _ figures: [Figure], of machine: Machine, _ context: Context, _ arguments: Arguments
    ) throws(Failure) {
        let report = Report(machine: machine, peers: context.peers, figures: figures)
        do {
            try report.json().write(to: URL(fileURLWithPath: arguments.json))
            try Data(Chart(figures).svg.utf8).write(to: URL(fileURLWithPath: arguments.chart))
        } catch {
            throw Failure("\(arguments.json) or the chart next to it cannot be written: \(error)")
        }
    }
}
