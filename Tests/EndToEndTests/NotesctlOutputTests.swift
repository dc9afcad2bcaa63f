import Foundation
import NoteText
import NotesClient
import NotesModel
import NotesWire
import StrictJSON
import TestKit
import Testing

extension EndToEnd {
    /// Tests of notesctl's output for programs, its man pages and its self-checks.
    struct NotesctlOutputTests {
        private func members(_ line: String) throws -> [String] {
            try JSONDocument(parsing: bytes(line), depthMax: WireProtocol.serverDepthMax).root.members.map { $0.name.description }
        }

        /// The fields that `help formats` names, by command.
        private func documented(_ daemon: DaemonProcess) async throws -> [String: Set<String>] {
            var fields: [String: Set<String>] = [:]
            var names: [String] = []
            for line in try await daemon.notesctl("help", "formats").lines {
                if let match = line.wholeMatch(of: /([a-z, ]+):/), !line.hasPrefix(" ") {
                    names = match.output.1.split(separator: ", ").map(String.init)
                } else if let match = line.firstMatch(of: /^  ([A-Za-z]+) +\S/) {
                    for name in names { fields[name, default: []].insert(String(match.output.1)) }
                }
            }
            return fields
        }

        /// The JSON of every command has exactly the fields that the help names.
        @Test func json_hasFieldsNamedInHelp() async throws {
            try await DaemonProcess.run { daemon in
                let fields = try await documented(daemon)
                #expect((fields["list"]?.count ?? 0) > 10 && (fields["status"]?.count ?? 0) > 10)
                let folder = try daemon.scratch.directory("out")
                let runs: [(name: String, words: [String], input: String)] = [
                    ("new", ["new", "a"], "one #todo\n"), ("append", ["append", "a"], "two\n"),
                    ("save", ["save", "a", "--replace"], "three\n"),
                    ("filter", ["filter", "a"], ""), ("mv", ["mv", "a", "b"], ""), ("list", ["list"], ""),
                    ("show", ["show", "b"], ""),
                    ("diff", ["diff", "b"], ""), ("history", ["history", "b"], ""), ("log", ["log"], ""), ("tags", ["tags"], ""),
                    ("undo", ["undo", "b"], ""), ("op log", ["op", "log"], ""), ("op undo", ["op", "undo"], ""),
                    ("export", ["export", folder], ""), ("import", ["import", folder], ""), ("status", ["status"], ""),
                    ("audit", ["audit"], ""), ("doctor", ["doctor"], ""),
                    ("rm", ["rm", "a"], ""),
                ]
                for run in runs {
                    let more = run.name == "filter" ? ["--", "tr", "a-z", "A-Z"] : []
                    let result = try await daemon.notesctl(
                        run.words + ["--json"] + more, input: bytes(run.input),
                        environment: ["XDG_STATE_HOME": daemon.scratch.file("state")])
                    #expect(result.end == .exited(0), "\(run.name): \(result.errors)")
                    if run.name != "tags" { #expect(!result.lines.isEmpty, "\(run.name)") }
                    for line in result.lines {
                        let unknown = Set(try members(line)).subtracting(fields[run.name] ?? [])
                        #expect(unknown.isEmpty, "\(run.name) writes \(unknown)")
                    }
                }
            }
        }

        @Test func lists_haveOrdersAndLimits_andShortIDsDenoteNotes() async throws {
            try await DaemonProcess.run { daemon in
                for (name, text) in [("b", "1\n"), ("a", "long #tag #Work\n"), ("c", "22 #work\n")] {
                    _ = try await daemon.notesctl("new", name, input: text)
                }
                let id = try await daemon.notesctl("new", "--json=id", input: "no name\n").text
                _ = try await daemon.notesctl("append", "b", input: "3\n")
                func names(_ words: String...) async throws -> [String] {
                    try await daemon.notesctl(["list", "--format", "{name}."] + words).lines
                }
                #expect(try await names() == ["a.", "b.", "c.", "."])
                #expect(try await names("-n", "2") == ["a.", "b."])
                #expect(try await names("--sort", "modified") == ["b.", ".", "c.", "a."])
                #expect(try await names("--sort", "modified", "--limit", "1", "--tag", "work") == ["c."])
                #expect(try await names("--sort", "created", "--since", "1h") == [".", "c.", "a.", "b."])
                #expect(try await names("--sort", "size", "--limit", "2") == ["a.", "c."])
                #expect(try await names("--since", "today", "--prefix", "b") == ["b."])
                let wrong = try await daemon.notesctl("list", "--since", "tomorrow")
                #expect(wrong.end == .exited(64) && wrong.errors.contains("2026-11-25"), "\(wrong.errors)")
                #expect(try await daemon.notesctl("tags").text == "work\t2\ntag\t1\n")
                #expect(try await daemon.notesctl("tags", "--prefix", "a").text == "tag\t1\nwork\t1\n")
                #expect(try await daemon.notesctl("log", "-n", "2", "--format", "{revision.name}.").lines == ["b.", "."])
                let end = try #require(id.firstMatch(of: /([0-9a-f]{6})"/)).output.1
                #expect(try await daemon.notesctl("show", String(end)).text == "no name\n")
            }
        }

        @Test func deletedNotes_keepTheirLastNamesAndTitles() async throws {
            try await DaemonProcess.run { daemon in
                let state = ["XDG_STATE_HOME": daemon.scratch.file("state")]
                func run(_ words: String..., input: String = "") async throws -> Command {
                    try await daemon.notesctl(words, input: bytes(input), environment: state)
                }
                _ = try await run("new", "work/old", input: "# Plans\n")
                _ = try await run("mv", "work/old", "work/plans")
                let nameless = try await run("new", "--json=id", input: "Milk and bread\n").text
                let id = try #require(nameless.firstMatch(of: /"([0-9a-f-]{36})"/)).output.1
                _ = try await run("rm", "work/plans", String(id))
                let fields = try await run("list", "--deleted", "--format", "{name}|{title}|{bytes}").lines
                #expect(fields == ["work/plans|Plans|0", "|Milk and bread|0"])
                #expect(
                    try await run("list", "--deleted", "--sort", "modified", "-n", "1", "--format", "{id}").lines == [String(id)])
                let operations = try await run("op", "log").lines
                #expect(operations.first?.contains("work/plans, “Milk and bread”") == true, "\(operations)")
            }
        }

