import Foundation
import NoteText
import NotesClient
import NotesMethods
import NotesModel
import NotesWire
import TestKit
import Testing

extension EndToEnd {
    /// Two daemons and `notesctl`, as on two machines: the connection is `notesctl bridge`, as over ssh.
    @Suite struct ReplicationTests {
        /// Two machines; `here` has the peer `there`.
        private struct Desk {
            let here: DaemonProcess
            let there: DaemonProcess

            /// The address of the other machine.
            var address: String { "exec:exec \(Binaries.notesctl) bridge --only exchange --socket \(there.socket)" }

            func environment(_ daemon: DaemonProcess) -> [String: String] {
                [
                    "XDG_CONFIG_HOME": daemon.scratch.file("config"), "XDG_STATE_HOME": daemon.scratch.file("state"),
                    "XDG_RUNTIME_DIR": daemon.scratch.file("run"), "NOTESD_SOCKET": daemon.socket, "PATH": "/usr/bin:/bin",
                ]
            }

            func run(_ daemon: DaemonProcess, _ arguments: [String], input: String = "") async throws -> Command {
                try await daemon.notesctl(arguments, input: Array(input.utf8), environment: environment(daemon))
            }

            func here(_ arguments: String..., input: String = "") async throws -> Command {
                try await run(here, arguments, input: input)
            }

            func there(_ arguments: String..., input: String = "") async throws -> Command {
                try await run(there, arguments, input: input)
            }

            /// Starts `notesctl sync there`.
            func sync() throws -> ChildProcess {
                let log = open(here.scratch.file("sync.log"), O_WRONLY | O_CREAT | O_APPEND, 0o600)
                defer { close(log) }
                return try ChildProcess(
                    Binaries.notesctl, ["sync", "there"], environment: environment(here), output: log, errors: log)
            }

            /// The names and texts of all living notes.
            func texts(_ daemon: DaemonProcess) async throws -> [String: String] {
                let client = try await daemon.client("reader")
                var texts: [String: String] = [:]
                for listed in try await client.listAll(Filter()) {
                    let note = try await client.note(.id(listed.head.id))
                    texts[note.head.name.map(\.description) ?? "\(listed.head.id)"] = String(
                        decoding: note.text ?? [], as: UTF8.self)
                }
                await client.close()
                return texts
            }

            func until(_ what: String, _ holds: () async throws -> Bool) async throws {
                let end = ContinuousClock.now + .seconds(Patience.seconds)
                while ContinuousClock.now < end {
                    if (try? await holds()) == true { return }
                    try await Task.sleep(for: .milliseconds(30))
                }
                let log = (try? Files.read(here.scratch.file("sync.log"))) ?? []
                Issue.record("\(what): not within \(Patience.seconds) s; sync printed\n\(String(decoding: log, as: UTF8.self))")
                throw CancellationError()
            }
        }

        private func desk(configThere: String = "", _ body: (Desk) async throws -> Void) async throws {
            try await DaemonProcess.run { here in
                try await DaemonProcess.run(config: configThere) { there in try await body(Desk(here: here, there: there)) }
            }
        }

        /// The holder of a key that is restricted to this command gets the exchange and nothing else.
        @Test func bridgeOfTheExchange_opensNothingElse() async throws {
            try await DaemonProcess.run { daemon in
                _ = try await daemon.notesctl("new", "diary", input: "private\n")
                let file = daemon.scratch.file("authorized_keys2")
                let calls: [Call] = [
                    .hello(HelloParams(client: ClientInfo(name: "key"))), .limit(SessionLimits(access: .admin)),
                    .list(ListNotes()), .write(.createNote(CreateNote(text: bytes("key\n")))), .watch(WatchNotes()),
                    .search(SearchNotes(query: try SearchQuery(parsing: "private"))), .status, .audit, .config, .metrics,
                    .listRevisions(ListRevisions()), .backup(to: nil), .backup(to: ByteString(file)), .knownRevisions(),
                    .listPeers,
                ]
                let lines = calls.enumerated().flatMap { $1.line(id: .integer(Int64($0))) }
                let bridge = try await daemon.notesctl(["bridge", "--only", "exchange"], input: lines)
                #expect(bridge.end == .exited(0), "\(bridge.errors)")
                let answers = try bridge.text.split(separator: "\n").map { try ServerLine(parsing: Array($0.utf8)) }
                #expect(answers.count == calls.count)
                for (call, answer) in zip(calls, answers) {
                    switch (call.method, answer) {
                    case (.hello, .result), (.limit, .result), (.knownRevisions, .result), (.listPeers, .result): break
                    case (_, .failure(_, let error)): #expect(error.kind == .permissionDenied, "\(call.method): \(error)")
                    default: Issue.record("\(call.method): \(answer)")
                    }
                }
                #expect(!FileManager.default.fileExists(atPath: file))
            }
        }

