import Console
package import Replication

/// The address of another store.
package enum PeerAddress: Hashable {
    /// `notesctl bridge` on another machine, over ssh. `host` may contain a user: `ada@server`.
    case ssh(host: String, port: Int?, socket: String?)
    /// The socket of another daemon on this machine.
    case unix(String)
    /// A command for `/bin/sh` that connects its standard input and output with a daemon.
    case exec(String)
    /// A space in a PostgreSQL database, which `notesd-postgres` connects to.
    case hub(HubAddress)

    /// Parses an address: `unix:PATH`, `exec:COMMAND`, `ssh://[USER@]HOST[:PORT][/PATH]`, `[USER@]HOST`
    /// or `postgres://[USER@]HOST/DATABASE?space=NAME`.
    ///
    /// - Throws: `ExitFailure` with the code `usage`.
    package init(_ text: String) throws {
        if HubAddress.isHub(text) {
            self = .hub(try Self.hub(text))
            return
        }
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
            guard !text.contains("://") else { throw Self.wrong(text, "only ssh:// and postgres:// are known") }
            self = .ssh(host: try Self.host(text[...], of: text), port: nil, socket: nil)
        }
    }

    /// The address of a hub. Its file would store a password, and `ps` would show it.
    private static func hub(_ text: String) throws -> HubAddress {
        let address: HubAddress
        do throws(HubAddress.Fault) { address = try HubAddress(text) } catch { throw wrong(text, error.text) }
        if address.hasPassword {
            throw ExitFailure(
                "the address must not contain a password, since it is stored; put the password into ~/.pgpass, mode 0600", .usage)
        }
        guard address.space != nil else { throw wrong(text, "it names no space; add ?space=NAME") }
        return address
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
                + "unix:/PATH, exec:COMMAND or postgres://[USER@]HOST/DATABASE?space=NAME", .usage)
    }

    /// The program and its arguments whose standard input and output is the connection; nil for a
    /// socket of this machine.
    ///
    /// - Parameter isInteractive: whether ssh may ask the user, for example about the host's key.
    func command(isInteractive: Bool) -> [String]? {
        switch self {
        case .unix: return nil
        case .exec(let command): return ["/bin/sh", "-c", command]
        case .hub(let address): return ["notesd-postgres", "serve", address.text]
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
    package var description: String {
        switch self {
        case .unix(let path): "unix:\(path)"
        case .exec(let command): "exec:\(command)"
        case .hub(let address): address.text
        case .ssh(let host, nil, nil): host
        case .ssh(let host, let port, let socket): "ssh://\(host)\(port.map { ":\($0)" } ?? "")\(socket ?? "")"
        }
    }
}
