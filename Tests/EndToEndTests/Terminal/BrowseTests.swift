import Foundation
import NotesModel
import TestKit
import Testing

extension EndToEnd {
    /// Tests of `notesctl browse` on a real terminal, with a real daemon.
    @Suite(.enabled(if: Tools.has("tmux"), Tools.missing("tmux")))
    struct BrowseTests {
        func browsing(
            _ daemon: DaemonProcess, columns: Int = 80, rows: Int = 16, editor: String = "true",
            environment more: [String: String] = [:], then command: String = "true", _ body: (Tmux) async throws -> Void
        ) async throws {
            let settings = [
                "NOTESD_SOCKET": daemon.socket, "EDITOR": editor, "XDG_STATE_HOME": daemon.scratch.file("state"),
                "PATH": "\(URL(fileURLWithPath: Binaries.notesctl).deletingLastPathComponent().path):/usr/bin:/bin",
            ]
            let environment = settings.merging(more) { $1 }
            let pid = daemon.scratch.file("browse.pid")
            let line = "echo before; sh -c 'echo $$ > \(pid); exec notesctl browse'; printf '[%s]' $?; \(command)"
            try await Tmux.run(line, columns: columns, rows: rows, environment: environment) { terminal in
                try await body(terminal)
            }
        }

        func pid(_ daemon: DaemonProcess) throws -> Int32 {
            let text = String(decoding: try Files.read(daemon.scratch.file("browse.pid")), as: UTF8.self)
            return try #require(Int32(text.trimmingCharacters(in: .whitespacesAndNewlines)))
        }

        /// The row of the list with a note; nil if there is none.
        private func row(_ screen: String, _ name: String) -> Int? {
            screen.split(separator: "\n", omittingEmptySubsequences: false).firstIndex { line in
                ["", "│"].contains { line.hasPrefix("\($0) \(name) ") || line.hasPrefix("\($0)▸\(name) ") }
            }
        }

        func makeNotes(_ daemon: DaemonProcess) async throws {
            for (name, text) in [("old", "an old note\n"), ("shopping", "# Oats\n- oat milk\n"), ("work/inbox", "# In\n")] {
                _ = try await daemon.notesctl("new", name, input: text)
            }
        }

        /// B1: a change by another program reaches the list and the note; quitting brings the first
        /// screen back.
        @Test func listAndNote_followOtherPrograms_untilQuit() async throws {
            try await DaemonProcess.run { daemon in
                try await makeNotes(daemon)
                try await browsing(daemon) { terminal in
                    let start = try await terminal.screen { $0.contains("│# In") && $0.contains("3 notes") }
                    #expect(row(start, "work/inbox") == 1 && row(start, "old") == 3, "\(start)")
                    #expect(!start.contains("before"))
                    _ = try await daemon.notesctl("append", "old", input: "and a new line\n")
                    let changed = try await terminal.screen { row($0, "old") == 1 }
                    #expect(changed.contains("▸work/inbox"), "\(changed)")
                    _ = try await daemon.notesctl("append", "work/inbox", input: "seen at once\n")
                    _ = try await terminal.screen { $0.contains("│seen at once") && row($0, "work/inbox") == 1 }
                    try await terminal.type("old li")
                    let found = try await terminal.screen { $0.contains("1 of 3") && $0.contains("│and a new line") }
                    #expect(row(found, "work/inbox") == nil, "\(found)")
                    try await terminal.press("Escape")
                    _ = try await terminal.screen { row($0, "work/inbox") == 1 }
                    try await terminal.press("Tab")
                    try await terminal.type("q")
                    let end = try await terminal.screen { $0.contains("[0]") }
                    #expect(end.hasPrefix("before\n[0]") && !end.contains("│"), "\(end)")
                }
            }
        }

        /// A search whose last word is one character, Enter and a text, all at once.
        @Test func keysAfterEnter_goIntoTheNoteOfTheSearch() async throws {
            try await DaemonProcess.run { daemon in
                for name in ["meeting-1", "meeting-10", "other"] {
                    _ = try await daemon.notesctl("new", name, input: "\(name)\n")
                }
                try await browsing(daemon) { terminal in
                    _ = try await terminal.screen { $0.contains("│other") }
                    try await terminal.type("name:meeting-1\rtyped ")
                    _ = try await terminal.screen { $0.contains("│typed meeting-1") && $0.contains("─ saved ") }
                    for name in ["meeting-10", "other"] {
                        #expect(try await daemon.notesctl("show", name).text == "\(name)\n")
                    }
                    #expect(try await daemon.notesctl("show", "meeting-1").text == "typed meeting-1\n")
                }
            }
        }