        @Test func peerAdd_bringsTwoStoresInStep() async throws {
            try await desk { desk in
                _ = try await desk.here("new", "diary", input: "here\n")
                _ = try await desk.there("new", "shopping", input: "Milk\n")
                _ = try await desk.there("new", "gone", input: "x\n")
                _ = try await desk.there("rm", "gone")
                let added = try await desk.here("peer", "add", "--yes", "--no-start", "there", desk.address)
                #expect(added.end == .exited(0), "\(added.errors)")
                #expect(added.lines.prefix(3) == ["received  3 revisions", "sent      1 revisions", "up to date"])
                let texts = ["diary": "here\n", "shopping": "Milk\n"]
                #expect(try await desk.texts(desk.here) == texts)
                #expect(try await desk.texts(desk.there) == texts)
                #expect(try await desk.here("show", "--at", "1", "gone").end != .exited(0))
                #expect(try await desk.here("undo", "gone").end == .exited(0), "a deleted note comes with its history")

                let list = try await desk.here("peer", "list", "--json")
                #expect(list.text.contains(#""name":"there""#) && list.text.contains(#""missing":1"#), "\(list.text)")
                let once = try await desk.here("sync", "--once", "there")
                #expect(once.end == .exited(0) && once.text == "received 0, sent 1 revisions\n", "\(once.errors)")
                #expect(try await desk.texts(desk.there)["gone"] == "x\n")
                #expect(try await desk.there("peer", "list", "--format", "{missing} {state}").text == "0 away\n")

                let removed = try await desk.here("peer", "remove", "--forget", "there")
                #expect(removed.end == .exited(0), "\(removed.errors)")
                #expect(try await desk.here("peer", "list").text.isEmpty)
                let store = try await desk.there("peer", "list", "--format", "{name}").lines.first ?? ""
                #expect(try await desk.there("peer", "remove", "--forget", store).end == .exited(0))
                #expect(try await desk.there("peer", "list").text.isEmpty)
                #expect(try await desk.there("peer", "remove", "--forget", store).end == .exited(64))
                #expect(try await desk.here("audit").end == .exited(0))
                #expect(try await desk.there("audit").end == .exited(0))
            }
        }

        @Test func sync_carriesEachChange_andMergesWhatWasWrittenApart() async throws {
            try await desk { desk in
                _ = try await desk.here("new", "list", input: "one\ntwo\nthree\n")
                _ = try await desk.here("peer", "add", "--yes", "--no-start", "there", desk.address)
                let sync = try desk.sync()
                _ = try await desk.there("append", "list", input: "four\n")
                try await desk.until("a line comes here") {
                    try await desk.here("show", "list").text == "one\ntwo\nthree\nfour\n"
                }
                _ = try await desk.here("append", "list", input: "five\n")
                try await desk.until("a line goes there") { try await desk.there("show", "list").text.hasSuffix("five\n") }
                let state = try await desk.here("peer", "list", "--format", "{state}").text
                #expect(state == "up to date\n")
                let second = try await desk.here("sync", "--once", "there")
                #expect(second.end == .exited(75), "another process replicates already: \(second.errors)")

                sync.send(SIGKILL)
                _ = try await sync.end()
                let killed = try await desk.here("peer", "list", "--format", "{missing} {state}").text
                #expect(killed.hasPrefix("0 not running"), "\(killed)")
                _ = try await desk.here("filter", "list", "--", "sed", "s/one/ONE/")
                _ = try await desk.there("filter", "list", "--", "sed", "s/five/FIVE/")
                #expect(try await desk.here("sync", "--once", "there").end == .exited(0))
                for daemon in [desk.here, desk.there] {
                    #expect(try await desk.run(daemon, ["show", "list"]).text == "ONE\ntwo\nthree\nfour\nFIVE\n")
                }
                // Both changed the same line.
                _ = try await desk.here("filter", "list", "--", "sed", "s/ONE/here/")
                _ = try await desk.there("filter", "list", "--", "sed", "s/ONE/there/")
                #expect(try await desk.here("sync", "--once", "there").end == .exited(0))
                let texts = [try await desk.here("show", "list").text, try await desk.there("show", "list").text]
                #expect(texts[0] == texts[1] && texts[0].contains("here\n") && texts[0].contains("there\n"), "\(texts)")
                #expect(try await desk.here("conflicts", "list").text == desk.there("conflicts", "list").text)
            }
        }

