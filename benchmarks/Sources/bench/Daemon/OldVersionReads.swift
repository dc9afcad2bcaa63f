/// Clients that together keep a number of reads of random old versions of a note in flight. The
/// daemon gives up the reads of a client that goes away, as these do with the last reference.
final class OldVersionReads {
    /// Number of reads in flight.
    static let inFlight = 200
    private static let clientsCount = 8

    private let shape: HistoryShape
    private var clients: [Client] = []
    private let poller: Poller
    private var random: SeededRandom
    /// Number of responses so far.
    private(set) var answered = 0

    init(of shape: HistoryShape, on daemon: DaemonProcess, seed: UInt64) throws(Failure) {
        self.shape = shape
        random = SeededRandom(seed: seed)
        poller = try Poller()
        for index in 0..<Self.clientsCount {
            let client = try daemon.client()
            clients.append(client)
            try poller.add(client.descriptor, as: index)
            for _ in 0..<(Self.inFlight / Self.clientsCount) { try read(client) }
        }
    }

    /// Takes the responses that have arrived, and sends another read for each.
    func proceed() throws(Failure) {
        for index in try poller.wait(milliseconds: 0) {
            while let answer = try clients[index].nextIfThere() {
                _ = try answer.result()
                answered += 1
                try read(clients[index])
            }
        }
    }

    private func read(_ client: Client) throws(Failure) {
        try client.send(.getNote(shape.note, at: shape.versions[random.below(shape.versions.count)]))
    }
}
