import Foundation
import NotesModel
import TestKit
import Testing

extension EndToEnd {
    /// Tests of completions in real shells, typed at a terminal.
    struct CompletionTests {
        private static let bin = URL(fileURLWithPath: Binaries.notesctl).deletingLastPathComponent().path

        private func environment(_ daemon: DaemonProcess) -> [String: String] {
            ["NOTESD_SOCKET": daemon.socket, "PATH": "\(Self.bin):/usr/bin:/bin", "PS1": "$ ", "TERM": "screen-256color"]
        }

        private func script(_ shell: String, _ daemon: DaemonProcess) async throws -> String {
            let script = try await daemon.notesctl("--generate-completion-script", shell)
            try #require(script.end == .exited(0), "\(script.errors)")
            return try daemon.scratch.write(script.text, to: "completion.\(shell)")
        }

        /// - Parameters:
        ///   - typed: the text typed before Tab.
        ///   - completed: the command line after the prompt then.
        private func expect(_ terminal: Tmux, _ typed: String, _ completed: String, clear: String = "C-u") async throws {
            try await terminal.type(typed)
            try await terminal.press("Tab")
            _ = try await terminal.screen { $0.split(separator: "\n").contains { $0.hasSuffix("$ \(completed)") } }
            try await terminal.press(clear)
        }

        /// Whether the prompt is the last text on the screen.
        private static func awaitsACommand(_ screen: String) -> Bool {
            screen.split(whereSeparator: \.isWhitespace).last == "$"
        }

        private func makeNotes(_ daemon: DaemonProcess) async throws {
            for name in ["work/inbox", "zz $(touch pwned) it's", "home"] {
                _ = try await daemon.notesctl("new", name, input: "x #todo\n")
            }
        }

        @Test(.enabled(if: Tools.has("tmux"), Tools.missing("tmux")))
        func bash_completesCommandsOptionsNamesAndTags() async throws {
            try await DaemonProcess.run { daemon in
                try await makeNotes(daemon)
                let script = try await script("bash", daemon)
                let place = daemon.scratch.path
                let command = "cd \(place); exec bash --noprofile --norc -i"
                try await Tmux.run(command, columns: 100, rows: 30, environment: environment(daemon)) { terminal in
                    _ = try await terminal.screen { $0.contains("$") }
                    try await terminal.type("PS1='$ '; . \(script)")
                    try await terminal.press("Enter")
                    // Text typed before the prompt appears would be on the line without it.
                    _ = try await terminal.screen { $0.contains("completion.bash") && Self.awaitsACommand($0) }
                    try await expect(terminal, "notesctl hist", "notesctl history")
                    try await expect(terminal, "notesctl show --rend", "notesctl show --rendered")
                    try await expect(terminal, "notesctl show wor", "notesctl show work/inbox")
                    try await expect(terminal, "notesctl list --tag to", "notesctl list --tag todo")
                    // Names are never executed and are quoted on the line; names that bash would
                    // not quote are not offered.
                    _ = try await daemon.notesctl("new", "yy;touch pwned&(a) it's", input: "x\n")
                    _ = try await daemon.notesctl("new", "xx `touch pwned`", input: "x\n")
                    try await expect(
                        terminal, "notesctl show yy", #"notesctl show yy\;touch\ pwned\&\(a\)\ it\'s"#)
                    try await expect(terminal, "notesctl show xx", "notesctl show xx")
                    try await expect(terminal, "notesctl show zz", "notesctl show zz")
                    #expect(access("\(place)/pwned", F_OK) != 0)
                }
            }
        }

        @Test(.enabled(if: Tools.has("tmux") && Tools.has("zsh"), Tools.missing("tmux", "zsh")))
        func zsh_completesCommandsOptionsNamesAndTags() async throws {
            try await DaemonProcess.run { daemon in
                try await makeNotes(daemon)
                _ = try await daemon.notesctl("new", "colon:name", input: "x\n")
                let script = try await script("zsh", daemon)
                let place = daemon.scratch.path
                try await Tmux.run("cd \(place); exec zsh -f -i", columns: 100, rows: 30, environment: environment(daemon)) {
                    terminal in
                    _ = try await terminal.screen { $0.contains("%") || $0.contains("#") || $0.contains("$") }
                    try await terminal.type(
                        "PS1='$ '; mkdir f; cp \(script) f/_notesctl; fpath=($PWD/f $fpath); autoload -U compinit; compinit -u -d $PWD/dump; echo ready"
                    )
                    try await terminal.press("Enter")
                    _ = try await terminal.screen { $0.contains("\nready") && Self.awaitsACommand($0) }
                    try await expect(terminal, "notesctl hist", "notesctl history")
                    try await expect(terminal, "notesctl show --rend", "notesctl show --rendered")
                    try await expect(terminal, "notesctl show wor", "notesctl show work/inbox")
                    try await expect(terminal, "notesctl show col", "notesctl show colon:name")
                    try await expect(terminal, "notesctl list --tag to", "notesctl list --tag todo")
                    try await expect(terminal, "notesctl show zz", #"notesctl show zz\ \$\(touch\ pwned\)\ it\'s"#)
                    #expect(access("\(place)/pwned", F_OK) != 0)
                }
            }
        }

        @Test(.enabled(if: Tools.has("tmux") && Tools.has("fish"), Tools.missing("tmux", "fish")))
        func fish_completesCommandsOptionsNamesAndTags() async throws {
            try await DaemonProcess.run { daemon in
                try await makeNotes(daemon)
                let script = try await script("fish", daemon)
                let place = daemon.scratch.path
                try await Tmux.run(
                    "cd \(place); exec fish --no-config -i", columns: 100, rows: 30, environment: environment(daemon)
                ) { terminal in
                    _ = try await terminal.screen { $0.contains(">") || $0.contains("#") }
                    try await terminal.type("function fish_prompt; echo '$ '; end; source \(script); echo ready")
                    try await terminal.press("Enter")
                    _ = try await terminal.screen { $0.contains("\nready") && Self.awaitsACommand($0) }
                    try await expect(terminal, "notesctl hist", "notesctl history")
                    try await expect(terminal, "notesctl show --rend", "notesctl show --rendered")
                    try await expect(terminal, "notesctl show wor", "notesctl show work/inbox")
                    try await expect(terminal, "notesctl list --tag to", "notesctl list --tag todo")
                    try await expect(terminal, "notesctl show zz", #"notesctl show zz\ \$\(touch\ pwned\)\ it\'s"#)
                    #expect(access("\(place)/pwned", F_OK) != 0)
                }
            }
        }

        /// Ids are offered if no name matches; without a daemon there is no error message.
        @Test func ids_areCompletedOnlyWithDaemon() async throws {
            try await DaemonProcess.run { daemon in
                let id = try #require(try await daemon.notesctl("new", input: "x\n").lines.first)
                let words = ["---completion", "show", "--", "positional@0", "1", "8", "notesctl", "show", String(id.prefix(8))]
                let offered = try await daemon.notesctl(words, environment: ["SAP_SHELL": "fish"])
                #expect(offered.lines == [id], "\(offered.text) \(offered.errors)")
                try await daemon.end(SIGTERM)
                let nothing = try await daemon.notesctl(words, environment: ["SAP_SHELL": "fish"])
                #expect(nothing.output.allSatisfy { $0 == 10 } && nothing.errors.isEmpty, "\(nothing.errors)")
            }
        }
    }
}
