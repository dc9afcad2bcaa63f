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
    /// Tests of the daemon as a service, on a socket that it inherits. `verification/systemd` runs
    /// it under a real systemd.
    @Suite struct ServiceTests {
        @Test func manager_isNotifiedFromStartToEnd() async throws {
            let manager = try SystemdStub()
            try manager.start(watchdogMilliseconds: 300)
            #expect(try await manager.message("a word").hasPrefix("EXTEND_TIMEOUT_USEC="))
            #expect(try await manager.message(beginning: "READY=1") == "READY=1\nSTATUS=0 notes")
            #expect(try await manager.message(beginning: "WATCHDOG=1").contains("STATUS=0 notes, 0 dependents, no commit yet"))

            let connection = try await RawConnection.registered(manager.socket)
            try await connection.send(request(1, "note.create", bytes(#"{"text":"x"}"#)) + bytes("\n"))
            while try await manager.message("a status").contains("1 note, 1 dependent, last of 1 commits at 2") == false {}

            manager.signal(SIGHUP)
            #expect(try await manager.message(beginning: "RELOADING=1\nMONOTONIC_USEC=").contains("STATUS="))
            #expect(try await manager.message(beginning: "READY=1").contains("nothing changed"))
            try manager.configure("limits.depth_max = 3\n")
            manager.signal(SIGHUP)
            _ = try await manager.message(beginning: "RELOADING=1")
            #expect(try await manager.message(beginning: "READY=1").contains("Reload refused: "))
            try manager.configure("limits.depth_max = 20\nthreads = 3\n")
            manager.signal(SIGHUP)
            #expect(try await manager.message(beginning: "READY=1").contains("changed: limits.depth_max"))

            #expect(try await manager.end(SIGTERM) == .exited(0))
            #expect(try await manager.message(beginning: "STOPPING=1").contains("STATUS="))
            _ = try await manager.message(beginning: "EXTEND_TIMEOUT_USEC=")
        }

        /// A hanging commit stops the watchdog messages, so that the manager ends the daemon;
        /// without one they arrive.
        @Test(.enabled(if: Tools.has("strace"), Tools.missing("strace")))
        func stuckCommit_isNotAlive() async throws {
            let manager = try SystemdStub()
            let delay = "inject=fdatasync,fsync:delay_enter=3000000:when=40+"
            try manager.start(
                watchdogMilliseconds: 300,
                under: [
                    "/usr/bin/strace", "-D", "-f", "-o", manager.scratch.file("strace"), "-e", "trace=fdatasync,fsync", "-e",
                    delay,
                ])
            _ = try await manager.message(beginning: "READY=1")
            let connection = try await RawConnection.registered(manager.socket)
            // Some of these commits hang for thirty watchdog intervals; strace's `when` counts per
            // thread.
            var hung = 0
            for number in 1...1_000 {
                try await connection.send(request(number, "note.create", bytes(#"{"text":"x"}"#)) + bytes("\n"))
                let start = ContinuousClock.now
                guard case .result = try await connection.answer() else { throw RawConnection.Ended(what: "a write was refused") }
                guard start.duration(to: .now) > .seconds(2) else {
                    while manager.hasMessage() { _ = try await manager.message("a word") }
                    continue
                }
                var signs = 0
                while manager.hasMessage() { signs += try await manager.message("a word").hasPrefix("WATCHDOG=1") ? 1 : 0 }
                hung += 1
                #expect(signs < 10, "signs of life from a commit that hung")
                if hung == 2 { break }
            }
            #expect(hung > 0, "no commit hung, so nothing was seen")
            _ = try await manager.message(beginning: "WATCHDOG=1")
            _ = try await manager.end(SIGKILL)
        }

        /// `config show` reports the effective settings of every layer.
        @Test func configShow_namesSourcesOfSettings() async throws {
            try await DaemonProcess.run(config: "limits.depth_max = 20\n[access]\nwrite = [\"@no-such-group\"]\n") { daemon in
                let shown = try await daemon.notesctl("config", "show", "--source", "limits.depth_max")
                #expect(shown.text == "limits.depth_max = 20  # \(daemon.scratch.file("notesd.toml"))\n")
                let all = try await daemon.notesctl("config", "show")
                #expect(all.text.contains("data = \"\(daemon.data)\"\n"))
                #expect(all.text.contains("# history.keep_days is not set\n"))
                #expect(all.text.contains("access.write = [\"@no-such-group\"]\n"))
                let json = try await daemon.notesctl("config", "show", "--json=key,value,source,pending", "threads")
                #expect(json.text == "{\"key\":\"threads\",\"value\":\"0\",\"source\":\"default\",\"pending\":null}\n")
                #expect(daemon.complaints.contains("<4>warning: access.write names @no-such-group"))
                try daemon.scratch.write("threads = 2\n", to: "notesd.toml")
                daemon.signal(SIGHUP)
                try await within("the reload") {
                    while !daemon.complaints.contains("configuration reloaded") { try await Task.sleep(for: .milliseconds(5)) }
                }
                let waiting = try await daemon.notesctl("config", "show", "threads")
                #expect(waiting.text == "threads = 0  # 2 after the next restart\n")
            }
        }

        /// SIGTERM ends the daemon without waiting for a store that takes long to open (each sync
        /// takes seconds).
        @Test(.enabled(if: Tools.has("strace"), Tools.missing("strace")))
        func stopDuringStoreOpening_isObeyed() async throws {
            let manager = try SystemdStub()
            // Not longer: strace detaches from a thread only after that thread's delay.
            let delay = "inject=fdatasync,fsync:delay_enter=3000000"
            try manager.start(
                under: [
                    "/usr/bin/strace", "-D", "-f", "-o", manager.scratch.file("strace"), "-e", "trace=fdatasync,fsync", "-e",
                    delay,
                ])
            _ = try await manager.message(beginning: "EXTEND_TIMEOUT_USEC=")
            #expect(try await manager.end(SIGTERM) == .exited(0))
            while manager.hasMessage() { #expect(try await !manager.message("a word").hasPrefix("READY=1")) }
        }

        @Test func failedStart_reportsErrno() async throws {
            let manager = try SystemdStub(config: "thread = 1\n")
            try manager.start()
            let words = try await manager.message(beginning: "ERRNO=")
            #expect(words.hasPrefix("ERRNO=\(EINVAL)\nSTATUS="))
            #expect(words.contains("did you mean threads?"))
            #expect(try await manager.end(0) == .exited(78))
        }

        /// A daemon with an invalid configuration leaves no client in the socket, since the client would
        /// make the manager start the daemon again at once.
        @Test func invalidConfiguration_answersWaitingClients() async throws {
            let manager = try SystemdStub(config: "thread = 1\n")
            let waiting = try (0..<30).map { _ in try RawConnection(manager.socket) }
            for connection in waiting { try await connection.send(RawConnection.helloLine) }
            try manager.start()
            for connection in waiting {
                guard case .failure(nil, let error) = try await connection.answer() else {
                    throw RawConnection.Ended(what: "hello was answered")
                }
                #expect(error.kind == .shuttingDown && error.isRetryable && error.message.contains("notesctl doctor"))
                #expect(try await connection.line() == nil, "then the connection is closed")
            }
            #expect(try await manager.end(0) == .exited(78))

            try manager.configure("")
            let later = try RawConnection(manager.socket)
            try await later.send(RawConnection.helloLine)
            try manager.start()
            guard case .result = try await later.answer() else { throw RawConnection.Ended(what: "hello was refused") }
            _ = try await manager.end(SIGKILL)
        }

        /// A client that connects while no daemon runs waits for the next one, and the socket never
        /// disappears.
        @Test func socket_persists_andConnectionsWait() async throws {
            let manager = try SystemdStub()
            let early = try RawConnection(manager.socket)
            try await early.send(RawConnection.helloLine)
            try manager.start()
            guard case .result = try await early.answer() else { throw RawConnection.Ended(what: "hello was refused") }
            #expect(try await manager.end(SIGTERM) == .exited(0))
            #expect(FileManager.default.fileExists(atPath: manager.socket))
            let between = try RawConnection(manager.socket)
            try await between.send(RawConnection.helloLine)
            try manager.start()
            guard case .result = try await between.answer() else { throw RawConnection.Ended(what: "hello was refused") }
            _ = try await manager.end(SIGKILL)
        }

        /// State shared by the writers of a test.
        private final class Work: Sendable {
            /// The acknowledged writes, and how many there are.
            let written = Mutex<[NoteID: Int]>([:])
            let isOver = Mutex(false)
        }

        /// A writer that survives lost connections.
        private static func client(of manager: SystemdStub, _ name: ByteString) async throws -> NotesClient {
            var options = ClientOptions(socketPath: manager.socket, name: name, version: "1")
            options.reconnecting = Backoff()
            options.resending = .whatMayBeRepeated
            return try await NotesClient.connect(options)
        }

        private static func wait(for count: Int, _ work: Work) async throws {
            try await within("\(count) writes") {
                while work.written.withLock({ $0.count }) < count { try await Task.sleep(for: .milliseconds(2)) }
            }
        }

        private static func create(
            _ id: NoteID, by number: Int, _ op: ByteString, _ client: NotesClient
        ) async throws(ClientError) {
            do {
                _ = try await client.create(text: bytes("by \(number)\n"), id: id, op: op)
            } catch let error as ClientError {
                throw error
            } catch {
                throw .closed
            }
        }

        /// The manager's socket keeps the backlog that the manager set, also after a daemon has
        /// listened on it.
        @Test func backlog_isKeptAfterFirstDaemon() async throws {
            let manager = try SystemdStub()
            try manager.start()
            _ = try await manager.message(beginning: "READY=1")
            _ = try await manager.end(SIGTERM)
            // With a full backlog, connect would block for ever, because nobody accepts.
            let waiting = try await within("300 connections in the socket") {
                try await blocking { try (0..<300).map { _ in try RawConnection(manager.socket) } }
            }
            try manager.start()
            for connection in waiting.suffix(3) {
                try await connection.send(RawConnection.helloLine)
                guard case .result = try await connection.answer() else { throw RawConnection.Ended(what: "hello was refused") }
            }
            _ = try await manager.end(SIGKILL)
        }

        /// The daemon is stopped or killed repeatedly while writers continue: every acknowledged
        /// write exists once, and a watch has received every note.
        @Test func restart_isOnlyAPause() async throws {
            let manager = try SystemdStub()
            try manager.start()
            let work = Work()
            let watcher = try await Self.client(of: manager, "watcher")
            let watch = try await watcher.watch(WatchNotes())
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<3 {
                    group.addTask {
                        let client = try await Self.client(of: manager, "writer")
                        while !work.isOver.withLock({ $0 }) {
                            let id = client.noteID(at: Timestamp(milliseconds: 1))
                            let op = client.operationName()
                            while true {
                                do throws(ClientError) {
                                    try await Self.create(id, by: number, op, client)
                                    break
                                } catch {
                                    // A stopping daemon refuses the write; the next daemon accepts
                                    // it.
                                    guard case .refused(let refusal) = error, refusal.isRetryable else { throw error }
                                }
                            }
                            work.written.withLock { $0[id, default: 0] += 1 }
                        }
                        await client.close()
                    }
                }
                for signal in [SIGTERM, SIGKILL, SIGTERM, SIGKILL] {
                    let before = work.written.withLock { $0.count }
                    try await Self.wait(for: before + 30, work)
                    _ = try await manager.end(signal)
                    try manager.start()
                }
                let before = work.written.withLock { $0.count }
                try await Self.wait(for: before + 30, work)
                work.isOver.withLock { $0 = true }
                try await group.waitForAll()
            }
            let expected = Set(work.written.withLock { $0.keys })
            let judge = try await Self.client(of: manager, "judge")
            let there = try await judge.listAll().map(\.head.id)
            #expect(there.count == Set(there).count)
            #expect(expected.subtracting(there).isEmpty, "acknowledged writes exist")
            var heard: Set<NoteID> = []
            let iterator = watch.makeAsyncIterator()
            while !Set(there).isSubset(of: heard), let event = try await iterator.next() {
                if case .changed(let change) = event { heard.insert(change.note.id) }
            }
            #expect(try await judge.audit().report.findings.isEmpty)
            await judge.close()
            await watcher.close()
            _ = try await manager.end(SIGKILL)
        }
    }
}