        /// Both machines began a note under one name, and imported the same folder, before they met.
        @Test func notesBegunTwice_areOneNote() async throws {
            try await desk { desk in
                for (daemon, place) in [(desk.here, "here"), (desk.there, "there")] {
                    _ = try await desk.run(daemon, ["new", "diary"], input: "# Diary\n")
                    _ = try await desk.run(daemon, ["append", "diary"], input: "\(place)\n")
                    let folder = try daemon.scratch.directory("vault")
                    try Files.write(bytes("same\n"), to: "\(folder)/same.md")
                    try Files.write(bytes("\(place)\n"), to: "\(folder)/differs.md")
                    #expect(try await desk.run(daemon, ["import", folder]).end == .exited(0))
                    // The second note has a new id, since the first has the one of the name.
                    _ = try await desk.run(daemon, ["new", "moved"], input: "1 \(place)\n")
                    _ = try await desk.run(daemon, ["mv", "moved", "moved \(place)"])
                    _ = try await desk.run(daemon, ["new", "moved"], input: "2\n")
                }
                _ = try await desk.here("peer", "add", "--yes", "--no-start", "there", desk.address)
                let names = try await desk.here("list", "--format", "{name}").lines.sorted()
                #expect(names.filter { !$0.hasPrefix("moved") } == ["diary", "differs", "differs", "same"], "\(names)")
                let diary = try await desk.here("show", "diary").text
                #expect(diary == "# Diary\nhere\nthere\n" || diary == "# Diary\nthere\nhere\n", "\(diary)")
                #expect(try await desk.there("show", "diary").text == diary)

                let listed = try await desk.here("duplicates", "--format", "{name} {equal}")
                #expect(listed.lines == ["differs false", "differs false", "moved false", "moved true"], "\(listed.text)")
                #expect(try await desk.here("duplicates", "--settle").end == .exited(0))
                let left = try await desk.here("duplicates", "--format", "{name}")
                #expect(left.lines == ["differs", "differs"])
                #expect(try await desk.here("op", "undo").end == .exited(0))
                // It has no name now, since the first note has it.
                #expect(try await desk.here("list", "--format", "{id}").lines.count == names.count)
            }
        }

        /// Each line that a daemon acknowledged is on both machines once, whatever was killed meanwhile.
        @Test func kills_loseNothing() async throws {
            let seed = seeds(1)[0]
            let kills = seeds(6).count
            try await desk { desk in
                _ = try await desk.here("new", "list", input: "")
                _ = try await desk.here("peer", "add", "--yes", "--no-start", "there", desk.address)
                var sync = try desk.sync()
                var random = SeededGenerator(seed: seed)
                var acknowledged: [String] = []
                for round in 0..<kills {
                    for line in 0..<1 + random.below(4) {
                        let (daemon, place) = random.chance(0.5) ? (desk.here, "here") : (desk.there, "there")
                        let text = "\(place) \(round) \(line)"
                        if try await desk.run(daemon, ["append", "list"], input: text + "\n").end == .exited(0) {
                            acknowledged.append(text)
                        }
                    }
                    switch random.below(4) {
                    case 0: try await desk.here.restart(after: SIGKILL)
                    case 1: try await desk.there.restart(after: SIGKILL)
                    case 2:
                        sync.send(SIGKILL)
                        _ = try await sync.end()
                        sync = try desk.sync()
                    default:
                        _ = try await Command.run("/usr/bin/pkill", ["-KILL", "-f", "bridge --socket \(desk.there.socket)"])
                    }
                }
                try await desk.until("both machines have all lines, seed \(seed)") {
                    let texts = [try await desk.here("show", "list").text, try await desk.there("show", "list").text]
                    return texts[0] == texts[1]
                        && texts[0].split(separator: "\n").map(String.init).sorted() == acknowledged.sorted()
                }
                #expect(try await desk.here("audit").end == .exited(0))
                #expect(try await desk.there("audit").end == .exited(0))
                sync.send(SIGTERM)
            }
        }

