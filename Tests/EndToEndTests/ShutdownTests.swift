import Causality
import Foundation
import NoteText
import NotesClient
import NotesModel
import NotesWire
import Synchronization
import TestKit
import Testing

extension EndToEnd {
    /// Tests of the daemon's start and shutdown.
    @Suite struct ShutdownTests {
        /// Shutdown under load: every accepted request is answered, every client is notified, and
        /// the next run has all writes.
        @Test(arguments: [SIGTERM, SIGINT])
        func stop_answersAcceptedRequests_andExitsWithZero(signal: Int32) async throws {
            try await DaemonProcess.run { daemon in
                let idle = try await RawConnection.registered(daemon.socket)
                let answered = Answered()
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in UInt64(0)..<4 {
                        let connection = try await RawConnection.registered(daemon.socket)
                        group.addTask { try await Self.load(connection, number, answered) }
                    }
                    for await count in answered.counts where count > 100 { break }
                    #expect(try await daemon.end(signal) == .exited(0))
                    try await group.waitForAll()
                }
                let goodbye = try #require(try await idle.line())
                guard case .notification(.closing(let closing)) = try ServerLine(parsing: goodbye) else {
                    Issue.record("\(String(decoding: goodbye, as: UTF8.self))")
                    return
                }
                #expect(closing.reason == "shutting_down")
                #expect(try await idle.line() == nil, "then the connection is closed")
                #expect(!FileManager.default.fileExists(atPath: daemon.socket), "the socket is gone")

                try await daemon.start()
                let judge = try await daemon.client("judge")
                let there = Set(try await judge.listAll().map(\.head.id))
                #expect(answered.notes.subtracting(there) == [], "acknowledged notes exist")
                await judge.close()
            }
        }

        /// Signals without a meaning for the daemon, whose default is to end the process.
        @Test(arguments: [SIGUSR1, SIGUSR2, SIGALRM, SIGPIPE])
        func otherSignals_areIgnored(signal: Int32) async throws {
            try await DaemonProcess.run { daemon in
                let client = try await daemon.client("writer")
                daemon.signal(signal)
                _ = try await client.create(text: bytes("x\n"), id: noteID(1))
                await client.close()
                #expect(try await daemon.end(SIGTERM) == .exited(0))
            }
        }

        /// Sends requests without waiting and reads responses until the connection ends: they
        /// arrive in order, none twice, and the goodbye is the last line.
        private static func load(
            _ connection: RawConnection, _ number: UInt64, _ answered: Answered
        ) async throws {
            var sent: UInt64 = 0
            var heard: UInt64 = 0
            var mayWrite = true
            var isClosing = false
            reading: while true {
                while sent < heard + 50 && mayWrite {
                    sent += 1
                    let params = #"{"text":"\#(number)/\#(sent)\n","id":"\#(noteID(number * 1_000_000 + sent))"}"#
                    // The daemon may close the connection at any time.
                    do {
                        try await connection.send(request(Int(sent), "note.create", bytes(params)) + bytes("\n"))
                    } catch {
                        mayWrite = false
                    }
                }
                guard let line = try await connection.line() else { break }
                switch try ServerLine(parsing: line) {
                case .result(let id, _):
                    heard += 1
                    #expect(id == .integer(Int64(heard)), "answers come in order")
                    answered.insert(noteID(number * 1_000_000 + heard))
                case .failure(let id, let error):
                    heard += 1
                    #expect(id == .integer(Int64(heard)) && error.kind == .shuttingDown)
                case .notification(let notification):
                    guard case .closing = notification else { continue }
                    isClosing = true
                    #expect(try await connection.line() == nil, "nothing follows the goodbye")
                    break reading
                }
            }
            #expect(isClosing, "every client is notified")
        }

        @Test func secondDaemonOnSameStore_isRefusedWithMessage() async throws {
            try await DaemonProcess.run { daemon in
                let second = try await Command.run(
                    Binaries.notesd, ["--socket", daemon.socket + "2", "--data", daemon.data, "--config", daemon.arguments[5]])
                #expect(second.end == .exited(75))
                #expect(second.errors.contains("another notesd") && second.errors.contains(daemon.data), "\(second.errors)")
                let elsewhere = try await Command.run(
                    Binaries.notesd,
                    ["--socket", daemon.socket, "--data", daemon.scratch.file("other"), "--config", daemon.arguments[5]])
                #expect(elsewhere.end == .exited(75))
                #expect(elsewhere.errors.contains(daemon.socket), "\(elsewhere.errors)")
                let client = try await daemon.client("judge")
                try await client.ping()
                await client.close()
            }
        }

        @Test func socket_isPrivate_andReplacesStaleOne() async throws {
            try await DaemonProcess.run { daemon in
                for _ in 0..<2 {
                    #expect(try Files.mode(daemon.socket) == 0o600)
                    #expect(try Files.mode(daemon.scratch.file("run")) == 0o700)
                    #expect(try Files.mode(daemon.data) == 0o700)
                    try await daemon.end(SIGKILL)
                    #expect(FileManager.default.fileExists(atPath: daemon.socket), "killed, it leaves its socket")
                    try await daemon.start()
                }
                #expect(try await daemon.end(SIGTERM) == .exited(0))
                try Files.write(bytes("mine"), to: daemon.socket)
                let refused = try await Command.run(Binaries.notesd, daemon.arguments)
                #expect(refused.end == .exited(73))
                #expect(refused.errors.contains("is not a socket"), "\(refused.errors)")
                #expect(try Files.read(daemon.socket) == bytes("mine"), "a file that is not a socket is left alone")
            }
        }

        @Test func tooLongSocketPath_isRefusedWithMessage() async throws {
            let scratch = try Scratch()
            let path = scratch.file(String(repeating: "x", count: 108 - scratch.path.utf8.count - 1))
            let refused = try await Command.run(Binaries.notesd, ["--socket", path, "--data", scratch.file("data")])
            #expect(refused.end == .exited(64))
            #expect(refused.errors.contains("107"), "\(refused.errors)")
        }
    }
}

/// The notes whose creation was acknowledged, over several connections.
private final class Answered: Sendable {
    private let held = Mutex<Set<NoteID>>([])
    /// Yields the count after each creation.
    let counts: AsyncStream<Int>
    private let counting: AsyncStream<Int>.Continuation

    init() {
        (counts, counting) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    var notes: Set<NoteID> { held.withLock { $0 } }

    func insert(_ note: NoteID) {
        counting.yield(
            held.withLock { held in
                held.insert(note)
                return held.count
            })
    }
}