        @Test func daemonAway_isShown_andItsReturnToo() async throws {
            try await DaemonProcess.run { daemon in
                try await makeNotes(daemon)
                try await browsing(daemon) { terminal in
                    _ = try await terminal.screen { $0.contains("3 notes") }
                    try await daemon.end(SIGKILL)
                    let away = try await terminal.screen { $0.contains("offline") }
                    #expect(row(away, "shopping") != nil, "\(away)")
                    try await daemon.start()
                    _ = try await terminal.screen { $0.contains("3 notes") }
                    _ = try await daemon.notesctl("append", "old", input: "after the return\n")
                    _ = try await terminal.screen { row($0, "old") == 1 }
                    try await terminal.press("C-c")
                    _ = try await terminal.screen { $0.contains("[0]") }
                }
            }
        }

        @Test func commandsInTheList_areThoseOfNotesctl() async throws {
            try await DaemonProcess.run { daemon in
                try await makeNotes(daemon)
                let editor = try daemon.scratch.write("#!/bin/sh\necho by the editor >> \"$1\"\n", to: "editor")
                try #require(chmod(editor, 0o755) == 0)
                try await browsing(daemon, columns: 100, editor: editor) { terminal in
                    _ = try await terminal.screen { $0.contains("3 notes") }
                    try await terminal.press("Tab")
                    try await terminal.type("e")
                    _ = try await terminal.screen {
                        $0.contains("│by the editor") && $0.contains("saved; u in the list undoes it")
                    }
                    try await terminal.type("h")
                    _ = try await terminal.screen { $0.contains("│+by the editor") && $0.contains("history") }
                    try await terminal.press("Escape")
                    // A letter right after ESC would be a key with Alt.
                    _ = try await terminal.screen { !$0.contains("history ┐") }
                    try await terminal.type("d")
                    _ = try await terminal.screen {
                        $0.contains("deleted work/inbox; u brings it back") && $0.contains("2 notes")
                    }
                    #expect(try await daemon.notesctl("show", "work/inbox").end == .exited(66))
                    try await terminal.type("u")
                    _ = try await terminal.screen { $0.contains("undid the deletion of work/inbox") && $0.contains("3 notes") }
                    #expect(try await daemon.notesctl("show", "work/inbox").text == "# In\nby the editor\n")
                    try await terminal.type("q")
                    _ = try await terminal.screen { $0.contains("[0]") }
                }
                // Each command is an operation of its own.
                let operations = try await daemon.notesctl(
                    ["op", "log", "--format", "{command}"], environment: ["XDG_STATE_HOME": daemon.scratch.file("state")])
                #expect(Array(operations.lines.prefix(3)) == ["undo", "rm", "edit"], "\(operations.text)")
            }
        }

        /// Two people type in one note at once, and the daemon is killed meanwhile: both see the same text
        /// at the end, with everything that both typed.
        @Test func typing_inTwoTerminals_converges_andOutlivesTheDaemon() async throws {
            try await DaemonProcess.run { daemon in
                _ = try await daemon.notesctl("new", "shopping", input: "milk\nbread\n")
                try await browsing(daemon) { first in
                    try await browsing(daemon) { second in
                        for terminal in [first, second] {
                            _ = try await terminal.screen { $0.contains("│milk") }
                            try await terminal.press("Enter")
                            _ = try await terminal.screen { $0.contains("saved") }
                        }
                        try await first.press("End")
                        try await second.press("Down")
                        try await second.press("End")
                        for (left, right) in zip(" oats", " rye.") {
                            try await first.type(String(left))
                            try await second.type(String(right))
                        }
                        for terminal in [first, second] {
                            _ = try await terminal.screen { $0.contains("│milk oats") && $0.contains("│bread rye.") }
                        }
                        try await daemon.end(SIGKILL)
                        _ = try await first.screen { $0.contains("offline") }
                        try await first.type(" offline")
                        _ = try await first.screen { $0.contains("not saved yet") }
                        try await daemon.start()
                        for terminal in [first, second] {
                            _ = try await terminal.screen { $0.contains("│milk oats offline") && $0.contains("─ saved ") }
                        }
                        #expect(try await daemon.notesctl("show", "shopping").text == "milk oats offline\nbread rye.\n")
                        try await first.press("C-z")
                        _ = try await second.screen { !$0.contains("offline") && $0.contains("│bread rye.") }
                    }
                }
            }
        }