        /// The shell that ssh starts may print before it runs the bridge.
        @Test func textBeforeTheFirstLine_isSkipped() async throws {
            try await desk { desk in
                _ = try await desk.there("new", "a", input: "a\n")
                let noise =
                    "exec:echo Welcome to the server; echo; exec \(Binaries.notesctl) bridge --socket \(desk.there.socket)"
                let added = try await desk.here("peer", "add", "--yes", "--no-start", "there", noise)
                #expect(added.end == .exited(0), "\(added.errors)")
                #expect(try await desk.here("show", "a").text == "a\n")
            }
        }

        @Test func otherStoreAtTheAddress_isNotJoined() async throws {
            try await desk { desk in
                _ = try await desk.here("peer", "add", "--yes", "--no-start", "there", desk.address)
                try await desk.there.end(SIGTERM)
                try FileManager.default.removeItem(atPath: desk.there.data)
                try await desk.there.start()
                _ = try await desk.there("new", "other", input: "x\n")
                let once = try await desk.here("sync", "--once", "there")
                #expect(once.end == .exited(64) && once.errors.contains("leads to store"), "\(once.errors)")
                #expect(try await desk.here("list").text.isEmpty)
                let sync = try desk.sync()
                #expect(try await sync.end() == .exited(64))
            }
        }

        /// The disk of one machine is full. The exchange waits, says so, and goes on once there is room.
        @Test(.enabled(if: Volume.mayMount, "mounting needs root, and leave to mount"))
        func fullDisk_isWaitedFor() async throws {
            let volume = try Volume(megabytes: 12)
            defer { volume.unmount() }
            try await DaemonProcess.run { here in
                try await DaemonProcess.run(data: volume.path + "/data") { there in
                    let desk = Desk(here: here, there: there)
                    let added = try await desk.here("peer", "add", "--yes", "--no-start", "there", desk.address)
                    #expect(added.end == .exited(0), "\(added.errors)")
                    let client = try await here.client("writer")
                    var random = SeededGenerator(seed: 1)
                    for number in 1...UInt64(36) {
                        let text = (0..<10_000).map { _ in String(random.next(), radix: 36) }.joined(separator: "\n") + "\n"
                        _ = try await client.create(text: bytes(text), id: noteID(number))
                    }
                    await client.close()
                    let sync = try desk.sync()
                    try await desk.until("the reason is shown") {
                        try await desk.here("peer", "list").text.contains("waiting: ")
                    }
                    try volume.removeBallast()
                    try await desk.until("all notes are there") { try await desk.texts(there).count == 36 }
                    #expect(try await desk.texts(there) == desk.texts(here))
                    sync.send(SIGTERM)
                    #expect(try await desk.there("audit").end == .exited(0))
                }
            }
        }

        /// A text is purged here: the other machine, which has only a part of the note's past, erases it, too,
        /// and both go on. A third store begins with the purged note.
        @Test func purge_reachesOtherMachines() async throws {
            let secret = "hunter2 is the password"
            try await desk { desk in
                _ = try await desk.here("new", "list", input: "one\n\(secret)\n")
                _ = try await desk.here("peer", "add", "--yes", "--no-start", "there", desk.address)
                #expect(try await desk.here("save", "--replace", "list", input: "one\ntwo\n").end == .exited(0))
                let purged = try await desk.here("purge", "--yes", "list")
                #expect(purged.end == .exited(0) && purged.errors.contains("is an administrator there"), "\(purged.errors)")
                _ = try await desk.here("append", "list", input: "three\n")
                let synced = try await desk.here("sync", "--once", "there")
                #expect(synced.end == .exited(0), "\(synced.errors)")
                _ = try await desk.there("append", "list", input: "four\n")
                _ = try await desk.here("sync", "--once", "there")
                for daemon in [desk.here, desk.there] {
                    #expect(try await desk.texts(daemon) == ["list": "one\ntwo\nthree\nfour\n"])
                    #expect(try await desk.run(daemon, ["audit"]).end == .exited(0))
                    try await desk.until("the text is gone") {
                        try await !desk.run(daemon, ["status"]).text.contains("purge")
                    }
                    let files = try FileManager.default.contentsOfDirectory(atPath: daemon.data).filter { $0.hasPrefix("notes.") }
                    for file in files {
                        let bytes = try Data(contentsOf: URL(fileURLWithPath: daemon.data + "/" + file))
                        #expect(bytes.range(of: Data("hunter2".utf8)) == nil, "\(file) of \(daemon.data)")
                    }
                }
            }
        }

