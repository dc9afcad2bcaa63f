import Foundation
import Glibc

/// Lists of links, and the rename of a note that many notes link to.
enum Links {
    /// Targets in milliseconds: the median and p99 of a list of links, and a rename.
    private static let (medianMost, slowestMost, renameMost) = (5.0, 20.0, 3_000.0)

    static func measure(_ context: Context) throws(Failure) -> [Figure] {
        let scratch = try context.scratch()
        let daemon = try context.daemon(in: scratch)
        let client = try daemon.client()
        var notes = LinkedNotes(count: context.searched)
        let begin = seconds()
        let target = try notes.create(on: client)
        let created = seconds() - begin
        try awaitIndex(client)
        let indexed = seconds() - begin - created
        let folder = try context.scratch()
        let files = folder.path + "/notes"
        _ = try Child.said([context.control, "export", "--socket", daemon.socket, files])
        var figures = try lists(context, client, daemon, target: target, files: files)
        figures[0].remarks.append(
            "\(context.searched.formatted()) notes were created in \(Table.text(created)) s and indexed \(Table.text(indexed)) s later"
        )
        figures.append(try rename(context, daemon, files: files, state: scratch.path))
        try daemon.stop()
        return figures
    }

    /// Waits for the index of all notes.
    static func awaitIndex(_ client: Client) throws(Failure) {
        let start = seconds()
        while true {
            try client.send(.search("links"))
            if try client.next().has(Keys.result) { return }
            guard seconds() - start < 3_600 else { throw Failure("the index is incomplete after an hour") }
            pause(seconds: 0.05)
        }
    }

    private static func lists(
        _ context: Context, _ client: Client, _ daemon: DaemonProcess, target: String, files: String
    ) throws(Failure) -> [Figure] {
        let grep = SearchPath.program("grep")
        let name = "links to a note, \(LinkedNotes.few) of them, among \(context.searched.formatted()) notes"
        var median = Figure(
            "\(name), p50", .milliseconds,
            beside: Yardstick("grep -rlF over the same files", lack: grep == nil ? "grep is not in PATH" : nil),
            Yardstick("\(Table.text(medianMost)) ms", reach: 1))
        var slowest = Figure("\(name), p99", .milliseconds, beside: Yardstick("\(Table.text(slowestMost)) ms", reach: 1))
        for _ in 0..<context.rounds {
            var samples = Samples()
            let end = seconds() + context.roundSeconds
            repeat {
                let start = seconds()
                let answer = try client.call(.linksTo(target, limit: LinkedNotes.few))
                samples.add(seconds() - start)
                let found = answer.strings(Response.Key("snippet")).count
                guard found == LinkedNotes.few else {
                    throw Failure("the daemon found \(found) links instead of \(LinkedNotes.few)")
                }
            } while seconds() < end
            var grepped: Measured?
            if let grep {
                let start = seconds()
                _ = try Child([grep, "-rlF", "[[few]]", files]).wait()
                grepped = Measured(value: (seconds() - start) * 1e3)
            }
            median.addRound(Measured(value: samples.median * 1e3), beside: grepped, Measured(value: medianMost))
            slowest.addRound(Measured(value: samples.quantile(0.99) * 1e3), beside: Measured(value: slowestMost))
        }
        return [median, slowest]
    }

    /// Renames the note with many links, which `notesctl mv` repairs, and does the same to the files.
    private static func rename(
        _ context: Context, _ daemon: DaemonProcess, files: String, state: String
    ) throws(Failure) -> Figure {
        let shell = SearchPath.program("sh")
        var figure = Figure(
            "rename of a note with \(LinkedNotes.many.formatted()) links, which are repaired", .milliseconds,
            beside: Yardstick("sed -i over the files that grep finds", lack: shell == nil ? "sh is not in PATH" : nil),
            Yardstick("\(Table.text(renameMost)) ms", reach: 1))
        var old = "many"
        for round in 0..<context.rounds {
            let new = "many\(round)"
            var start = seconds()
            let move = [context.control, "mv", "--socket", daemon.socket, "targets/\(old)", "targets/\(new)"]
            _ = try Child.said(move, environment: ["XDG_STATE_HOME=\(state)/state"])
            let ours = (seconds() - start) * 1e3
            var theirs: Measured?
            if let shell {
                start = seconds()
                let line = "grep -rlZF '[[\(old)]]' \(files) | xargs -0 sed -i 's/\\[\\[\(old)\\]\\]/[[\(new)]]/g'"
                guard try Child([shell, "-c", line], environment: ["PATH=/usr/bin:/bin"]).wait() == 0 else {
                    throw Failure("sed failed")
                }
                theirs = Measured(value: (seconds() - start) * 1e3)
            }
            figure.addRound(Measured(value: ours), beside: theirs, Measured(value: renameMost))
            old = new
        }
        return figure
    }
}
