import Glibc
import NoteText
import NotesMethods
import NotesModel
import NotesWire
import TestKit
import Testing

extension EndToEnd {
    /// Tests that an idle, up-to-date dependent costs little.
    @Suite(.long) struct IdleDependentsTests {
        private static let count = 10_000
        /// Bytes of the daemon's resident memory per connection with its watch. About 6,300 were
        /// measured; the server's state of the connection is most of it.
        private static let bytesEachMax = 8_192
        /// Open files that the tests and the daemon need besides the connections.
        private static let otherFiles = 256
        /// The soft limit with which most systems start a process. The daemon must raise it.
        private static let lowFilesLimit = ["/bin/sh", "-c", #"ulimit -Sn 1024; exec "$@""#, "sh"]

        @Test(
            .enabled(
                if: raisedFilesLimit() >= count + otherFiles,
                "the hard limit on open files is too low here: `ulimit -Hn` must be at least \(count + otherFiles)"))
        func tenThousandIdleWatches_costEightKilobytesEach() async throws {
            try await DaemonProcess.run(under: Self.lowFilesLimit) { daemon in
                // The first few also pay for shared data.
                let first = try await blocking { try Listeners(100, daemon.socket) }
                let base = try daemon.residentBytes()
                let rest = try await blocking { try Listeners(Self.count - 100, daemon.socket) }
                let each = (try daemon.residentBytes() - base) / (Self.count - 100)
                #expect(each <= Self.bytesEachMax, "\(each) bytes each")
                let writer = try await RawConnection.registered(daemon.socket)
                let line = #"{"jsonrpc":"2.0","id":1,"method":"note.create","params":{"text":"hello, all\n"}}"#
                guard case .result = try await writer.call(line) else {
                    Issue.record("a note was refused")
                    return
                }
                #expect(try await blocking { try first.receivedChanges() + rest.receivedChanges() } == Self.count)
            }
        }

        /// The number of open files that this process may have.
        private static func raisedFilesLimit() -> Int {
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            limit.rlim_cur = limit.rlim_max
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            return Int(clamping: limit.rlim_cur)
        }
    }
}

/// Connections with a watch that send no other requests.
private struct Listeners: Sendable {
    /// Holds the connections open until released.
    private final class Descriptor: Sendable {
        let number: Int32

        init(_ number: Int32) { self.number = number }

        deinit {
            close(number)
        }
    }

    private var descriptors: [Descriptor] = []

    /// Returns when each has received `watch.synced`.
    init(_ count: Int, _ path: String) throws {
        let hello = HelloParams(client: ClientInfo(name: "idle"))
        let lines = Call.hello(hello).line(id: .integer(1)) + Call.watch(WatchNotes(snapshot: false)).line(id: .integer(2))
        for _ in 0..<count {
            let descriptor = Descriptor(try UnixSocket.connected(to: path))
            descriptors.append(descriptor)
            guard send(descriptor.number, lines, lines.count, Int32(MSG_NOSIGNAL)) == lines.count else {
                throw SystemFault("send")
            }
            try Self.read(descriptor.number, until: "watch.synced")
        }
    }

    /// Waits until each has received a change, and returns their number.
    func receivedChanges() throws -> Int {
        for descriptor in descriptors { try Self.read(descriptor.number, until: "note.changed") }
        return descriptors.count
    }

    private static func read(_ descriptor: Int32, until word: String) throws {
        var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        var text = ""
        while !text.contains(word) {
            guard poll(&wait, 1, Int32(Patience.seconds * 1_000)) == 1 else {
                throw TimedOut(what: word, seconds: Patience.seconds)
            }
            var buffer = [UInt8](repeating: 0, count: 4_096)
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { throw RawConnection.Ended(what: "the daemon hung up on an idle connection") }
            text += String(decoding: buffer.prefix(count), as: UTF8.self)
        }
    }
}
