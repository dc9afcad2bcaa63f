/// Waiting times of small requests, in seconds, and the other client's work meanwhile.
struct WaitTimes {
    var gets = Samples()
    var saves = Samples()
    /// Number of steps that the other client completed.
    var work = 0

    mutating func add(_ more: WaitTimes) {
        gets.add(more.gets)
        saves.add(more.saves)
        work += more.work
    }
}

/// A client that reads and saves a note of 1 kB in turns, one request at a time.
final class SmallRequests {
    private let client: Client
    private let note: String
    private var version: String
    private var number = 0

    init(of daemon: DaemonProcess) throws(Failure) {
        client = try daemon.client()
        let made = try client.call(.createNote(json: SampleText.kilobyte.json(0)))
        note = try made.required(Keys.id)
        version = try made.required(Keys.version)
    }

    /// Asks for `time` seconds.
    ///
    /// - Parameter between: Runs after each read and save, and counts in no time.
    func ask(
        for time: Double, into times: inout WaitTimes, between: () throws(Failure) -> Void = {}
    ) throws(Failure) {
        let end = seconds() + time
        repeat {
            number += 1
            let start = seconds()
            _ = try client.call(.getNote(note))
            let middle = seconds()
            version = try client.call(.saveNote(note, base: version, json: SampleText.kilobyte.json(number)))
                .required(Keys.version)
            times.gets.add(middle - start)
            times.saves.add(seconds() - middle)
            try between()
        } while seconds() < end
    }
}
