/// `notesctl show` from a shell: a process that starts, requests a note, prints it and ends.
enum ShowNote {
    /// Number of runs of each program in a round.
    private static let runs = 20

    static func measure(_ context: Context) throws(Failure) -> [Figure] {
        let daemon = try context.daemon(in: try context.scratch())
        let text = SampleText.kilobyte.json(1)
        let note = try daemon.client().call(.createNote(json: text)).required(Keys.id)
        let show = [context.control, "show", "--socket", daemon.socket, note]
        let redis = try context.redis.server(isDurable: false, context)
        try redis?.connection().set("note", to: Array(try Child.said(show).utf8))
        let get = redis.map { [$0.client, "-s", $0.socket, "GET", "note"] }
        if let get, try Child.said(get) != Child.said(show) + "\n" { throw Failure("the two programs print different notes") }
        var figure = Figure(
            "notesctl show, the whole process, p50", .milliseconds,
            beside: context.redis.peer.yardstick("redis-cli GET, the whole process, p50", reach: 2))
        for _ in 0..<context.rounds {
            var (ours, theirs) = (Samples(), Samples())
            for _ in 0..<runs {
                ours.add(try milliseconds(of: show))
                if let get { theirs.add(try milliseconds(of: get)) }
            }
            figure.addRound(Measured(value: ours.median), beside: get.map { _ in Measured(value: theirs.median) })
        }
        try daemon.stop()
        return [figure]
    }

    private static func milliseconds(of command: [String]) throws(Failure) -> Double {
        let start = seconds()
        let code = try Child(command).wait()
        guard code == 0 else { throw Failure("\(command[0]) ended with \(code)") }
        return (seconds() - start) * 1e3
    }
}
