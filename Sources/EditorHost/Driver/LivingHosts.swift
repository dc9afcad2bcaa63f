import NoteText
import Synchronization

/// The hosts of a program that serves many editors, by the label and the writer of each.
///
/// When the connection of an editor is cut, its host still writes what it got. An editor that comes back goes on from what
/// the daemon has, so its new host waits for the former ones: otherwise both would write the same text.
package final class LivingHosts: Sendable {
    private struct Living {
        let inbox: HostInbox
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let hosts = Mutex<[String: [Living]]>([:])

    package init() {}

    private static func key(_ label: ByteString?, _ writer: String) -> String { "\(label.map { "\($0)" } ?? "")/\(writer)" }

    func began(_ label: ByteString?, _ writer: String, _ inbox: HostInbox) {
        hosts.withLock { $0[Self.key(label, writer), default: []].append(Living(inbox: inbox)) }
    }

    func ended(_ label: ByteString?, _ writer: String, _ inbox: HostInbox) {
        let key = Self.key(label, writer)
        let waiting = hosts.withLock { hosts -> [CheckedContinuation<Void, Never>] in
            let ended = hosts[key, default: []].filter { $0.inbox === inbox }
            hosts[key]?.removeAll { $0.inbox === inbox }
            if hosts[key]?.isEmpty ?? false { hosts[key] = nil }
            return ended.flatMap(\.waiting)
        }
        for one in waiting { one.resume() }
    }

    /// Ends the former hosts of a writer with this label, and waits until what they got is saved, or cannot be.
    ///
    /// - Parameter own: the inbox of the host that waits. Hosts that began after it are not former ones.
    func endFormer(_ label: ByteString?, _ writer: String, own: HostInbox) async {
        let key = Self.key(label, writer)
        let former = hosts.withLock { ($0[key] ?? []).map(\.inbox).prefix { $0 !== own } }
        for inbox in former {
            inbox.putEnd()
            await withCheckedContinuation { continuation in
                let isLiving = hosts.withLock { hosts in
                    guard let index = hosts[key]?.firstIndex(where: { $0.inbox === inbox }) else { return false }
                    hosts[key]?[index].waiting.append(continuation)
                    return true
                }
                if !isLiving { continuation.resume() }
            }
        }
    }
}
