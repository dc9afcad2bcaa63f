/// The versions that writes will make as long as nobody else writes: each takes the next dot of this run of the daemon. So many
/// writes can be on their way at once. That they come so is checked with each answer.
struct Foretold {
    private let replica: String
    private let counter: Int

    /// - Parameter version: the newest that the daemon made, for whatever note.
    init(after version: String) throws(Failure) {
        let parts = version.split(separator: ":").map(String.init)
        guard parts.count == 2, let counter = Int(parts[1]) else { throw Failure("\(version) is not a dot") }
        replica = parts[0]
        self.counter = counter
    }

    /// What there is after so many writes.
    func version(after writes: Int) -> String {
        "\(replica):\(counter + writes)"
    }

    func check(_ answer: Response, isWrite number: Int) throws(Failure) {
        let version = try answer.result().required(Keys.version)
        guard version == self.version(after: number) else { throw Failure("write \(number) made \(version)") }
    }
}
