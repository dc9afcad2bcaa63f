/// The address of another store.
enum PeerAddress: Hashable {
    /// `notesctl bridge` on another machine, over ssh. `host` may contain a user: `ada@server`.
    case ssh(host: String, port: Int?, socket: String?)
    /// The socket of another daemon on this machine.
    case unix(String)
    /// A command for `/bin/sh` that connects its standard input and output with a daemon.
    case exec(String)

    /// Parses an address: `unix:PATH`, `exec:COMMAND`, `ssh://[USER@]HOST[:PORT][/PATH]` or `[USER@]HOST`.
    ///
    /// - Throws: `ExitFailure` with the code `usage`.
    init(_ text: String) throws {
        let isCommand = text.hasPrefix("exec:") || text.hasPrefix("unix:")
        if !isCommand, text.wholeMatch(of: /(ssh:\/\/)?[^@\/]*:[^@\/]*@.*/) != nil {
            throw Self.wrong(text, "it must not contain a password; use a key")
        }
        if text.hasPrefix("unix:") {
            let path = String(text.dropFirst(5))
            guard path.hasPrefix("/") else { throw Self.wrong(text, "the path of the socket must be absolute") }
            self = .unix(path)
        } else if text.hasPrefix("exec:") {
            let command = String(text.dropFirst(5))
            guard !command.isEmpty else { throw Self.wrong(text, "the command is missing") }
            self = .exec(command)
        } else if text.hasPrefix("ssh://") {
            self = try Self.ssh(text)
        } else {
            guard !text.contains("://") else { throw Self.wrong(text, "only ssh:// is known") }
            self = .ssh(host: try Self.host(text[...], of: text), port: nil, socket: nil)
        }
    }

    private static func ssh(_ text: String) throws -> PeerAddress {
        let rest = text.dropFirst("ssh://".count)
        let end = rest.firstIndex(of: "/") ?? rest.endIndex
        var host = rest[..<end]
        var port: Int?
        // A colon in brackets belongs to an IPv6 address.
        if let colon = host.lastIndex(of: ":"), !host[colon...].contains("]") {
            guard let number = Int(host[host.index(after: colon)...]), (1...65_535).contains(number) else {
                throw wrong(text, "the port must be a number from 1 to 65535")
            }
            port = number
            host = host[..<colon]
        }
        return .ssh(host: try self.host(host, of: text), port: port, socket: end == rest.endIndex ? nil : String(rest[end...]))
    }

    /// A host that ssh takes as one, not as an option, and the shell as one word.
    private static func host(_ host: Substring, of text: String) throws -> String {
        let name = host.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        guard !name.isEmpty, !host.hasPrefix("-"), !name.hasPrefix("-") else { throw wrong(text, "the host is missing") }
        guard host.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { throw wrong(text, "the host contains white space") }
        return String(host)
    }

    private static func wrong(_ text: String, _ reason: String) -> ExitFailure {
        ExitFailure(
            "\(SafeText.line(text)) is not the address of a store: \(reason); give [USER@]HOST, ssh://[USER@]HOST[:PORT], "
                + "unix:/PATH or exec:COMMAND", .usage)
    }

    /// The program and its arguments whose standard input and output is the connection; nil for a
    /// socket of this machine.
    ///
    /// - Parameter isInteractive: whether ssh may ask the user, for example about the host's key.
    func command(isInteractive: Bool) -> [String]? {
        switch self {
        case .unix: return nil
        case .exec(let command): return ["/bin/sh", "-c", command]
        case .ssh(let host, let port, let socket):
            let batch = isInteractive ? [] : ["-oBatchMode=yes"]
            let port = port.map { ["-p", "\($0)"] } ?? []
            // The shared connections of a user's ssh configuration would end with the first session.
            return ["ssh", "-T", "-a", "-x", "-oControlPath=none", "-oPermitLocalCommand=no", "-oCompression=yes"]
                + batch + [
                    "-oConnectTimeout=15", "-oServerAliveInterval=30", "-oServerAliveCountMax=2", "-oIPQoS=none",
                    "-oClearAllForwardings=yes",
                ] + port + ["--", host, "notesctl", "bridge"] + (socket.map { ["--socket", Shell.quoted($0)] } ?? [])
        }
    }
}

extension PeerAddress: CustomStringConvertible {
    /// The form that `init(_:)` parses.
    var description: String {
        switch self {
        case .unix(let path): "unix:\(path)"
        case .exec(let command): "exec:\(command)"
        case .ssh(let host, nil, nil): host
        case .ssh(let host, let port, let socket): "ssh://\(host)\(port.map { ":\($0)" } ?? "")\(socket ?? "")"
        }
    }
}
