import Foundation
import Glibc

/// `notesctl browse` on a terminal: the time to its first screen and from a key to the screen, its
/// bytes, its processor time while nothing happens, and its memory.
enum Browsing {
    /// Targets: milliseconds to the first screen, from a key in the search to its result (median and p99), and
    /// from a key in a note; bytes for such a key; milliseconds of a core in ten idle minutes; megabytes.
    private static let (startMost, searchMost, searchSlowestMost, noteMost) = (50.0, 30.0, 80.0, 5.0)
    private static let (bytesMost, idleMost, memoryMost) = (200.0, 50.0, 60.0)
    /// Seconds of silence before a key.
    private static let calm = 0.1
    private static let (starts, searches, keys) = (5, 20, 60)
    /// Seconds that idle processor time is measured in a round, and seconds that it is reported for.
    private static let (idleSeconds, reportedSeconds) = (10.0, 600.0)

    /// A store, and the programs that are compared.
    private struct Scene {
        let daemon: DaemonProcess
        let browse: [String]
        let environment: [String]
        let count: Int
        /// The first word of the newest note.
        let newest: String
        /// A command that chooses among the names of all notes, nil without fzf; and a file for vim.
        let fzf: [String]?
        let vim: [String]?
    }

    static func measure(_ context: Context) throws(Failure) -> [Figure] {
        let scratch = try context.scratch()
        let daemon = try context.daemon(in: scratch)
        let client = try daemon.client()
        let count = context.searched
        var notes = LinkedNotes(count: count)
        _ = try notes.create(on: client)
        try Links.awaitIndex(client)
        let names = "\(scratch.path)/names"
        let text = "\(scratch.path)/text"
        let list = (0..<count).map(LinkedNotes.name).joined(separator: "\n")
        guard FileManager.default.createFile(atPath: names, contents: Data(list.utf8)),
            FileManager.default.createFile(atPath: text, contents: Data("a text\n".utf8))
        else { throw Failure("\(names) cannot be written") }
        let fzf = SearchPath.program("fzf").map { ["/bin/sh", "-c", "exec \($0) < \(names)"] }
        let vim = SearchPath.program("vim").map { [$0, "-u", "NONE", "-N", "-n", "-i", "NONE", text] }
        let scene = Scene(
            daemon: daemon, browse: [context.control, "browse", "--socket", daemon.socket],
            environment: ["HOME=\(scratch.path)", "XDG_STATE_HOME=\(scratch.path)/state"], count: count,
            newest: LinkedNotes.word(count - 1), fzf: fzf, vim: vim)
        let figures =
            [try start(scene, context)] + (try search(scene, context)) + (try typing(scene, context))
            + (try resting(scene, context))
        try daemon.stop()
        return figures
    }

    private static let noFzf = "fzf is not in PATH"
    private static let noVim = "vim is not in PATH"

    /// Starts `browse`, and waits for the list, the number of notes and the newest note.
    private static func opened(_ scene: Scene) throws(Failure) -> (program: TerminalProgram, seconds: Double) {
        let start = seconds()
        let program = try TerminalProgram(scene.browse, environment: scene.environment)
        try program.wait(for: "the newest note") { $0.contains(" notes ") && $0.contains(scene.newest) }
        return (program, seconds() - start)
    }

    private static func start(_ scene: Scene, _ context: Context) throws(Failure) -> Figure {
        var figure = Figure(
            "start of browse to the first whole screen, \(scene.count.formatted()) notes", .milliseconds,
            beside: Yardstick("\(Table.text(startMost)) ms", reach: 1),
            Yardstick("fzf with the names", lack: scene.fzf == nil ? noFzf : nil))
        for _ in 0..<context.rounds {
            var (ours, theirs) = (Samples(), Samples())
            for _ in 0..<starts {
                let opened = try opened(scene)
                ours.add(opened.seconds * 1e3)
                opened.program.end()
                guard let fzf = scene.fzf else { continue }
                let start = seconds()
                let program = try TerminalProgram(fzf, environment: scene.environment)
                try program.wait(for: "the number of names") { $0.contains("\(scene.count)/") }
                theirs.add((seconds() - start) * 1e3)
                program.end()
            }
            figure.addRound(
                Measured(value: ours.median), beside: Measured(value: startMost),
                scene.fzf.map { _ in Measured(value: theirs.median) })
        }
        return figure
    }

