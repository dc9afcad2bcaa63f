/// Predicts the versions of writes while nobody else writes: each write takes the next dot of this
/// run of the daemon. This allows many dependent writes in flight. Each response is checked against
/// the prediction.
struct Foretold {
    private let replica: String
    private let counter: Int

    /// - Parameter version: The newest version that the daemon created, of any note.
    init(after version: String) throws(Failure) {
        let parts = version.split(separator: ":").map(String.init)
        guard parts.count == 2, let counter = Int(parts[1]) else { throw Failure("\(version) is not a dot") }
        replica = parts[0]
        self.counter = counter
    }

    /// The version after so many writes.
    func version(after writes: Int) -> String {
        "\(replica):\(counter + writes)"
    }

    func check(_ answer: Response, isWrite number: Int) throws(Failure) {
        let version = try answer.result().required(Keys.version)
        guard version == self.version(after: number) else { throw Failure("write \(number) created \(version)") }
    }
}
