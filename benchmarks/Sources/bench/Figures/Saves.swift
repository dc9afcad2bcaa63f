/// Durable saves a second: each connection saves its own note on the note's newest version, and waits for the answer.
enum Saves {
    static func measure(_ context: Context) throws(Failure) -> [Figure] {
        let scratch = try context.scratch()
        let disk = try DiskYardstick(in: scratch)
        let daemon = try context.daemon(in: scratch)
        var figures: [Figure] = []
        for connections in [1, 16, 64] {
            var figure = Figure(
                connections == 1 ? "durable saves, 1 connection" : "durable saves, \(connections) connections", .perSecond,
                yardstick: connections == 1
                    ? "write + fdatasync of 1 kB" : "write + fdatasync of \(connections) × 1 kB, times \(connections)")
            let savers = try Savers(connections, of: daemon)
            let bytes = [UInt8](repeating: 0x2e, count: connections * SampleText.bytes)
            _ = try savers.perSecond(for: context.roundSeconds / 4)
            for _ in 0..<context.rounds {
                let syncs = try disk.perSecond(bytes, for: context.roundSeconds / 2)
                let meter = try CoreMeter(daemon: daemon.pid)
                let saves = try savers.perSecond(for: context.roundSeconds)
                figure.addRound(saves, yardstick: syncs * Double(connections), cores: try meter.read())
            }
            figures.append(figure)
        }
        try daemon.stop()
        return figures
    }
}

/// Connections that each have a note, and save it over and over.
private final class Savers {
    private struct Saver {
        let client: Client
        let note: String
        var version: String
        var number: Int
    }

    private var savers: [Saver] = []
    private let poller: Poller

    init(_ count: Int, of daemon: DaemonProcess) throws(Failure) {
        poller = try Poller()
        for index in 0..<count {
            let client = try daemon.client()
            let made = try client.call(.createNote(json: SampleText.json(0)))
            savers.append(
                Saver(client: client, note: try made.required(Keys.id), version: try made.required(Keys.version), number: index))
            try poller.add(client.descriptor, as: index)
        }
    }

    /// Each goes on until the time is over, and its last save is answered.
    func perSecond(for time: Double) throws(Failure) -> Double {
        let start = seconds()
        for index in savers.indices { try save(index) }
        var (waiting, answered) = (savers.count, 0)
        while waiting > 0 {
            for index in try poller.wait(milliseconds: 1_000) {
                guard let answer = try savers[index].client.nextIfThere() else { continue }
                savers[index].version = try answer.result().required(Keys.version)
                answered += 1
                if seconds() - start < time { try save(index) } else { waiting -= 1 }
            }
        }
        return Double(answered) / (seconds() - start)
    }

    private func save(_ index: Int) throws(Failure) {
        savers[index].number += savers.count
        let saver = savers[index]
        try saver.client.send(.saveNote(saver.note, base: saver.version, json: SampleText.json(saver.number)))
    }
}
