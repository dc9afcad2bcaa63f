import Foundation
import Synchronization

/// The datagrams received on a socket, read at once: the number that a socket queues is a setting
/// of the machine (`net.unix.max_dgram_qlen`, 10 by default), and a sender to a full queue blocks.
final class Mailbox: Sendable {
    private let socket: Int32
    private let words = Mutex<[String]>([])
    private let came = DispatchSemaphore(value: 0)

    /// - Parameter socket: a bound socket; the mailbox closes it.
    init(_ socket: Int32) {
        self.socket = socket
        Thread.detachNewThread { [weak self] in
            var wait = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            // Ends when the mailbox is released; nothing else waits for it.
            while poll(&wait, 1, 100) >= 0, let self { self.take() }
            close(socket)
        }
    }

    private func take() {
        words.withLock { words in
            var bytes = [UInt8](repeating: 0, count: 1 << 16)
            while true {
                let count = recv(socket, &bytes, bytes.count, Int32(MSG_DONTWAIT))
                guard count >= 0 else { return }
                words.append(String(decoding: bytes.prefix(count), as: UTF8.self))
                came.signal()
            }
        }
    }

    var isEmpty: Bool {
        take()
        return words.withLock(\.isEmpty)
    }

    /// Waits for the oldest unread datagram.
    func next(_ what: String) throws -> String {
        guard came.wait(timeout: .now() + .seconds(Patience.seconds)) == .success else {
            throw TimedOut(what: what, seconds: Patience.seconds)
        }
        return words.withLock { $0.removeFirst() }
    }
}
