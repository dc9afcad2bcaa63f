import CLinux
import Glibc

/// Waits for many descriptors to become readable, at a cost that does not grow with their number.
final class Poller {
    private let epoll: Descriptor
    private var events = [epoll_event](repeating: epoll_event(), count: 1_024)

    init() throws(Failure) {
        epoll = try Descriptor(epoll_create1(Int32(EPOLL_CLOEXEC)), from: "epoll_create1")
    }

    func add(_ descriptor: Descriptor, as token: Int) throws(Failure) {
        var event = epoll_event()
        event.events = EPOLLIN.rawValue
        event.data.u64 = UInt64(token)
        guard epoll_ctl(epoll.number, EPOLL_CTL_ADD, descriptor.number, &event) == 0 else { throw Failure(call: "epoll_ctl") }
    }

    /// The tokens of the readable descriptors; none after a timeout.
    func wait(milliseconds: Int) throws(Failure) -> [Int] {
        let count = epoll_wait(epoll.number, &events, Int32(events.count), Int32(milliseconds))
        if count < 0 {
            guard errno == EINTR else { throw Failure(call: "epoll_wait") }
            return []
        }
        return events[..<Int(count)].map { Int($0.data.u64) }
    }
}
