package import NotesClient
package import PageDevices

/// Where the page listens, and how it reaches the daemon.
package struct PageConfiguration: Sendable {
    package enum Place: Hashable, Sendable {
        /// An address of this machine; port 0 is for one that the system chooses.
        case port(host: String, Int)
        /// A Unix socket, mode 0600.
        case socket(path: String)
    }

    package let place: Place
    /// Names of the page besides those of this machine.
    package let hosts: [String]
    /// Whether a proxy in front of the page speaks TLS.
    package let isBehindProxy: Bool
    package let devices: DeviceFile
    /// The options of a connection to the daemon, without label and limits.
    package let daemon: @Sendable () throws -> ClientOptions

    package init(
        _ place: Place, hosts: [String], isBehindProxy: Bool, devices: DeviceFile,
        daemon: @escaping @Sendable () throws -> ClientOptions
    ) {
        (self.place, self.hosts, self.isBehindProxy) = (place, hosts, isBehindProxy)
        (self.devices, self.daemon) = (devices, daemon)
    }
}
