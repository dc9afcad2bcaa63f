import Causality
import Foundation
import NoteText
import NotesClient
import NotesModel
import NotesWire
import TestKit
import Testing

extension EndToEnd {
    /// Tests of notesctl on a real terminal.
    @Suite(.enabled(if: Tools.has("tmux"), Tools.missing("tmux")))
    struct TerminalTests {
        private func environment(_ daemon: DaemonProcess, _ more: [String: String] = [:]) -> [String: String] {
            [
                "NOTESD_SOCKET": daemon.socket,
                "PATH": "\(URL(fileURLWithPath: Binaries.notesctl).deletingLastPathComponent().path):/usr/bin:/bin",
                "NO_COLOR": "1",
            ].merging(more) { $1 }
        }

        /// Ids that differ in their first digits, like those of notes created on different days.
        private static func id(_ number: Int) -> NoteID {
            NoteID(
                at: Timestamp(milliseconds: 1_600_000_000_000 + Int64(number) * 10_000_000_000),
                random: (0, 0x1A_2B3C + UInt64(number) * 0x01_0101))
        }

        private func makeNotes(_ daemon: DaemonProcess) async throws {
            let client = try await daemon.client("vim")
            let notes = [
                ("home", "Home\n"), ("work/inbox", "# Inbox of a title that is a little longer\n#todo #later\n"),
                ("日記/十一月", "今日は寒かった。今日は寒かった。\n"),
                ("x\u{1B}".replacing("\u{1B}", with: "\u{202E}"), "\u{1B}[31mred\n"),
            ]
            for (number, note) in notes.enumerated() {
                _ = try await client.create(text: bytes(note.1), name: ByteString(note.0), id: Self.id(number))
            }
            await client.close()
        }

        /// Lists the same notes at three widths: no line wraps at the edge of the terminal.
        @Test(arguments: [
            (40, "home", "work/inbox"), (80, "Inbox of a title that", "work/inbox"),
            (120, "Inbox of a title that is a little longer  #later #todo", "work/inbox"),
        ])
        func lists_fitTheTerminal(columns: Int, part: String, name: String) async throws {
            try await DaemonProcess.run { daemon in
                try await makeNotes(daemon)
                try await Tmux.run("notesctl list", columns: columns, rows: 20, environment: environment(daemon)) { terminal in
                    let screen = try await terminal.screen { $0.contains("[0]") }
                    let lines = screen.split(separator: "\n").filter { !$0.hasPrefix("[0]") }
                    #expect(lines.count == 5 && lines.first?.hasPrefix("NAME ") == true, "\(screen)")
                    #expect(screen.contains(part) && screen.contains(name), "\(screen)")
                    #expect(screen.contains("日記/十一月") && screen.contains("\\u{202E}"), "\(screen)")
                }
            }
        }

        /// After a merged save, the version is that of the text that the note shows.
        @Test func mergedSave_isAtTheVersionShown() async throws {
            try await DaemonProcess.run { daemon in
                _ = try await daemon.notesctl("new", "a", input: "one\n")
                let client = try await daemon.client("vim")
                let note = try await client.note(.name("a")).head
                _ = try await client.save(note.id, base: note.version, text: bytes("zero\none\n"))
                let file = try daemon.scratch.write("one\ntwo\n", to: "mine.txt")
                let save = "notesctl save a --base \(note.version) \(file)"
                try await Tmux.run(save, columns: 120, rows: 20, environment: environment(daemon)) { terminal in
                    let screen = try await terminal.screen { $0.contains("[0]") }
                    let shown = try await client.note(.id(note.id)).head.version
                    #expect(shown.dots.count == 2 && screen.contains("a is at \(shown)\n"), "\(screen)")
                }
                await client.close()
            }
        }

        @Test func colours_areForTerminals_unlessDisabled() async throws {
            try await DaemonProcess.run { daemon in
                try await makeNotes(daemon)
                for (noColour, isPainted) in [("", true), ("1", false)] {
                    try await Tmux.run(
                        "notesctl list", columns: 80, rows: 20, environment: environment(daemon, ["NO_COLOR": noColour])
                    ) { terminal in
                        _ = try await terminal.screen { $0.contains("[0]") }
                        #expect(try await terminal.paintedScreen().contains("\u{1B}[1mwork/inbox") == isPainted)
                    }
                }
            }
        }

