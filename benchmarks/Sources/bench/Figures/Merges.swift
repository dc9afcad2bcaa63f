import Foundation

/// Three-way merges: a note is created from the base and one side is saved on it; the timed request
/// saves the other side on the base, and its response contains the merged text.
struct Merges {
    private let git: Git
    private let cases: [MergeCase]
    private let source: String
    private static let seed: UInt64 = 1
    private static let seeded = 200

    init(_ context: Context, git: Git) throws(Failure) {
        self.git = git
        if let path = context.merges {
            cases = try MergeCase.all(in: path)
            source = URL(fileURLWithPath: path).lastPathComponent
        } else {
            cases = MergeCase.seeded(Self.seeded, seed: Self.seed)
            source = "seed \(Self.seed)"
        }
    }

    /// The outcome of each merge.
    func table(_ context: Context) throws(Failure) -> MergeTable {
        let scratch = try context.scratch()
        let daemon = try context.daemon(in: scratch)
        let client = try daemon.client()
        var table = MergeTable(source: source)
        for merge in cases {
            let first = try MergedNote(base: merge.base, merge.ours, merge.theirs, on: client)
            let second = try MergedNote(base: merge.base, merge.theirs, merge.ours, on: client)
            table.add(merge, git: try git.merge(merge, in: scratch), first, second)
        }
        try daemon.stop()
        return table
    }

    func measure(_ context: Context) throws(Failure) -> [Figure] {
        let scratch = try context.scratch()
        let daemon = try context.daemon(in: scratch)
        let client = try daemon.client()
        var files: [Git.Files] = []
        for (number, merge) in cases.enumerated() {
            if let some = try Git.Files(merge, in: scratch, number: number) { files.append(some) }
        }
        let yardstick = "git merge-file of the same files, a process each, output discarded"
        var figures = [1, Self.inFlight].map { inFlight in
            Figure("merges of \(source), \(inFlight) at a time", .perSecond, yardstick: yardstick)
        }
        for _ in 0..<context.rounds {
            let start = seconds()
            for some in files { try git.run(some) }
            let gits = Double(files.count) / (seconds() - start)
            for (index, inFlight) in [1, Self.inFlight].enumerated() {
                let saves = try prepare(on: client)
                let meter = try CoreMeter(of: daemon.pid)
                let start = seconds()
                try send(saves, on: client, inFlight: inFlight)
                let rate = Double(saves.count) / (seconds() - start)
                figures[index].addRound(rate, yardstick: gits, cores: try meter.read())
            }
        }
        try daemon.stop()
        let bytes = (cases.reduce(0) { $0 + $1.base.utf8.count } / cases.count).formatted()
        figures[0].remarks = ["\(files.count) merges a round, of bases of \(bytes) bytes on average"]
        return figures
    }

    /// Small enough that the merged texts stay well below the daemon's limit for unread output.
    private static let inFlight = 32

    /// Creates the notes and saves one side of each. Returns the requests that save the other side.
    private func prepare(on client: Client) throws(Failure) -> [Request] {
        var saves: [Request] = []
        for merge in cases where merge.ours != nil && merge.theirs != nil {
            let made = try client.call(.createNote(json: Request.json(merge.base)))
            let (note, version) = (try made.required(Keys.id), try made.required(Keys.version))
            _ = try client.call(.write(merge.ours, on: version, of: note))
            saves.append(.write(merge.theirs, on: version, of: note))
        }
        return saves
    }

    private func send(_ requests: [Request], on client: Client, inFlight: Int) throws(Failure) {
        for start in stride(from: 0, to: requests.count, by: inFlight) {
            let some = requests[start..<min(start + inFlight, requests.count)]
            try client.send(Array(some))
            for _ in some { _ = try client.next().result() }
        }
    }
}
