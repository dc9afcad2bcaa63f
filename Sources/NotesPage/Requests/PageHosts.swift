/// The names by which browsers reach the page. Every request is compared with them: a page of somebody else
/// whose name leads to this address (DNS rebinding) has another.
package struct PageHosts: Hashable, Sendable {
    /// In lower case, with a port unless it is the scheme's own.
    let names: Set<String>
    /// Whether a proxy in front of the page speaks TLS.
    package let isBehindProxy: Bool
    /// The cookie's name. Ports share cookies, so it has the port.
    let cookieName: String

    /// The page on a port of this machine.
    ///
    /// - Parameter others: further names, with a port unless it is the scheme's own.
    package init(port: Int, others: [String] = [], isBehindProxy: Bool = false) {
        names = Set(["127.0.0.1:\(port)", "localhost:\(port)", "[::1]:\(port)"] + others.map { $0.lowercased() })
        self.isBehindProxy = isBehindProxy
        cookieName = isBehindProxy ? "__Host-notesd" : "notesd-\(port)"
    }

    /// The page on a Unix socket, behind a proxy.
    package init(others: [String], isBehindProxy: Bool) {
        names = Set(others.map { $0.lowercased() })
        self.isBehindProxy = isBehindProxy
        cookieName = isBehindProxy ? "__Host-notesd" : "notesd"
    }

    /// Whether a Host header names the page.
    func contains(_ host: String) -> Bool { names.contains(host.lowercased()) }

    /// Whether an Origin header is that of the page.
    func isOrigin(_ origin: String) -> Bool {
        let origin = origin.lowercased()
        let schemes = ["http://", "https://"]
        return schemes.contains { origin.hasPrefix($0) && names.contains(String(origin.dropFirst($0.count))) }
    }
}
