/// What people would reach for instead of the daemon: who it is, and how it is set up here.
struct Peer: Encodable {
    let name: String
    /// Nil where this machine lacks it.
    let version: String?
    /// One sentence.
    let setup: String
    /// The packages of Debian that it comes in.
    let packages: String

    /// Why nothing can stand beside it; nil where this machine has it.
    var lack: String? {
        version == nil ? "not installed (Debian: \(packages))" : nil
    }

    /// For people.
    var line: String {
        lack.map { "\(name): left out, \($0)" } ?? "\(name) \(version ?? ""): \(setup)"
    }

    /// - Parameter what: what it does.
    func yardstick(_ what: String, reach: Double?) -> Yardstick {
        Yardstick("\(name), \(what)", reach: reach, lack: lack)
    }
}