        @Test func output_supportsFieldsFormatsAndZeroBytes() async throws {
            try await DaemonProcess.run { daemon in
                for name in ["a", "b c"] { _ = try await daemon.notesctl("new", name, input: "# T\n#x #y\n") }
                #expect(
                    try await daemon.notesctl("list", "--json=name,bytes").lines == [
                        #"{"name":"a","bytes":10}"#, #"{"name":"b c","bytes":10}"#,
                    ])
                #expect(try await daemon.notesctl("list", "--format", #"{name}\t{tags}"#).text == "a\tx,y\nb c\tx,y\n")
                #expect(try await daemon.notesctl("list", "--format", "{name}", "-0").output == bytes("a\0b c\0"))
                let wrong = try await daemon.notesctl("save", "a", "--replace", "--json=outcom", input: "never\n")
                #expect(wrong.end == .exited(64) && wrong.errors.contains("did you mean `outcome`?"), "\(wrong.errors)")
                #expect(try await daemon.notesctl("show", "a").text == "# T\n#x #y\n", "it is refused before any write")
                let near = try await daemon.notesctl("show", "bc")
                #expect(near.end == .exited(66) && near.errors.contains("did you mean `b c`?"), "\(near.errors)")
            }
        }

        /// Lists several pages without keeping them: a long list needs no more memory than a short
        /// one.
        @Test func listOfManyNotes_isPaged() async throws {
            try await DaemonProcess.run { daemon in
                let client = try await daemon.client("maker")
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 0..<2_500 {
                        group.addTask {
                            _ = try await client.create(text: bytes("x\n"), name: ByteString("n/\(10_000 + number)"))
                        }
                    }
                    try await group.waitForAll()
                }
                await client.close()
                let names = (0..<2_500).map { "n/\(10_000 + $0)" }
                #expect(try await daemon.notesctl("list", "--format", "{name}").lines == names)
                let plain = try await daemon.notesctl("list")
                #expect(
                    plain.lines.map { $0.split(separator: "\t", omittingEmptySubsequences: false)[3] } == names.map { $0[...] })
            }
        }

        @Test func watch_runsCommandForEachChange() async throws {
            try await DaemonProcess.run { daemon in
                _ = try await daemon.notesctl("new", "a", input: "x\n")
                let place = daemon.scratch.file("told")
                let command =
                    #"echo "$NOTESD_CHANGE $NOTESD_NAME $(grep -c cursor)" >> "# + place + #"; test "$NOTESD_CHANGE" != deleted"#
                let ends = UnixPipe.ends()
                let watching = try ChildProcess(
                    Binaries.notesctl, ["watch", "--snapshot", "--exec", command, "--socket", daemon.socket],
                    environment: ["PATH": "/usr/bin:/bin", "XDG_STATE_HOME": daemon.scratch.path], errors: ends.writing)
                close(ends.writing)
                let errors = LineReader(ends.reading)
                func awaitChanges(_ count: Int) async throws -> [String] {
                    try await within("\(count) changes") {
                        while true {
                            let lines = ((try? Files.read(place)) ?? []).split(separator: 10).map {
                                String(decoding: $0, as: UTF8.self)
                            }
                            if lines.count >= count { return lines }
                            try await Task.sleep(for: .milliseconds(10))
                        }
                    }
                }
                #expect(try await awaitChanges(1) == ["snapshot a 1"])
                _ = try await daemon.notesctl("append", "a", "-t", "y")
                #expect(try await awaitChanges(2).last == "edited a 1")
                _ = try await daemon.notesctl("rm", "a")
                #expect(try await errors.line("the complaint")?.contains("exited with status 1") == true)
                watching.send(SIGINT)
                _ = try await watching.end()
            }
        }

        /// Runs notesctl from a shell that passes on the signal settings it was started with.
        @Test func watchCommand_canBeTerminated() async throws {
            try await DaemonProcess.run { daemon in
                _ = try await daemon.notesctl("new", "a", input: "x\n")
                let programs = try daemon.scratch.directory("programs")
                try FileManager.default.createSymbolicLink(atPath: programs + "/sh", withDestinationPath: "/bin/bash")
                let ends = UnixPipe.ends()
                let watching = try ChildProcess(
                    Binaries.notesctl,
                    ["watch", "--snapshot", "--exec", "grep ^SigBlk /proc/self/status >&2", "--socket", daemon.socket],
                    environment: ["PATH": "\(programs):/usr/bin:/bin"], errors: ends.writing)
                close(ends.writing)
                #expect(try await LineReader(ends.reading).line("its signals") == "SigBlk:\t0000000000000000")
                watching.send(SIGINT)
                _ = try await watching.end()
            }
        }

        @Test func watch_continuesAfterFailedCommand() async throws {
            try await DaemonProcess.run { daemon in
                _ = try await daemon.notesctl("new", "a", input: "x\n")
                let (folder, place) = (daemon.scratch.file("later"), daemon.scratch.file("told"))
                let ends = UnixPipe.ends()
                let watching = try ChildProcess(
                    Binaries.notesctl,
                    [
                        "watch", "--snapshot", "--exec", #"echo "$NOTESD_CHANGE" >> "# + place + "; false", "--socket",
                        daemon.socket,
                    ],
                    environment: ["PATH": "/usr/bin:/bin", "TMPDIR": folder], errors: ends.writing)
                close(ends.writing)
                let errors = LineReader(ends.reading)
                let complaint = try await errors.line("the complaint")
                #expect(complaint?.contains("a: cannot create a temporary directory") == true, "\(complaint ?? "")")
                _ = try daemon.scratch.directory("later")
                _ = try await daemon.notesctl("append", "a", "-t", "y")
                #expect(try await errors.line("the command's end")?.contains("exited with status 1") == true)
                #expect(try Files.read(place) == bytes("edited\n"))
                watching.send(SIGINT)
                _ = try await watching.end()
            }
        }

        @Test func doctor_withoutAnyPath_reportsIt() async throws {
            let system = "/run/notesd/notesd.sock"
            guard access(system, F_OK) != 0 else { return }
            let found = try await Command.run(Binaries.notesctl, ["doctor", "--format", "{check} {severity} {what}"])
            #expect(found.end == .exited(69), "\(found.errors)")
            #expect(found.lines.contains { $0.hasPrefix("socket fault") && $0.contains(system) }, "\(found.text)")
            #expect(found.lines.contains { $0.hasPrefix("clock ") }, "the other checks still run: \(found.text)")
        }

        @Test func doctor_reportsFaultsAndFixes() async throws {
            try await DaemonProcess.run { daemon in
                let well = try await daemon.notesctl("doctor", "--format", "{severity} {check}")
                #expect(
                    well.end == .exited(0) && well.lines.contains("ok daemon") && well.lines.contains("ok clock"), "\(well.text)")
                #expect(!well.text.contains("fault"), "\(well.text)")
                try await daemon.end(SIGKILL)
                let dead = try await daemon.notesctl("doctor")
                #expect(
                    dead.end == .exited(69) && dead.text.contains("nothing is listening") && dead.text.contains("do: "),
                    "\(dead.text)")
                unlink(daemon.socket)
                let missing = try await daemon.notesctl("doctor", "--format", "{check} {severity} {todo}")
                #expect(missing.lines.contains { $0.hasPrefix("socket fault start it") }, "\(missing.text)")
                try Files.write([], to: daemon.socket)
                #expect(try await daemon.notesctl("doctor").text.contains("is not a socket"))
            }
        }

        /// A `systemctl` that prints the given states, after a first call during an attempt to start.
        private func systemctl(_ state: String, _ properties: String, in scratch: Scratch) throws -> String {
            let folder = try scratch.directory("bin")
            let script = """
                #!/bin/sh
                [ "$1" = --user ] && shift
                case $1 in
                is-active) printf 'active\\n\(state)\\n' ;;
                show)
                    if [ -e "$0.seen" ]; then printf '\(properties)'; else printf 'ActiveState=activating\\nSubState=start\\n'; fi
                    : >"$0.seen" ;;
                esac
                """
            try Files.write(bytes(script), to: folder + "/systemctl")
            chmod(folder + "/systemctl", 0o755)
            return folder + ":/usr/bin:/bin"
        }

        @Test func doctor_ofDaemonThatDoesNotStart_givesItsReason() async throws {
            let scratch = try Scratch()
            let runtime = try scratch.directory("runtime")
            _ = try scratch.directory("runtime/notesd")
            // Nobody accepts, as while the daemon starts again and again.
            let socket = try UnixSocket.bound(to: runtime + "/notesd/notesd.sock", SOCK_STREAM)
            defer { close(socket) }
            listen(socket, 10)
            let reason = "60-typo.toml: limits.note_bytes_max: is a string"
            let states = "ActiveState=activating\\nSubState=auto-restart\\nExecMainStatus=75\\nStatusText=\(reason)\\n"
            let path = try systemctl("activating", states, in: scratch)
            let found = try await Command.run(
                Binaries.notesctl, ["doctor", "--format", "{check} {severity} {what}"],
                environment: ["XDG_RUNTIME_DIR": runtime, "PATH": path])
            #expect(found.end == .exited(69), "\(found.errors)")
            let units = found.lines.firstIndex { $0.hasPrefix("units fault") && $0.contains("\(reason) (exit code 75)") }
            let daemon = found.lines.firstIndex { $0.hasPrefix("daemon fault") }
            #expect(try #require(units) < #require(daemon), "the reason comes before the wait: \(found.text)")
            #expect(found.lines.count { $0.hasPrefix("units ") } == 1, "\(found.text)")
        }

        /// The user asked about one store, and others are none of their business.
        @Test func doctor_checksNoOtherStore() async throws {
            try await DaemonProcess.run { daemon in
                let path = try systemctl("failed", "ActiveState=failed\\nExecMainStatus=78\\n", in: daemon.scratch)
                let found = try await daemon.notesctl(
                    ["doctor", "--format", "{check} {severity} {what}"],
                    environment: ["PATH": path, "XDG_DATA_HOME": daemon.scratch.file("nowhere")])
                #expect(found.end == .exited(0), "\(found.text)")
                let disks = found.lines.filter { $0.hasPrefix("disk ") }
                #expect(disks.count == 1 && disks.allSatisfy { $0.hasSuffix(daemon.data) }, "\(found.text)")
                #expect(found.lines.contains { $0.hasPrefix("units note") }, "the failed service is not this one: \(found.text)")
            }
        }

        @Test(.enabled(if: Tools.has("man"), Tools.missing("man")))
        func manPages_haveNoWarnings_andCoverEveryCommand() async throws {
            let scratch = try Scratch()
            let folder = try scratch.directory("man")
            let made = try await Command.run(Binaries.notesctl, ["manual-pages", folder])
            #expect(made.end == .exited(0), "\(made.errors)")
            let pages = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
            #expect(pages.contains("notesctl.1") && pages.contains("notesctl-list.1") && pages.contains("notesctl-op-undo.1"))
            let help = try await Command.run(Binaries.notesctl, ["help"]).text
            let commands = help.matches(of: /\n  ([a-z]+) {2,}\S/).map { String($0.output.1) }
            #expect(commands.count > 20 && commands.allSatisfy { pages.contains("notesctl-\($0).1") }, "\(commands)")
            let written = #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined() + "/docs/man"
            let others = ["notesd.8", "notesd-postgres.1"].map { "\(written)/\($0)" }
            for path in pages.map({ "\(folder)/\($0)" }) + others {
                let shown = try await Command.run(
                    "/usr/bin/man", ["--warnings", "-l", path],
                    environment: ["LC_ALL": "C.UTF-8", "MANWIDTH": "80", "PAGER": "cat"])
                #expect(shown.end == .exited(0) && shown.errors.isEmpty, "\(path): \(shown.errors)")
                #expect(shown.text.contains("NAME") && shown.text.contains("SYNOPSIS"), "\(path)")
            }
        }
    }
}