        /// B4: a failing editor leaves the note alone, and the screen says why.
        @Test func failingEditor_isReported() async throws {
            try await DaemonProcess.run { daemon in
                try await makeNotes(daemon)
                try await browsing(daemon, editor: "false") { terminal in
                    _ = try await terminal.screen { $0.contains("3 notes") }
                    try await terminal.press("Tab")
                    try await terminal.type("e")
                    _ = try await terminal.screen { $0.contains("the editor exited with status 1; nothing was saved") }
                    try await terminal.press("C-c")
                    _ = try await terminal.screen { $0.contains("[0]") }
                }
            }
        }

        /// B5 and B8: keys that mean nothing and any size leave the program running.
        @Test func unknownKeysAndSizes_changeNothing() async throws {
            try await DaemonProcess.run { daemon in
                try await makeNotes(daemon)
                try await browsing(daemon) { terminal in
                    _ = try await terminal.screen { $0.contains("3 notes") }
                    try await terminal.press("Tab")
                    for key in ["F1", "F5", "F12", "M-q", "M-d", "C-Up", "S-F3", "C-g"] { try await terminal.press(key) }
                    for (columns, rows) in [(20, 5), (3, 2), (200, 50), (1, 1), (40, 12)] {
                        try await terminal.resize(columns: columns, rows: rows)
                    }
                    let small = try await terminal.screen { $0.contains("3 notes") && !$0.contains("┌") }
                    #expect(row(small, "old") == 3, "\(small)")
                    try await terminal.resize(columns: 80, rows: 16)
                    let large = try await terminal.screen { $0.contains("┌") && $0.contains("q quit") }
                    #expect(row(large, "work/inbox") == 1, "\(large)")
                    try await terminal.press("C-c")
                    _ = try await terminal.screen { $0.contains("[0]") }
                }
            }
        }

        @Test(arguments: [SIGTERM, SIGHUP])
        func signals_restoreTheTerminal(signal: Int32) async throws {
            try await DaemonProcess.run { daemon in
                try await makeNotes(daemon)
                let command = "stty -a | tr ' ' '\\n' | grep -x -e '-*icanon' -e '-*echo'"
                try await browsing(daemon, then: command) { terminal in
                    _ = try await terminal.screen { $0.contains("3 notes") }
                    kill(try pid(daemon), signal)
                    let end = try await terminal.screen { $0.contains("[\(128 + signal)]") && $0.contains("echo\n") }
                    #expect(end.contains("before\n") && end.contains("icanon") && !end.contains("-icanon"), "\(end)")
                    #expect(!end.contains("-echo") && !end.contains("│"), "\(end)")
                }
            }
        }

        @Test func suspension_returnsToTheShell_andBack() async throws {
            try await DaemonProcess.run { daemon in
                try await makeNotes(daemon)
                let environment = [
                    "NOTESD_SOCKET": daemon.socket, "PS1": "$ ",
                    "PATH": "\(URL(fileURLWithPath: Binaries.notesctl).deletingLastPathComponent().path):/usr/bin:/bin",
                ]
                let shell = "exec bash --noprofile --norc -i"
                try await Tmux.run(shell, columns: 80, rows: 16, environment: environment) { terminal in
                    _ = try await terminal.screen { $0.contains("$") }
                    try await terminal.type("notesctl browse")
                    try await terminal.press("Enter")
                    _ = try await terminal.screen { $0.contains("│# In") }
                    try await terminal.press("C-z")
                    let shell = try await terminal.screen { $0.contains("Stopped") }
                    #expect(!shell.contains("│"), "\(shell)")
                    try await terminal.type("fg")
                    try await terminal.press("Enter")
                    _ = try await terminal.screen { $0.contains("│# In") && $0.contains("3 notes") }
                    try await terminal.press("C-c")
                    _ = try await terminal.screen { !$0.contains("│") && $0.contains("Stopped") }
                }
            }
        }

        @Test func withoutAScreen_isRefusedWithASentence() async throws {
            try await DaemonProcess.run { daemon in
                let piped = try await daemon.notesctl("browse")
                #expect(piped.end == .exited(64) && piped.errors.contains("needs a terminal"), "\(piped.errors)")
                let environment = ["NOTESD_SOCKET": daemon.socket, "PATH": "/usr/bin:/bin"]
                let dumb = "TERM=dumb \(Binaries.notesctl) browse"
                try await Tmux.run(dumb, columns: 100, rows: 10, environment: environment) { terminal in
                    let screen = try await terminal.screen { $0.contains("[64]") }
                    #expect(screen.contains("TERM=dumb"), "\(screen)")
                }
            }
        }
    }
}
