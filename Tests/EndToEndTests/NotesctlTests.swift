import Causality
import Foundation
import NoteText
import NotesClient
import NotesModel
import NotesWire
import StrictJSON
import TestKit
import Testing

extension EndToEnd {
    /// Tests of notesctl as people and scripts use it.
    @Suite struct NotesctlTests {
        @Test func note_isCreatedListedShownSavedAndDeleted() async throws {
            try await DaemonProcess.run { daemon in
                let made = try await daemon.notesctl("new", "work/inbox", input: "# Inbox\nmilk #todo\n")
                #expect(made.end == .exited(0) && made.errors.isEmpty, "\(made.errors)")
                let id = try #require(made.lines.first)
                #expect(NoteID(parsing: id.utf8) != nil && made.lines.count == 1)

                let listed = try await daemon.notesctl("list")
                let row = try #require(listed.lines.first)
                #expect(
                    listed.lines.count == 1 && row.contains("work/inbox") && row.contains("Inbox") && row.contains("\t#todo\t"),
                    "\(row)")
                #expect(id.hasPrefix(try #require(row.split(separator: "\t").first)), "its id comes first")

                for reference in ["work/inbox", id, String(id.prefix(12))] {
                    let shown = try await daemon.notesctl("show", reference)
                    #expect(shown.output == bytes("# Inbox\nmilk #todo\n"), "\(reference): \(shown.errors)")
                }
                let saved = try await daemon.notesctl("save", "work/inbox", "--replace", input: "# Inbox\nbread\n")
                let version = try #require(saved.lines.first)
                #expect(Version(parsing: version.utf8)?.single != nil, "a script gets the version alone")
                let base = try await daemon.notesctl("save", "work/inbox", "--base", version, input: "# Inbox\nbread\nsalt\n")
                #expect(base.end == .exited(0))

                let removed = try await daemon.notesctl("rm", "work/inbox")
                #expect(removed.end == .exited(0) && removed.output.isEmpty, "\(removed.errors)")
                #expect(try await daemon.notesctl("list").output.isEmpty)
                #expect(try await daemon.notesctl("list", "--deleted").lines.count == 1)
                #expect(try await daemon.notesctl("show", id).end == .exited(66))
                let history = try await daemon.notesctl("history", id)
                #expect(history.lines.count == 4, "\(history.text)")
                for (line, word) in zip(history.lines, ["deleted", "saved", "saved", "created, as work/inbox"]) {
                    #expect(line.hasSuffix(word), "\(line)")
                }
                let old = try await daemon.notesctl("show", id, "--at", version)
                #expect(old.output == bytes("# Inbox\nbread\n"), "\(old.errors)")
            }
        }

        /// Two users start from the same version: neither overwrites changes not seen.
        @Test func savesOnOldBase_areMerged() async throws {
            try await DaemonProcess.run { daemon in
                _ = try await daemon.notesctl("new", "a", input: "one\n")
                let shown = try await daemon.notesctl("show", "--json", "a")
                let base = try #require(try Self.object(shown)["version"]?.string?.description)
                _ = try await daemon.notesctl("save", "a", "--base", base, input: "zero\none\n")
                let merged = try await daemon.notesctl("save", "a", "--base", base, input: "one\ntwo\n")
                #expect(merged.end == .exited(0) && merged.errors.contains("merged"), "\(merged.errors)")
                #expect(try await daemon.notesctl("show", "a").text == "zero\none\ntwo\n")
                let again = try await daemon.notesctl("save", "a", "--replace", input: "zero\none\ntwo\n")
                #expect(again.errors.contains("nothing changed"), "\(again.errors)")
            }
        }

        @Test func json_matchesTheProtocol() async throws {
            try await DaemonProcess.run { daemon in
                let made = try Self.object(try await daemon.notesctl("new", "--json", "a", input: "x\n"))
                #expect(made["name"]?.string == "a" && made["text"] == nil)
                let saved = try Self.object(try await daemon.notesctl("save", "--json", "a", "--replace", input: "y\n"))
                let outcome = try OutcomeResult(reading: saved)
                #expect(outcome.outcome == .saved)
                let shown = try Self.object(try await daemon.notesctl("show", "--json", "a"))
                #expect(shown["text"]?.string == "y\n" && shown["version"]?.string?.description == outcome.version.description)
                let listed = try Self.object(try await daemon.notesctl("list", "--json"))
                #expect(listed["id"]?.string == made["id"]?.string)
                let history = try await daemon.notesctl("history", "--json", "a")
                let revisions = try history.lines.map { try Self.object($0) }
                #expect(revisions.compactMap { $0["kind"]?.string } == ["saved", "saved"])
                #expect(revisions.first?["dot"]?.string?.description == outcome.version.description)
                let status = try StatusResult(reading: Self.object(try await daemon.notesctl("status", "--json")))
                #expect(status.store.notes == 1 && status.store.revisions == 2 && status.state == .ok)
                let plain = try await daemon.notesctl("status")
                #expect(plain.lines.contains { $0.hasPrefix("notes ") && $0.hasSuffix(" 1") }, "\(plain.text)")
                #expect(plain.lines.contains { $0.hasPrefix("socket ") && $0.hasSuffix(daemon.socket) }, "\(plain.text)")
            }
        }

