import Foundation
import Glibc

/// A running `notesctl mirror`: a file that a program writes, a note that a client saves, and silence.
enum LiveMirror {
    private static let changes = 40
    /// Targets: milliseconds until the notification of a written file (median and p99) and until a saved note is in
    /// its file; milliseconds of a core in ten idle minutes; megabytes.
    private static let (toldMost, toldSlowestMost, filedMost) = (35.0, 100.0, 10.0)
    private static let (idleMost, memoryMost) = (20.0, 100.0)
    private static let (idleSeconds, reportedSeconds) = (10.0, 600.0)

    /// - Parameters:
    ///   - folder: a folder with files, which `daemon` does not know yet.
    ///   - files: the number of its files.
    static func measure(
        _ folder: String, files: Int, _ daemon: DaemonProcess, environment: [String], _ context: Context
    ) throws(Failure) -> [Figure] {
        let arguments = [context.control, "mirror", folder]
        guard try Child([context.control, "mirror", "--once", folder], environment: environment).wait() == 0 else {
            throw Failure("mirror --once failed")
        }
        let mirror = try Child(arguments, environment: environment)
        let (watcher, writer) = (try daemon.client(), try daemon.client())
        _ = try watcher.watch(.watchNotes())
        let places = Places(folder: folder, control: context.control, environment: environment)
        // The first change also waits for the start.
        _ = try change(0, places, watcher, writer)
        let count = files.formatted()
        var told = Figure(
            "a file written until a watcher is notified, \(count) files, p50", .milliseconds,
            beside: Yardstick("\(Table.text(toldMost)) ms", reach: 1), Yardstick("notesctl append, until notified"))
        var toldSlowest = Figure(
            "a file written until a watcher is notified, p99", .milliseconds,
            beside: Yardstick("\(Table.text(toldSlowestMost)) ms", reach: 1))
        var filed = Figure(
            "a note saved until its file has it, p50", .milliseconds,
            beside: Yardstick("\(Table.text(filedMost)) ms", reach: 1), Yardstick("write, fsync, rename"))
        for _ in 0..<context.rounds {
            var (files, saves, notes, renames) = (Samples(), Samples(), Samples(), Samples())
            for number in 1...changes {
                let times = try change(number, places, watcher, writer)
                files.add(times.told * 1e3)
                notes.add(times.filed * 1e3)
                saves.add(try places.save(number, watcher) * 1e3)
                renames.add(try places.write(String(repeating: "A line.\n", count: 100), to: "\(folder)/../plain") * 1e3)
            }
            told.addRound(
                Measured(value: files.median), beside: Measured(value: toldMost), Measured(value: saves.median))
            toldSlowest.addRound(files.quantile(0.99), yardstick: toldSlowestMost)
            filed.addRound(
                Measured(value: notes.median), beside: Measured(value: filedMost), Measured(value: renames.median))
        }
        defer { mirror.end() }
        return [told, toldSlowest, filed] + (try resting(mirror, count, context))
    }

    /// A file changes, and then its note.
    ///
    /// - Returns: the seconds from the rename of the file until the watcher is told, and from the
    ///   daemon's answer to a save until the file has the text.
    private static func change(
        _ number: Int, _ places: Places, _ watcher: Client, _ writer: Client
    ) throws(Failure) -> (told: Double, filed: Double) {
        let path = places.path(number)
        let text = "written \(seconds())\n" + (try ProcessFacts.text(path))
        _ = try places.write(text, to: path)
        let written = seconds()
        let line = try next(watcher)
        let told = seconds() - written
        let saved = "saved \(seconds())\n" + text
        _ = try writer.call(
            .saveNote(try line.required(Keys.id), base: try line.required(Keys.version), json: Request.json(saved)))
        let answered = seconds()
        while try ProcessFacts.text(path) != saved {
            guard seconds() < answered + 30 else { throw Failure("\(path) does not get the saved text") }
            pause(seconds: 0.0002)
        }
        _ = try next(watcher)
        return (told, seconds() - answered)
    }

    /// The next line that reports a change.
    private static func next(_ watcher: Client) throws(Failure) -> Response {
        while true {
            let line = try watcher.next()
            if !line.isBookmark { return line }
        }
    }

    private static func resting(_ mirror: Child, _ count: String, _ context: Context) throws(Failure) -> [Figure] {
        var idle = Figure(
            "processor time of the mirror in ten minutes in which nothing happens, \(count) files", .milliseconds,
            beside: Yardstick("\(Table.text(idleMost)) ms", reach: 1))
        var memory = Figure(
            "memory of the mirror, \(count) files", .megabytes, beside: Yardstick("\(Table.text(memoryMost)) MB", reach: 1))
        for _ in 0..<context.rounds {
            pause(seconds: 1)
            let before = try ProcessFacts.coreSeconds(of: mirror.pid)
            pause(seconds: idleSeconds)
            let used = try ProcessFacts.coreSeconds(of: mirror.pid) - before
            idle.addRound(used * 1e3 * reportedSeconds / idleSeconds, yardstick: idleMost)
            memory.addRound(Double(try ProcessFacts.memory(of: mirror.pid).rss) / 1e6, yardstick: memoryMost)
        }
        return [idle, memory]
    }

    /// The folder, and programs that write beside the mirror.
    private struct Places {
        let folder: String
        let control: String
        let environment: [String]

        func path(_ number: Int) -> String { "\(folder)/0/\(number).md" }

        /// Writes a file beside its place and renames it, as editors do. Returns the seconds.
        func write(_ text: String, to path: String) throws(Failure) -> Double {
            let start = seconds()
            let other = path + ".new~"
            let file = open(other, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
            guard file >= 0 else { throw Failure(call: "open \(other)") }
            let bytes = Array(text.utf8)
            let isWritten = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) } == bytes.count
            guard isWritten, fsync(file) == 0 else { throw Failure(call: "write \(other)") }
            close(file)
            guard rename(other, path) == 0 else { throw Failure(call: "rename \(other)") }
            return seconds() - start
        }

        /// Saves another note with `notesctl`. Returns the seconds until the watcher is told.
        func save(_ number: Int, _ watcher: Client) throws(Failure) -> Double {
            let command = "echo 'a line \(seconds())' | exec \(control) append 1/\(500 + number)"
            let start = seconds()
            let child = try Child(["/bin/sh", "-c", command], environment: environment)
            _ = try LiveMirror.next(watcher)
            let time = seconds() - start
            guard child.wait() == 0 else { throw Failure("notesctl append failed") }
            return time
        }
    }
}
