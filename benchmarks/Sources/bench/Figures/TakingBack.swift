/// The undo of everything that an author wrote in many notes, while another client saves.
enum TakingBack {
    private static let notes = 200
    private static let writesEach = 5

    static func measure(_ context: Context) throws(Failure) -> [Figure] {
        let scratch = try context.scratch()
        let daemon = try context.daemon(in: scratch)
        var whole = Figure(
            "undo of \(notes * writesEach) writes of an author in \(notes) notes", .milliseconds,
            beside: Yardstick("\(notes) durable saves, one at a time"), Yardstick("a second", reach: 1))
        var slowest = Figure(
            "slowest save of another client meanwhile", .milliseconds, beside: Yardstick("the interval of fairness", reach: 1))
        for round in 0..<context.rounds {
            let person = try daemon.client()
            let label = "bench/agent \(round)"
            try write(by: person, and: try daemon.client(label: label))
            let own = try person.call(.createNote(json: #""mine\n""#))
            let note = try own.required(Keys.id)
            var version = try own.required(Keys.version)
            let undo = [context.control, "op", "undo", "--socket", daemon.socket, "--by", label]
            let start = seconds()
            let child = try Child(undo, environment: ["XDG_STATE_HOME=\(scratch.path)/state"], output: "/dev/null")
            var longest = 0.0
            while !child.hasEnded { longest = max(longest, try save(note, &version, by: person)) }
            let time = seconds() - start
            guard child.wait() == 0 else { throw Failure("op undo ended with \(child.wait())") }
            let saves = seconds()
            for _ in 0..<notes { _ = try save(note, &version, by: person) }
            let alone = seconds() - saves
            whole.addRound(Measured(value: time * 1e3), beside: Measured(value: alone * 1e3), Measured(value: 1_000))
            slowest.addRound(Measured(value: longest * 1e3), beside: Measured(value: 50))
        }
        try daemon.stop()
        return [whole, slowest]
    }

    /// Creates the notes and lets the author write in them.
    private static func write(by person: Client, and author: Client) throws(Failure) {
        for _ in 0..<notes {
            let made = try person.call(.createNote(json: #""a line\nand another\n""#))
            let note = try made.required(Keys.id)
            var version = try made.required(Keys.version)
            for number in 0..<writesEach {
                let edit = #"{"start":0,"end":0,"text":"line \#(number)\n"}"#
                version = try author.call(.editNote(note, base: version, edits: edit)).result().required(Keys.version)
            }
        }
    }

    /// Makes one save.
    ///
    /// - Returns: its time in seconds.
    private static func save(_ note: String, _ version: inout String, by client: Client) throws(Failure) -> Double {
        let start = seconds()
        let answer = try client.call(.saveNote(note, base: version, json: #""saved at \#(start)\n""#))
        version = try answer.result().required(Keys.version)
        return seconds() - start
    }
}
