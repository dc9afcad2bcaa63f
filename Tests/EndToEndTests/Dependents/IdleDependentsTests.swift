import Glibc
import NotesModel
import NotesWire
import TestKit
import Testing

extension EndToEnd {
    /// A dependent that has been told all, and of whom nothing is heard, costs little.
    @Suite(.long) struct IdleDependentsTests {
        private static let count = 10_000
        /// Of the daemon's resident memory, for each connection with its watch. About 6,300 were measured; most of it is what the
        /// server keeps for a connection.
        private static let bytesEachMax = 8_192
        /// Files that the tests and the daemon need besides.
        private static let otherFiles = 256
        /// The soft limit that most systems start a process with. The daemon is to raise it by itself.
        private static let lowFilesLimit = ["/bin/sh", "-c", #"ulimit -Sn 1024; exec "$@""#, "sh"]

        @Test(
            .enabled(
                if: raisedFilesLimit() >= count + otherFiles,
                "the hard limit on open files is too low here: `ulimit -Hn` must say \(count + otherFiles) at least"))
        func tenThousandWhoAreIdle_costEightKilobytesEach_andAreAllTold() async throws {
            try await DaemonProcess.run(under: Self.lowFilesLimit) { daemon in
                // The first few bring what all of them share.
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
                #expect(try await blocking { try first.told() + rest.told() } == Self.count)
            }
        }

        /// As many open files as this process may have.
        private static func raisedFilesLimit() -> Int {
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            limit.rlim_cur = limit.rlim_max
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            return Int(clamping: limit.rlim_cur)
        }
    }
}

/// Connections that watch, and are asked nothing.
private struct Listeners: Sendable {
    /// Open for as long as somebody holds it.
    private final class Descriptor: Sendable {
        let number: Int32

        init(_ number: Int32) { self.number = number }

        deinit {
            close(number)
        }
    }

    private var descriptors: [Descriptor] = []

    /// Returns when each was told that it is synced.
    init(_ count: Int, _ path: String) throws {
        let hello = HelloParams(client: ClientInfo(name: "idle"))
        let lines = Call.hello(hello).line(id: .integer(1)) + Call.watch(WatchParams(snapshot: false)).line(id: .integer(2))
        for _ in 0..<count {
            let descriptor = Descriptor(try UnixSocket.connected(to: path))
            descriptors.append(descriptor)
            guard send(descriptor.number, lines, lines.count, Int32(MSG_NOSIGNAL)) == lines.count else {
                throw SystemFault("send")
            }
            try Self.read(descriptor.number, until: "watch.synced")
        }
    }

    /// Waits until each has heard of a change, and says how many those are.
    func told() throws -> Int {
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
            guard count > 0 else { throw RawConnection.Ended(what: "the daemon hung up on one who listens") }
            text += String(decoding: buffer.prefix(count), as: UTF8.self)
        }
    }
}
