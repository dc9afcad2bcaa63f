package import ArgumentParser
package import Console

/// Where the page listens, as the user says it.
package struct PageOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Listen on ADDRESS:PORT, or on the Unix socket unix:PATH. Default: 127.0.0.1, on the port of last time or a free one.",
            valueName: "address"))
    package var listen: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "A name of the page, with its port unless it is 80 or 443; may be repeated. Needed unless it listens on this machine.",
            valueName: "name"))
    package var host: [String] = []

    @Flag(name: .long, help: "A proxy in front of the page speaks TLS.")
    package var behindProxy = false

    package init() {}

    /// The place of `--listen`.
    package enum Place: Hashable, Sendable {
        case port(host: String, Int)
        case socket(path: String)
    }

    /// - Returns: nil if the option is not there.
    /// - Throws: `ExitFailure` if it names no place, or others reach the place and it has no name.
    package func place() throws(ExitFailure) -> Place? {
        guard let listen else { return nil }
        if listen.hasPrefix("unix:") {
            guard !host.isEmpty else { throw nameMissing }
            return .socket(path: String(listen.dropFirst(5)))
        }
        guard let colon = listen.lastIndex(of: ":"), let port = UInt16(listen[listen.index(after: colon)...]) else {
            throw ExitFailure(
                "--listen \(SafeText.line(listen)) is not ADDRESS:PORT, such as 127.0.0.1:7683, or unix:PATH", .usage)
        }
        var address = String(listen[..<colon])
        if address.hasPrefix("["), address.hasSuffix("]") { address = String(address.dropFirst().dropLast()) }
        guard ["127.0.0.1", "::1", "localhost"].contains(address) || !host.isEmpty else { throw nameMissing }
        return .port(host: address, Int(port))
    }

    private var nameMissing: ExitFailure {
        ExitFailure("give --host NAME, the name by which browsers reach the page; other names are refused", .usage)
    }

    /// The words that say the same.
    package var words: [String] {
        (listen.map { ["--listen", $0] } ?? []) + host.flatMap { ["--host", $0] } + (behindProxy ? ["--behind-proxy"] : [])
    }
}
