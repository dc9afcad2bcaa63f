import Causality
import Glibc
import Logging
import NoteText
import NotesEngine
import NotesModel
import NotesStore
import NotesWire
import StoreTestKit
import Synchronization

@testable import NotesServer

/// A server in this process, on a store in memory.
struct TestServer: Sendable {
    let path: String
    private let directory: String
    private let server: Server
    private let running: Task<Void, any Error>

    init(
        user: User = User(id: geteuid()), threads: Int = 1, fault: JournalError? = nil,
        configure: (inout ServerConfiguration) -> Void = { _ in }
    ) async throws {
        directory = try makeDirectory()
        path = directory + "/notesd.sock"
        var configuration = ServerConfiguration(
            listening: .path(path), version: "0.0.0", document: Array(#"{"openrpc":"1.3.2"}"#.utf8),
            access: AccessRules(owner: user.id, superuser: nil), userName: { $0 == user.id ? user.name : "somebody else" })
        configuration.limits.helloSecondsMax = 60
        configure(&configuration)
        let drawn = Mutex<UInt64>(0)
        let router = ConnectionRouter(configuration: configuration, threads: threads) {
            let number = drawn.withLock { drawn in
                drawn += 1
                return drawn
            }
            return NoteID(at: Timestamp(milliseconds: 1), random: (0, number))
        }
        let journal = MemoryJournal(identity: StoreIdentity(store: ReplicaID(bits: 1), replica: ReplicaID(bits: 2)))
        if let fault { journal.appendFaults = [fault] }
        let engine = Engine(
            journal: journal, configuration: EngineConfiguration(), outputSink: router, logger: quietLogger,
            now: { Timestamp(milliseconds: 1_000) })
        let server = Server(configuration: configuration, router: router, engine: engine, logger: quietLogger)
        try await server.listen()
        self.server = server
        running = Task { try await server.run() }
    }

    /// Stops the server, waits until it has ended, and removes its files.
    func stop() async throws {
        server.shutDown()
        defer { remove(directory) }
        try await running.value
    }

    /// Waits until the server ends by itself.
    func end() async throws {
        defer { remove(directory) }
        try await running.value
    }
}

let quietLogger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