    private static func search(_ scene: Scene, _ context: Context) throws(Failure) -> [Figure] {
        let name = "key in the search line of browse until its result is drawn"
        var median = Figure(
            "\(name), p50", .milliseconds, beside: Yardstick("\(Table.text(searchMost)) ms", reach: 1),
            Yardstick("fzf, until the first output", lack: scene.fzf == nil ? noFzf : nil))
        var slowest = Figure("\(name), p99", .milliseconds, beside: Yardstick("\(Table.text(searchSlowestMost)) ms", reach: 1))
        var random = SeededRandom(seed: 2)
        for _ in 0..<context.rounds {
            let browse = try opened(scene).program
            var (ours, theirs) = (Samples(), Samples())
            for _ in 0..<searches {
                // The last digit leaves one note.
                let number = scene.count / 10 + random.below(scene.count * 9 / 10)
                let word = String(LinkedNotes.word(number).dropLast(4))
                try browse.type("\u{15}" + word.dropLast())
                try browse.rest(seconds: calm)
                let start = seconds()
                try browse.type(String(word.suffix(1)))
                try browse.wait(for: "one note") { $0.contains(" 1 of ") }
                ours.add((seconds() - start) * 1e3)
            }
            browse.end()
            if let fzf = scene.fzf {
                let program = try TerminalProgram(fzf, environment: scene.environment)
                try program.wait(for: "the number of names") { $0.contains("\(scene.count)/") }
                for _ in 0..<searches {
                    try program.type("\u{15}note123")
                    try program.rest(seconds: calm)
                    theirs.add(try program.echo(of: "4") * 1e3)
                }
                program.end()
            }
            median.addRound(
                Measured(value: ours.median), beside: Measured(value: searchMost),
                scene.fzf.map { _ in Measured(value: theirs.median) })
            slowest.addRound(Measured(value: ours.quantile(0.99)), beside: Measured(value: searchSlowestMost))
        }
        return [median, slowest]
    }

    private static func typing(_ scene: Scene, _ context: Context) throws(Failure) -> [Figure] {
        var time = Figure(
            "key in a note of browse until it is drawn, p50", .milliseconds,
            beside: Yardstick("\(Table.text(noteMost)) ms", reach: 1), Yardstick("vim", lack: scene.vim == nil ? noVim : nil),
            Yardstick("cat, by the terminal"))
        var bytes = Figure(
            "bytes to the terminal for such a key, with all that follows", .bytes,
            beside: Yardstick("\(Int(bytesMost)) B", reach: 1), Yardstick("vim", lack: scene.vim == nil ? noVim : nil))
        for _ in 0..<context.rounds {
            let browse = try opened(scene).program
            try browse.type("\r")
            try browse.wait(for: "the caret in the note") { $0.contains(" saved ") }
            let ours = try typed(browse)
            browse.end()
            var vims: (time: Double, bytes: Double)?
            if let command = scene.vim {
                let vim = try TerminalProgram(command, environment: scene.environment)
                try vim.rest(seconds: 0.5)
                try vim.type("i")
                vims = try typed(vim)
                vim.end()
            }
            let cat = try TerminalProgram(["/bin/cat"], environment: [])
            let plain = try typed(cat)
            cat.end()
            time.addRound(
                Measured(value: ours.time), beside: Measured(value: noteMost), vims.map { Measured(value: $0.time) },
                Measured(value: plain.time))
            bytes.addRound(
                Measured(value: ours.bytes), beside: Measured(value: bytesMost), vims.map { Measured(value: $0.bytes) })
        }
        return [time, bytes]
    }

    /// Types letters into a program, one at a time.
    ///
    /// - Returns: the median of the milliseconds until the first output, and the mean number of bytes.
    private static func typed(_ program: TerminalProgram) throws(Failure) -> (time: Double, bytes: Double) {
        try program.rest(seconds: calm)
        var samples = Samples()
        let before = program.bytes
        for number in 0..<keys {
            samples.add(try program.echo(of: String("abcdefghij".dropFirst(number % 10).prefix(1))) * 1e3)
            try program.rest(seconds: calm)
        }
        return (samples.median, Double(program.bytes - before) / Double(keys))
    }

    private static func resting(_ scene: Scene, _ context: Context) throws(Failure) -> [Figure] {
        var idle = Figure(
            "processor time of browse in ten minutes in which nothing happens", .milliseconds,
            beside: Yardstick("\(Table.text(idleMost)) ms", reach: 1))
        var memory = Figure(
            "memory of browse, \(scene.count.formatted()) notes", .megabytes,
            beside: Yardstick("\(Table.text(memoryMost)) MB", reach: 1), Yardstick("vim", lack: scene.vim == nil ? noVim : nil))
        for _ in 0..<context.rounds {
            let browse = try opened(scene).program
            try browse.rest(seconds: 1)
            let before = try ProcessFacts.coreSeconds(of: browse.pid)
            pause(seconds: idleSeconds)
            let used = try ProcessFacts.coreSeconds(of: browse.pid) - before
            idle.addRound(used * 1e3 * reportedSeconds / idleSeconds, yardstick: idleMost)
            var vims: Measured?
            if let command = scene.vim {
                let vim = try TerminalProgram(command, environment: scene.environment)
                try vim.rest(seconds: 0.5)
                vims = Measured(value: Double(try ProcessFacts.memory(of: vim.pid).rss) / 1e6)
                vim.end()
            }
            let rss = Double(try ProcessFacts.memory(of: browse.pid).rss) / 1e6
            memory.addRound(Measured(value: rss), beside: Measured(value: memoryMost), vims)
            browse.end()
        }
        return [idle, memory]
    }
}