        /// Output longer than the screen goes to the pager; shorter output does not.
        @Test func longTexts_arePaged() async throws {
            try await DaemonProcess.run { daemon in
                let long = (1...100).map { "line \($0)\n" }.joined()
                _ = try await daemon.notesctl("new", "long", input: long)
                _ = try await daemon.notesctl("new", "short", input: "line 1\n")
                let pager = ["NOTESD_PAGER": "sed 's/^/paged: /'"]
                func shown(_ command: String, _ more: [String: String]) async throws -> String {
                    try await Tmux.run(command, columns: 60, rows: 10, environment: environment(daemon, more)) { terminal in
                        try await terminal.screen { $0.contains("[0]") }
                    }
                }
                #expect(try await shown("notesctl show long", pager).contains("paged: line 100"))
                #expect(try await !shown("notesctl show short", pager).contains("paged"))
                #expect(try await !shown("notesctl show --no-pager long", pager).contains("paged"))
                #expect(try await !shown("notesctl show long", ["NOTESD_PAGER": ""]).contains("paged"))
                #expect(try await !shown("notesctl show long | cat", pager).contains("paged"))
                // Quitting the pager early is not an error.
                #expect(try await shown("notesctl show long", ["NOTESD_PAGER": "head -n 1"]).contains("line 1\n[0]"))
            }
        }

        /// A note's text cannot control the terminal, such as to clear it.
        @Test func escapeSequencesInNotes_areShownNotExecuted() async throws {
            try await DaemonProcess.run { daemon in
                _ = try await daemon.notesctl("new", "evil", input: "one\u{1B}[2J\u{1B}]0;title\u{7}two\n")
                for command in [
                    "show evil", "show --rendered evil", "list", "list --json", "list --format '{title}'", "log", "diff evil",
                ] {
                    let environment = environment(daemon, ["NO_COLOR": ""])
                    try await Tmux.run("echo before; notesctl \(command)", columns: 200, rows: 20, environment: environment) {
                        terminal in
                        let screen = try await terminal.screen { $0.contains("[0]") }
                        #expect(screen.hasPrefix("before\n"), "\(command): \(screen)")
                    }
                }
            }
        }

        /// The list is updated, fits a terminal that is resized, and restores the screen on exit.
        @Test func watch_drawsLiveList_andRestoresTheScreen() async throws {
            try await DaemonProcess.run { daemon in
                try await Tmux.run("echo before; notesctl watch", columns: 80, rows: 16, environment: environment(daemon)) {
                    terminal in
                    _ = try await terminal.screen { $0.contains("nothing yet") && !$0.contains("before") }
                    let client = try await daemon.client("vim")
                    let note = try await client.create(text: bytes("x\n"), name: "work/inbox").note
                    let screen = try await terminal.screen { $0.contains("created") }
                    #expect(screen.contains("ACTIVE") && screen.contains("/vim") && screen.contains("work/inbox"), "\(screen)")
                    try await terminal.resize(columns: 30, rows: 8)
                    _ = try await client.save(note.head.id, base: note.head.version, text: bytes("y\n"))
                    let small = try await terminal.screen { $0.contains("edited") }
                    #expect(small.split(separator: "\n").allSatisfy { $0.count <= 30 }, "\(small)")
                    try await daemon.restart(after: SIGKILL)
                    _ = try await terminal.screen { !$0.contains("connection lost") && $0.contains("CHANGES") }
                    try await terminal.press("C-c")
                    let after = try await terminal.screen { $0.contains("before") }
                    #expect(!after.contains("CHANGES"), "\(after)")
                    await client.close()
                }
            }
        }

        @Test func renderedText_isWrappedToTheTerminal() async throws {
            try await DaemonProcess.run { daemon in
                let text =
                    "# Title\n\n" + String(repeating: "some words ", count: 12)
                    + "\n\n- a point that goes on for longer than a line has room\n"
                _ = try await daemon.notesctl("new", "a", input: text)
                try await Tmux.run("notesctl show --rendered a", columns: 40, rows: 20, environment: environment(daemon)) {
                    terminal in
                    let screen = try await terminal.screen { $0.contains("[0]") }
                    #expect(screen.contains("some words some words some words some\nwords some"), "\(screen)")
                    #expect(screen.contains("• a point that goes on for longer than a\n  line has room"), "\(screen)")
                }
            }
        }
    }
}