        @Test func filter_savesOutputOfCommand() async throws {
            try await DaemonProcess.run { daemon in
                _ = try await daemon.notesctl("new", "a", input: "b\na\nb\n")
                let sorted = try await daemon.notesctl("filter", "a", "--", "sort", "-u")
                #expect(sorted.end == .exited(0), "\(sorted.errors)")
                #expect(try await daemon.notesctl("show", "a").text == "a\nb\n")
                let failed = try await daemon.notesctl("filter", "a", "--", "sh", "-c", "echo lost; exit 3")
                #expect(failed.end == .exited(1) && failed.errors.contains("nothing was saved"), "\(failed.errors)")
                let wrong = try await daemon.notesctl("filter", "a", "--", "printf", "\\377")
                #expect(wrong.end == .exited(65), "\(wrong.errors)")
                #expect(try await daemon.notesctl("show", "a").text == "a\nb\n", "a command that fails changes nothing")
                #expect(try await daemon.notesctl("history", "a").lines.count == 2)
            }
        }

        /// Another client writes while an editor is open: the result contains both changes.
        @Test func edit_mergesConcurrentWrites() async throws {
            try await DaemonProcess.run { daemon in
                _ = try await daemon.notesctl("new", "a", input: "one\n")
                let editor = try daemon.scratch.write(
                    """
                    set -e
                    "\(Binaries.notesctl)" save a --replace <<END
                    zero
                    one
                    END
                    echo two >> "$1"
                    """, to: "editor.sh")
                let edited = try await daemon.notesctl(
                    ["edit", "a"], environment: ["EDITOR": "sh \(editor)", "XDG_STATE_HOME": daemon.scratch.path])
                #expect(edited.end == .exited(0) && edited.errors.contains("merged"), "\(edited.errors)")
                #expect(try await daemon.notesctl("show", "a").text == "zero\none\ntwo\n")
                let created = try await daemon.notesctl(["edit", "--create", "b"], environment: ["EDITOR": "echo new >"])
                #expect(created.end == .exited(0), "\(created.errors)")
                #expect(try await daemon.notesctl("show", "b").text == "new\n")
                let nothing = try await daemon.notesctl(["edit", "b"], environment: ["VISUAL": "true", "EDITOR": "false"])
                #expect(nothing.end == .exited(0) && nothing.errors.contains("nothing changed"), "\(nothing.errors)")
                let missing = try await daemon.notesctl(["edit", "c"], environment: ["EDITOR": "true"])
                #expect(missing.end == .exited(66) && missing.errors.contains("--create"), "\(missing.errors)")
            }
        }

        /// A text that cannot be saved stays on disk, and its path is reported.
        @Test func edit_withoutDaemon_keepsTheText() async throws {
            try await DaemonProcess.run { daemon in
                _ = try await daemon.notesctl("new", "a", input: "one\n")
                let editor = try daemon.scratch.write(
                    "kill -9 \(daemon.pid ?? 0); rm \"\(daemon.socket)\"; echo two >> \"$1\"\n", to: "editor.sh")
                let edited = try await daemon.notesctl(
                    ["edit", "a"], environment: ["EDITOR": "sh \(editor)", "XDG_STATE_HOME": daemon.scratch.path])
                #expect(edited.end == .exited(69), "\(edited.errors)")
                let told = try #require(edited.errors.split(separator: "\n").first { $0.contains("your text is in ") })
                let path = try #require(told.components(separatedBy: "your text is in ").last)
                #expect(try Files.read(path) == bytes("one\ntwo\n"))
            }
        }

