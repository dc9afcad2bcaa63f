import Causality
import Glibc
import NIOPosix
import NoteText
package import NotesClient
package import NotesMethods
import NotesModel
package import NotesWire
import Synchronization
import TestKit

/// A substitute for the daemon, which a test drives line by line.
///
/// It reads and writes with blocking calls on a separate thread. Each call times out after ten
/// minutes, so that a client that does not send the expected line fails its test instead of
/// blocking it. The tests of a whole target on a slow machine delay each other by more than a minute.
package struct ScriptedPeer: Sendable {
    /// Path of the socket.
    package let path: String
    private let listener: Int32
    private let thread: NIOThreadPool

    /// An expected event that did not occur in time.
    package struct Silence: Error {
        /// The expected event.
        package let doing: String

        package init(doing: String) {
            self.doing = doing
        }
    }

    /// Listens on a socket in a new temporary directory.
    package init() async throws {
        var template = Array("/tmp/notes-peer-XXXXXX".utf8).map { CChar(bitPattern: $0) } + [0]
        guard mkdtemp(&template) != nil else { throw Silence(doing: "mkdtemp") }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self) + "/socket"
        thread = NIOThreadPool(numberOfThreads: 1)
        thread.start()
        listener = try Self.listen(path)
    }

    private static func listen(_ path: String) throws -> Int32 {
        // A program that another test starts must not keep the sockets open.
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        guard isBound, Glibc.listen(descriptor, 16) == 0 else { throw Silence(doing: "bind") }
        setTimeout(descriptor)
        return descriptor
    }

    private static let secondsMax = 600

    fileprivate static func setTimeout(_ descriptor: Int32) {
        var timeout = timeval(tv_sec: secondsMax, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    }

    /// Accepts the next client and answers its hello.
    package func accept(limits: WireLimits = WireLimits()) async throws -> ScriptedConnection {
        let connection = try await acceptSilent()
        let (id, call) = try await connection.request()
        guard case .hello = call else { throw Silence(doing: "hello, got \(call.method)") }
        try await connection.send(Canned.hello(limits: limits).line(id: id))
        return connection
    }

    /// Accepts the next client without reading its hello.
    package func acceptSilent() async throws -> ScriptedConnection {
        let listener = listener
        let descriptor = try await thread.runIfActive { () throws -> Int32 in
            let descriptor = Glibc.accept(listener, nil, nil)
            guard descriptor >= 0 else { throw Silence(doing: "a client to connect") }
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            return descriptor
        }
        Self.setTimeout(descriptor)
        return ScriptedConnection(descriptor: descriptor, thread: thread)
    }

    /// Stops listening but keeps the socket file, as after the daemon was killed.
    package func stopListening() {
        shutdown(listener, Int32(SHUT_RDWR))
    }

    /// Closes the socket and removes its directory.
    package func close() async {
        Glibc.close(listener)
        unlink(path)
        rmdir(String(path.dropLast("/socket".utf8.count)))
        try? await thread.shutdownGracefully()
    }

    /// Client options for the socket, with a backoff of at most a millisecond.
    package func options(reconnecting: Bool = false) -> ClientOptions {
        var options = ClientOptions(socketPath: path, name: "test", version: "1", label: "label")
        options.generator = SeededGenerator(seed: 1)
        options.helloTimeout = .seconds(Self.secondsMax)
        if reconnecting { options.reconnecting = Backoff(first: .microseconds(10), longest: .milliseconds(1)) }
        return options
    }
}

/// The daemon's end of one connection.
package final class ScriptedConnection: Sendable {
    private let descriptor: Int32
    private let thread: NIOThreadPool
    /// Used only on `thread`.
    private let framer = LockedFramer()
    private let isClosed = Atomic(false)

    init(descriptor: Int32, thread: NIOThreadPool) {
        self.descriptor = descriptor
        self.thread = thread
    }

    /// The next line from the client.
    package func line() async throws -> [UInt8] {
        try await thread.runIfActive { [self] in
            var chunk = [UInt8](repeating: 0, count: 65_536)
            while true {
                if let line = framer.next() { return line }
                let count = read(descriptor, &chunk, chunk.count)
                guard count > 0 else { throw ScriptedPeer.Silence(doing: "a line, got \(count == 0 ? "the end" : "nothing")") }
                framer.receive(Array(chunk[..<count]))
            }
        }
    }

    /// The next request from the client.
    package func request() async throws -> (id: RequestID, call: Call) {
        let line = try await line()
        switch RequestReader().read(line, isRegistered: true) {
        case .request(let id, let call): return (id, call)
        case .refused(_, let error):
            // The reader assumes a registered connection, on which it refuses hello.
            guard case .request(let id, let call) = RequestReader().read(line, isRegistered: false) else { throw error }
            return (id, call)
        case .dropped(let error): throw error
        case .unanswered: throw ScriptedPeer.Silence(doing: "a request with an id")
        }
    }

    /// Whether the client has closed the connection. Waits for input if it has not.
    package func isEnded() async throws -> Bool {
        try await thread.runIfActive { [descriptor] in
            var byte: UInt8 = 0
            return read(descriptor, &byte, 1) == 0
        }
    }

    /// Sends bytes to the client.
    package func send(_ bytes: [UInt8]) async throws {
        try await thread.runIfActive { [descriptor] in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
                guard count > 0 else { throw ScriptedPeer.Silence(doing: "room to write") }
                rest = rest.dropFirst(count)
            }
        }
    }

    /// Closes the connection for writing. Lines from the client can still be read.
    package func endSending() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Closes the connection. A second call does nothing: the descriptor may be another test's by then.
    package func close() {
        guard !isClosed.exchange(true, ordering: .relaxed) else { return }
        shutdown(descriptor, Int32(SHUT_RDWR))
        Glibc.close(descriptor)
    }
}
