import Foundation
import Glibc

/// Measures the daemon from outside, through its socket, beside yardsticks of the same machine in the same minutes.
@main
enum Main {
    static func main() {
        let words = Array(CommandLine.arguments.dropFirst())
        guard !words.contains("--help"), !words.contains("-h") else { return say(Arguments.help) }
        signal(SIGPIPE, SIG_IGN)
        Cleanup.onSignals()
        do {
            try run(try Arguments(words))
        } catch {
            FileHandle.standardError.write(Data("bench: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func run(_ arguments: Arguments) throws(Failure) {
        let context = try context(arguments)
        var machine = Machine()
        say(
            "\(machine.processor), \(machine.processors) processors, Linux \(machine.kernel), load \(Report.text(machine.loadAtStart))"
        )
        say("\(context.program); stores in \(context.directory); \(context.rounds) rounds\n")
        say(Report.heading)
        var figures: [Figure] = []
        for group in arguments.groups {
            try measure(group, context) { figure in
                say(Report.lines(figure))
                figures.append(figure)
            }
        }
        machine.end()
        try write(Report(machine: machine, figures: figures), to: arguments.json)
        say("\nload at the end \(Report.text(machine.loadAtEnd)); `daemon` and `bench` are cores kept busy meanwhile")
        say("written to \(arguments.json); docs/performance.md says what the figures mean")
    }

    /// - Parameter tell: takes what was measured, as it comes.
    private static func measure(
        _ group: Arguments.Group, _ context: Context, tell: (Figure) -> Void
    ) throws(Failure) {
        switch group {
        case .saves: try Saves.measure(context).forEach(tell)
        case .latency: try Latency.measure(context).forEach(tell)
        case .fanout: try FanOut.measure(context).forEach(tell)
        case .store:
            var store = try LargeStore(context)
            try store.fill(context).forEach(tell)
            try StartUp.measure(context, large: store.scratch).forEach(tell)
            try store.read(context).forEach(tell)
        case .sizes: try Sizes.measure(context).forEach(tell)
        case .revisions: try Revisions.measure(context).forEach(tell)
        case .storms: try Storms.measure(context, tell: tell)
        case .blind: try NeverLooking.measure(context, tell: tell)
        case .merges:
            guard let git = Git() else {
                guard context.merges == nil else { throw Failure("git is needed to merge the same, and is not in PATH") }
                return say("merges: left out, git is needed to merge the same, and is not in PATH")
            }
            let merges = try Merges(context, git: git)
            if context.merges != nil { say(try merges.table(context).text) }
            try merges.measure(context).forEach(tell)
        case .keystrokes:
            if context.traces.isEmpty { say("keystrokes: left out, there is no trace; `keystrokes FILE` names one") }
            for trace in context.traces { try Keystrokes.measure(context, trace: trace).forEach(tell) }
        }
    }

    private static func context(_ arguments: Arguments) throws(Failure) -> Context {
        let program = "\(arguments.bin)/notesd"
        guard access(program, X_OK) == 0 else { throw Failure("\(program) is not there: `make build` makes it") }
        guard !Scratch.isInMemory(arguments.directory) else {
            throw Failure("\(arguments.directory) is in memory, where nothing is durable: name another with --directory")
        }
        let files = ProcessFacts.raiseOpenFiles()
        guard files >= 3 * arguments.watchers + 64 else {
            throw Failure(
                "\(arguments.watchers) watchers need \(3 * arguments.watchers + 64) open files, and \(files) are allowed")
        }
        return Context(
            program: program, rounds: arguments.rounds, roundSeconds: arguments.roundSeconds, notes: arguments.notes,
            watchers: arguments.watchers, stormWrites: arguments.stormWrites, directory: arguments.directory,
            traces: arguments.traces, merges: arguments.merges)
    }

    /// At once, whatever standard output is.
    private static func say(_ text: String) {
        FileHandle.standardOutput.write(Data("\(text)\n".utf8))
    }

    private static func write(_ report: Report, to path: String) throws(Failure) {
        do {
            try report.json().write(to: URL(fileURLWithPath: path))
        } catch {
            throw Failure("\(path) cannot be written: \(error)")
        }
    }
}
