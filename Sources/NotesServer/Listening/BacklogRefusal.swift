import Glibc
import NotesWire

/// Answers the clients that wait in an inherited socket if the daemon cannot start until somebody
/// corrects its configuration.
///
/// Without an answer, the clients would stay in the backlog, and the service manager would start the
/// daemon again as soon as it has ended, without a pause.
package struct BacklogRefusal {
    private let descriptor: CInt
    private let line: [UInt8]

    /// - Parameters:
    ///   - descriptor: The listening socket, which must be non-blocking. It stays open.
    ///   - message: Reason and remedy, without contents of the configuration: everybody who may
    ///     connect receives it.
    package init(descriptor: CInt, message: String) {
        self.descriptor = descriptor
        line = WireError(.shuttingDown, message).line(id: nil)
    }

    /// How long clients are refused. The socket can start the daemon at most once in this time,
    /// which keeps it below the limit of systemd (`TriggerLimitBurst=`, 20 starts in 2 s).
    package static let seconds = 1
    /// The most reads of what one client has sent.
    private static let readsMax = 16

    /// Accepts, answers and closes each connection until the time is over.
    package func run(seconds: Int = Self.seconds) {
        let end = Self.milliseconds() + seconds * 1_000
        while true {
            let remaining = end - Self.milliseconds()
            guard remaining > 0 else { return }
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let ready = poll(&waiting, 1, CInt(clamping: remaining))
            guard ready > 0 || (ready < 0 && errno == EINTR) else { return }
            if ready > 0 { refuseNext() }
        }
    }

    private func refuseNext() {
        let client = accept(descriptor, nil, nil)
        guard client >= 0 else { return }
        defer { close(client) }
        _ = line.withUnsafeBytes { send(client, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT)) }
        // A socket that is closed with unread bytes reports an error to the client, which might then
        // not read the answer. A client that keeps sending does not prolong this.
        var unread = [UInt8](repeating: 0, count: WireProtocol.helloLineBytesMax)
        for _ in 0..<Self.readsMax {
            let count = unread.withUnsafeMutableBytes { recv(client, $0.baseAddress, $0.count, CInt(MSG_DONTWAIT)) }
            guard count > 0 else { return }
        }
    }

    private static func milliseconds() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1_000 + time.tv_nsec / 1_000_000
    }
}
