/// The rate at which notes are created, measured while filling the large store.
enum Creating {
    static func measure(_ context: Context, _ store: inout FilledStore) throws(Failure) -> [Figure] {
        let disk = try DiskYardstick(in: store.scratch)
        let daemon = try context.daemon(in: store.scratch)
        let client = try daemon.client()
        let (inFlight, text) = (FilledStore.inFlight, FilledStore.text.bytes)
        var figure = Figure(
            "notes of \(text) bytes created, \(inFlight) requests in flight", .perSecond,
            yardstick: "write + fdatasync of \(inFlight) × \(text) bytes, times \(inFlight)")
        let bytes = [UInt8](repeating: 0x2e, count: inFlight * text)
        for round in 0..<context.rounds {
            let syncs = try disk.perSecond(bytes, for: context.roundSeconds / 4)
            let count = (round + 1) * context.notes / context.rounds - store.count
            let rate = try Measured(of: daemon.pid) { () throws(Failure) in
                let start = seconds()
                try store.create(count, on: client)
                return Double(count) / (seconds() - start)
            }
            figure.addRound(rate, beside: Measured(value: syncs * Double(inFlight)))
        }
        var room = Figure("store on disk, per note", .bytes, yardstick: "the text of a note")
        room.addRound(Double(try daemon.stop()) / Double(store.count), yardstick: Double(text))
        return [figure, room]
    }
}