        @Test func watch_reportsChangesAcrossRestart() async throws {
            try await DaemonProcess.run { daemon in
                _ = try await daemon.notesctl("new", "work/a", input: "x\n")
                let ends = UnixPipe.ends()
                let watching = try ChildProcess(
                    Binaries.notesctl, ["watch", "--snapshot", "--prefix", "work/", "--json", "--socket", daemon.socket],
                    environment: [:], output: ends.writing)
                close(ends.writing)
                let reader = LineReader(ends.reading)
                func changes(until wanted: String) async throws -> [String] {
                    var words: [String] = []
                    while let line = try await reader.line("\(wanted) of notesctl watch") {
                        let object = try Self.object(line)
                        let event = object["event"]?.string?.description ?? ""
                        words.append(event == "changed" ? object["change"]?.string?.description ?? "" : event)
                        if words.last == wanted { return words }
                    }
                    Issue.record("the watch ended before \(wanted)")
                    return words
                }
                #expect(try await changes(until: "synced") == ["started", "snapshot", "synced"])
                _ = try await daemon.notesctl("new", "home", input: "x\n")
                _ = try await daemon.notesctl("new", "work/b", input: "x\n")
                #expect(try await changes(until: "created") == ["created"])
                try await daemon.restart(after: SIGKILL)
                _ = try await daemon.notesctl("save", "work/b", "--replace", input: "y\n")
                #expect(try await changes(until: "edited").contains("interrupted"))
                _ = try await daemon.notesctl("rm", "work/b")
                #expect(try await changes(until: "deleted").last == "deleted")
                watching.send(SIGINT)
                _ = try await watching.end()
            }
        }

        // MARK: Exit codes

        @Test func exitCodes_identifyFailures() async throws {
            try await DaemonProcess.run { daemon in
                _ = try await daemon.notesctl("new", "a", input: "one\n")
                #expect(try await daemon.notesctl("save", "a", input: "two\n").end == .exited(64), "neither --base nor --replace")
                #expect(try await daemon.notesctl("frobnicate").end == .exited(64))
                #expect(try await daemon.notesctl(["new", "b"], input: [0xFF]).end == .exited(65))
                #expect(try await daemon.notesctl("new", "a//b", input: "x").end == .exited(65))
                #expect(try await daemon.notesctl("new", "a", input: "x").end == .exited(1), "the name is taken")
                let missing = try await daemon.notesctl("show", "nothing")
                #expect(missing.end == .exited(66) && missing.errors.contains("notesctl list"), "\(missing.errors)")
                try await daemon.end(SIGTERM)
                let gone = try await daemon.notesctl("list")
                #expect(gone.end == .exited(69) && gone.errors.contains("start it with"), "\(gone.errors)")
            }
        }

        /// A socket that the user may not open, and a daemon that admits nobody else.
        @Test func anotherUser_isNotAllowed() async throws {
            try await DaemonProcess.run { daemon in
                let isRoot = geteuid() == 0
                // Permission bits do not stop root, so another user connects; without root nobody
                // may.
                let program = isRoot ? "/usr/bin/setpriv" : Binaries.notesctl
                let place = "/tmp/notesd-anybody-\(getpid())"
                defer { try? FileManager.default.removeItem(atPath: place) }
                let user = isRoot ? ["--reuid", "65534", "--clear-groups", place + "/notesctl"] : []
                if isRoot {
                    // Other users may be unable to read the directory of the programs.
                    guard mkdir(place, 0o755) == 0 else { throw SystemFault(place) }
                    try FileManager.default.copyItem(atPath: Binaries.notesctl, toPath: place + "/notesctl")
                }
                if !isRoot { chmod(daemon.scratch.file("run"), 0) }
                let shut = try await Command.run(program, user + ["list", "--socket", daemon.socket])
                if !isRoot { chmod(daemon.scratch.file("run"), 0o700) }
                #expect(shut.end == .exited(77), "\(shut.errors)")
                guard isRoot else { return }
                // The permission bits allow access; the daemon checks the peer credentials.
                for path in [daemon.scratch.path, daemon.scratch.file("run")] { chmod(path, 0o755) }
                chmod(daemon.socket, 0o666)
                let refused = try await Command.run(program, user + ["list", "--socket", daemon.socket])
                #expect(refused.end == .exited(77), "\(refused.errors)")
                #expect(try await daemon.notesctl("list").end == .exited(0))
            }
        }

        private static func object(_ command: Command) throws -> JSONValue {
            try object(try #require(command.lines.first, "\(command.errors)"))
        }

        private static func object(_ line: String) throws -> JSONValue {
            try JSONDocument(parsing: bytes(line), depthMax: WireProtocol.serverDepthMax).root
        }
    }
}
