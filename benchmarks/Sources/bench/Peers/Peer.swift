/// An alternative to the daemon, and its setup in these measurements.
struct Peer: Encodable {
    let name: String
    /// Nil if it is not installed.
    let version: String?
    /// Description of the setup, in one sentence.
    let setup: String
    /// The Debian packages that contain it.
    let packages: String

    /// Reason why it is missing; nil if it is installed.
    var lack: String? {
        version == nil ? "not installed (Debian: \(packages))" : nil
    }

    /// Its line in the output.
    var line: String {
        lack.map { "\(name): skipped, \($0)" } ?? "\(name) \(version ?? ""): \(setup)"
    }

    /// - Parameter what: The work that it does.
    func yardstick(_ what: String, reach: Double? = nil) -> Yardstick {
        Yardstick("\(name), \(what)", reach: reach, lack: lack)
    }
}