        /// A store whose old texts were compacted cannot send them. Its backup has the rest of its history.
        @Test func backupOfACompactedStore_isANewMachine() async throws {
            try await desk(configThere: "[history]\nkeep_days = 0\n") { desk in
                _ = try await desk.there("new", "list", input: "one\n")
                _ = try await desk.there("append", "list", input: "two\n")
                try await desk.there.restart(after: SIGTERM)
                try await desk.until("old texts are compacted") {
                    try await desk.there("audit").text.contains("1 of them compacted")
                }
                // The store knows a peer, which the new machine need not meet.
                _ = try await desk.here("peer", "add", "--yes", "--no-start", "there", desk.address)
                #expect(try await desk.there("peer", "list").lines.count == 1)
                let backup = desk.there.scratch.file("new.db")
                #expect(try await desk.there("backup", backup).end == .exited(0))
                try await desk.here.end(SIGTERM)
                try FileManager.default.removeItem(atPath: desk.here.data)
                let restored = try await BackupSupport.notesd("restore", backup, "--new-store", "--data", desk.here.data)
                #expect(restored.end == .exited(0), "\(restored.errors)")
                #expect(restored.text.contains("remove each with `notesctl peer remove` and add it again"), "\(restored.text)")
                try await desk.here.start()
                let other = try await desk.here("sync", "--once", "there")
                #expect(other.end == .exited(64) && other.errors.contains("`notesctl peer remove` and add it"), "\(other.errors)")
                _ = try await desk.here("peer", "remove", "there")
                #expect(try await desk.here("peer", "list").text.isEmpty, "the new store knows no peers")
                _ = try await desk.here("append", "list", input: "here\n")
                _ = try await desk.there("append", "list", input: "there\n")
                let added = try await desk.here("peer", "add", "--yes", "--no-start", "there", desk.address)
                #expect(
                    added.lines == ["received  1 revisions", "sent      1 revisions", "up to date"] + added.lines.dropFirst(3))
                let (here, there) = (try await desk.here.client("judge"), try await desk.there.client("judge"))
                #expect(await here.hello?.store != there.hello?.store, "the new store has an id of its own")
                for client in [here, there] { await client.close() }
                let texts = try await desk.texts(desk.here)
                #expect(texts["list"]?.split(separator: "\n").sorted() == ["here", "one", "there", "two"])
                #expect(try await desk.texts(desk.there) == texts)
                #expect(try await desk.here("audit").end == .exited(0))
                #expect(try await desk.there("audit").end == .exited(0))
            }
        }

        @Test func wrongUse_isExplained() async throws {
            try await desk { desk in
                let cases: [([String], Int32, String)] = [
                    (["peer", "add", "Server", desk.address], 64, "cannot be the name of a peer"),
                    (["peer", "add", "there", "-oProxyCommand=x"], 64, "has no option"),
                    (["peer", "add", "there", "ssh://ada:secret@host"], 64, "must not contain a password"),
                    (["peer", "add", "there", "unix:relative"], 64, "must be absolute"),
                    (["peer", "add", "there", desk.address], 64, "confirm with --yes"),
                    (["peer", "add", "--yes", "there", "unix:\(desk.here.socket)"], 64, "same daemon"),
                    (["peer", "add", "--yes", "there", "exec:exit 3"], 69, "ended before a daemon answered"),
                    (["peer", "add", "--yes", "there", "unix:/nonexistent/x.sock"], 69, "does not exist"),
                    (["peer", "remove", "nobody"], 64, "there is no peer nobody"),
                    (["sync", "nobody"], 64, "there is no peer nobody"),
                ]
                for (arguments, code, message) in cases {
                    let run = try await desk.run(desk.here, arguments)
                    #expect(run.end == .exited(code) && run.errors.contains(message), "\(arguments): \(run.end) \(run.errors)")
                }
                #expect(try await desk.here("peer", "list").text.isEmpty)
            }
        }
    }
}
