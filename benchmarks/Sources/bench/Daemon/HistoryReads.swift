/// Clients that together keep a number of reads in flight: of random old versions of a note, or of its
/// newest version as edits from the first one. The daemon gives up the reads of a client that goes away, as these do with the last reference.
final class HistoryReads {
    /// The versions that are read.
    enum Versions {
        case old
        case newestFromFirst
    }

    /// Number of reads in flight.
    static let inFlight = 200
    private static let clientsCount = 8

    private let shape: HistoryShape
    private let versions: Versions
    private var clients: [Client] = []
    private let poller: Poller
    private var random: SeededRandom
    /// Number of responses so far.
    private(set) var answered = 0

    init(_ versions: Versions, of shape: HistoryShape, on daemon: DaemonProcess, seed: UInt64) throws(Failure) {
        self.shape = shape
        self.versions = versions
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
        switch versions {
        case .old: try client.send(.getNote(shape.note, at: shape.versions[random.below(shape.versions.count)]))
        case .newestFromFirst: try client.send(.getNote(shape.note, from: shape.versions[0]))
        }
    }
}
