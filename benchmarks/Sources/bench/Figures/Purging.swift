import Foundation

/// The purge of a note in a large store, while other clients read and write.
enum Purging {
    private static let textBytes = 100_000
    /// Writes of the purged note. Each one replaces a line of it.
    private static let revisions = 1_000
    /// The longest time in milliseconds that a request of another client may wait for the daemon.
    private static let bound = 50.0

    static func measure(_ context: Context) throws(Failure) -> [Figure] {
        let scratch = try context.scratch()
        let daemon = try context.daemon(in: scratch)
        let (client, judge) = (try daemon.client(), try daemon.client())
        let notes = context.purged * 1_000_000 / textBytes
        try fill(notes, client)
        let name = "while a note of \(revisions.formatted()) revisions is purged, store of \(context.purged) MB"
        var saves = Figure(
            "longest save of another client \(name)", .milliseconds, beside: Yardstick("the same without a purge"),
            Yardstick("\(Int(bound)) ms", reach: 1))
        var reads = Figure(
            "longest read of another client \(name)", .milliseconds, beside: Yardstick("the same without a purge"),
            Yardstick("\(Int(bound)) ms", reach: 1))
        var whole = Figure(
            "purge of a note until no file has its past, store of \(context.purged) MB", .milliseconds,
            beside: Yardstick("grep for a word in the files of the store"))
        var own = try OwnNote(client)
        for round in 0..<context.rounds {
            let secret = "secret-of-round-\(round)"
            let victim = try written(with: secret, client)
            try awaitScrub(judge)
            let start = seconds()
            try judge.send(.purgeNote(victim.id, base: victim.version))
            var isAnswered = false
            let during = try own.work { () throws(Failure) in
                if !isAnswered {
                    guard let answer = try judge.nextIfThere() else { return true }
                    _ = try answer.result()
                    isAnswered = true
                }
                return try !judge.call(.status).isScrubbed
            }
            let time = seconds() - start
            let end = seconds() + time
            let alone = try own.work { () throws(Failure) in
                _ = try judge.call(.status)
                return seconds() < end
            }
            saves.addRound(
                Measured(value: during.save), beside: Measured(value: alone.save), Measured(value: bound))
            reads.addRound(
                Measured(value: during.read), beside: Measured(value: alone.read), Measured(value: bound))
            let searched = seconds()
            let found = try Child(["/bin/grep", "-rqF", secret, daemon.data]).wait()
            guard found == 1 else { throw Failure("a purged text is still in \(daemon.data)") }
            whole.addRound(Measured(value: time * 1e3), beside: Measured(value: (seconds() - searched) * 1e3))
        }
        try daemon.stop()
        return [saves, reads, whole]
    }

    /// A note that the other client reads and saves.
    private struct OwnNote {
        let client: Client
        let id: String
        var version: String

        init(_ client: Client) throws(Failure) {
            self.client = client
            let made = try client.call(.createNote(json: SampleText.kilobyte.json(0)))
            id = try made.required(Keys.id)
            version = try made.required(Keys.version)
        }

        /// Saves and reads the note in turns until `goesOn` returns false.
        ///
        /// - Returns: the longest save and the longest read, in milliseconds.
        mutating func work(while goesOn: () throws(Failure) -> Bool) throws(Failure) -> (save: Double, read: Double) {
            var (save, read, number) = (0.0, 0.0, 0)
            repeat {
                number += 1
                let start = seconds()
                version = try client.call(.saveNote(id, base: version, json: SampleText.kilobyte.json(number))).required(
                    Keys.version)
                let saved = seconds()
                _ = try client.call(.getNote(id))
                (save, read) = (max(save, saved - start), max(read, seconds() - saved))
            } while try goesOn()
            return (save * 1e3, read * 1e3)
        }
    }

    /// Creates notes that no program can compress well, with a few of them in flight.
    private static func fill(_ count: Int, _ client: Client) throws(Failure) {
        let most = 8
        var texts = SearchedTexts(count: count)
        for start in stride(from: 0, to: count, by: most) {
            let range = start..<min(start + most, count)
            try client.send(range.map { .createNote(json: texts.next($0, bytes: textBytes), name: "bench/\($0 / 1_000)/\($0)") })
            for _ in range { _ = try client.next().result() }
        }
    }

    /// Creates a note whose past, but not whose newest version, contains a text.
    private static func written(with secret: String, _ client: Client) throws(Failure) -> (id: String, version: String) {
        let made = try client.call(.createNote(json: SampleText.kilobyte.json(1)))
        let id = try made.required(Keys.id)
        var version = try made.required(Keys.version)
        var length = 0
        for number in 1...revisions {
            let text = number == revisions ? "" : "\(secret), \(number)\n"
            let edit = #"{"start":0,"end":\#(length),"text":\#(Request.json(text))}"#
            version = try client.call(.editNote(id, base: version, edits: edit)).required(Keys.version)
            length = text.utf8.count
        }
        return (id, version)
    }

    /// Waits until the index is complete and no purge is left to scrub.
    private static func awaitScrub(_ client: Client) throws(Failure) {
        let limit = seconds() + 3_600
        while seconds() < limit {
            try client.send(.search("common"))
            let isIndexed = try client.next().has(Keys.result)
            if isIndexed, try client.call(.status).isScrubbed { return }
            pause(seconds: 0.05)
        }
        throw Failure("the index is incomplete after an hour")
    }
}

extension Response {
    /// Whether a status says nothing of a purge that is not scrubbed.
    fileprivate var isScrubbed: Bool { !has(Key("scrubbed")) }
}
