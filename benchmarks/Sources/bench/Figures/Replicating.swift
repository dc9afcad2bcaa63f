import Foundation

/// Two daemons that `notesctl sync` keeps in step.
enum Replicating {
    /// Number of saves of a round, on one daemon and across two.
    private static let saves = 200
    /// Targets: the ratio to twice the notification on one daemon (median and p99), and that of a first
    /// exchange to the other programs.
    private static let (medianReach, slowestReach, copyReach, cloneReach) = (1.3, 2.0, 1.0, 3.0)

    static func measure(_ context: Context) throws(Failure) -> [Figure] {
        let here = try context.daemon(in: try context.scratch())
        let figures = try first(context, here) + live(context, here)
        try here.stop()
        return figures
    }

    /// A first exchange with an empty store, while another client of the full one saves.
    private static func first(_ context: Context, _ here: DaemonProcess) throws(Failure) -> [Figure] {
        let count = max(100, context.searched / 10)
        var store = FilledStore(scratch: try context.scratch())
        let client = try here.client()
        try store.create(count, on: client)
        let folder = try context.scratch()
        let files = folder.path + "/notes"
        _ = try Child.said([context.control, "export", "--socket", here.socket, files])
        let (rsync, git) = (SearchPath.program("rsync"), SearchPath.program("git"))
        let name = "first exchange of \(count.formatted()) notes of \(FilledStore.text.bytes) bytes"
        var whole = Figure(
            name, .milliseconds,
            beside: Yardstick("rsync -a of them as files", reach: copyReach, lack: rsync == nil ? "rsync is not in PATH" : nil),
            Yardstick("git clone of them in one commit", reach: cloneReach, lack: git == nil ? "git is not in PATH" : nil))
        var slowest = Figure(
            "slowest save of another client meanwhile", .milliseconds, beside: Yardstick("the interval of fairness", reach: 1))
        if let git { try commit(files, git) }
        let own = try client.call(.createNote(json: #""mine\n""#))
        let note = try own.required(Keys.id)
        var version = try own.required(Keys.version)
        for _ in 0..<context.rounds {
            let there = try context.daemon(in: try context.scratch())
            let user = try UserFiles(context)
            let start = seconds()
            let child = try user.add("unix:\(there.socket)", to: here, context)
            var longest = 0.0
            while !child.hasEnded {
                let begin = seconds()
                version = try client.call(.saveNote(note, base: version, json: #""saved at \#(begin)\n""#)).required(Keys.version)
                longest = max(longest, seconds() - begin)
            }
            let time = seconds() - start
            try user.finish(child)
            try there.stop()
            whole.addRound(
                Measured(value: time * 1e3), beside: try copy(rsync, ["-a", files, "\(user.folder.path)/copy"]),
                try copy(git, ["clone", "--quiet", files, "\(user.folder.path)/clone"]))
            slowest.addRound(Measured(value: longest * 1e3), beside: Measured(value: 50))
        }
        return [whole, slowest]
    }

    private static func commit(_ files: String, _ git: String) throws(Failure) {
        let identity = ["-c", "user.name=bench", "-c", "user.email=bench@localhost"]
        for arguments in [["init", "--quiet"], ["add", "--all"], ["commit", "--quiet", "--message", "notes"]] {
            guard try Child([git, "-C", files] + identity + arguments, environment: ["PATH=/usr/bin:/bin"]).wait() == 0 else {
                throw Failure("git failed")
            }
        }
    }

    /// The time of a copy in milliseconds; nil without the program.
    private static func copy(_ program: String?, _ arguments: [String]) throws(Failure) -> Measured? {
        guard let program else { return nil }
        let start = seconds()
        guard try Child([program] + arguments, environment: ["PATH=/usr/bin:/bin"]).wait() == 0 else {
            throw Failure("\(program) failed")
        }
        return Measured(value: (seconds() - start) * 1e3)
    }

    /// A save here until a watcher there is notified, beside twice the same on one daemon.
    private static func live(_ context: Context, _ here: DaemonProcess) throws(Failure) -> [Figure] {
        let there = try context.daemon(in: try context.scratch())
        let user = try UserFiles(context)
        try user.finish(try user.add("unix:\(there.socket)", to: here, context))
        let sync = try user.sync(here, context)
        let saver = try here.client()
        let made = try saver.call(.createNote(json: SampleText.kilobyte.json(0)))
        let note = try made.required(Keys.id)
        var version = try made.required(Keys.version)
        let (near, far) = (try here.client(), try there.client())
        _ = try near.watch(.watchNotes(ids: [note]))
        _ = try far.watch(.watchNotes(ids: [note]))
        let twice = "twice a save to its notification on one daemon"
        var median = Figure("save here to notification there, p50", .milliseconds, beside: Yardstick(twice, reach: medianReach))
        var slowest = Figure("save here to notification there, p99", .milliseconds, beside: Yardstick(twice, reach: slowestReach))
        var number = 0
        for _ in 0..<context.rounds {
            var (across, alone) = (Samples(), Samples())
            for _ in 0..<saves {
                // A save of the same text would not be told.
                number += 1
                let start = seconds()
                try saver.send(.saveNote(note, base: version, json: SampleText.kilobyte.json(number)))
                let told = try near.changedVersion()
                alone.add(2 * (seconds() - start))
                while try far.changedVersion() != told {}
                across.add(seconds() - start)
                version = try saver.nextAnswer().required(Keys.version)
            }
            median.addRound(across.median * 1e3, yardstick: alone.median * 1e3)
            slowest.addRound(across.quantile(0.99) * 1e3, yardstick: alone.quantile(0.99) * 1e3)
        }
        _ = sync.end()
        try there.stop()
        return [median, slowest]
    }
}
