import Foundation
import TestKit
import Testing

extension EndToEnd.BrowseTests {
    /// Links are followed from the list and from the text, and the way back returns.
    @Test func links_areFollowed_andBack() async throws {
        try await DaemonProcess.run { daemon in
            _ = try await daemon.notesctl("new", "work/plan", input: "# Plan\nwritten here\n")
            _ = try await daemon.notesctl("new", "home", input: "see [[plan]] first\n")
            try await browsing(daemon) { terminal in
                _ = try await terminal.screen { $0.contains("│see [[plan]] first") }
                try await terminal.press("Enter")
                try await terminal.press("C-g")
                _ = try await terminal.screen { $0.contains("│written here") && $0.contains("Esc back") }
                try await terminal.press("C-o")
                _ = try await terminal.screen { $0.contains("│see [[plan]] first") }
                try await terminal.press("C-g")
                _ = try await terminal.screen { $0.contains("│written here") }
                try await terminal.press("C-l")
                _ = try await terminal.screen { $0.contains("from home") && $0.contains("see [[plan]] first") }
                try await terminal.press("Enter")
                _ = try await terminal.screen { $0.contains("│see [[plan]] first") && !$0.contains("from home") }
                // The caret is at the link.
                try await terminal.type("X")
                _ = try await terminal.screen { $0.contains("│see [[Xplan]] first") }
                try await terminal.press("C-c")
                _ = try await terminal.screen { $0.contains("[0]") }
            }
        }
    }

    @Test func tags_filterTheList() async throws {
        try await DaemonProcess.run { daemon in
            _ = try await daemon.notesctl("new", "one", input: "about #tea\n")
            _ = try await daemon.notesctl("new", "two", input: "about #tea and #milk\n")
            _ = try await daemon.notesctl("new", "three", input: "nothing\n")
            try await browsing(daemon) { terminal in
                _ = try await terminal.screen { $0.contains("3 notes") }
                try await terminal.press("Tab")
                try await terminal.type("t")
                _ = try await terminal.screen { $0.contains("#tea") && $0.contains("#milk") }
                try await terminal.press("Enter")
                _ = try await terminal.screen { $0.contains("2 of 3") && $0.contains("tag:\"tea\"") }
                try await terminal.press("BSpace")
                _ = try await terminal.screen { $0.contains("3 notes") }
            }
        }
    }

    /// A conflict is shown with its sides, resolved by a key, and open again after undo.
    @Test func conflicts_areResolved_andUndone() async throws {
        try await DaemonProcess.run { daemon in
            _ = try await daemon.notesctl("new", "shopping", input: "milk\n")
            let base = try #require(
                try await daemon.notesctl("save", "shopping", "--replace", input: "milk\ntea\n").lines.first)
            for text in ["oat milk\ntea\n", "rice milk\ntea\n"] {
                _ = try await daemon.notesctl("save", "shopping", "--base", base, input: text)
            }
            try await browsing(daemon, columns: 120) { terminal in
                _ = try await terminal.screen { $0.contains("1 conflict") }
                try await terminal.press("Tab")
                try await terminal.type("c")
                _ = try await terminal.screen { $0.contains("1 of 1: text") && $0.contains("oat milk") && $0.contains("before") }
                try await terminal.type("2")
                _ = try await terminal.screen {
                    !$0.contains("1 conflict") && $0.contains("│rice milk") && !$0.contains("oat milk")
                }
                #expect(try await daemon.notesctl("show", "shopping").text == "rice milk\ntea\n")
                try await terminal.type("u")
                _ = try await terminal.screen { $0.contains("1 conflict") && $0.contains("│oat milk") }
            }
        }
    }

    /// The caret of another `browse` is drawn in reverse.
    @Test func caretsOfOthers_areDrawn() async throws {
        try await DaemonProcess.run { daemon in
            _ = try await daemon.notesctl("new", "shopping", input: "milk\nbread\n")
            try await browsing(daemon) { first in
                try await browsing(daemon) { second in
                    for terminal in [first, second] {
                        _ = try await terminal.screen { $0.contains("│milk") }
                        try await terminal.press("Enter")
                        _ = try await terminal.screen { $0.contains("saved") && $0.contains("2 here") }
                    }
                    try await second.press("Down")
                    _ = try await first.screen(isPainted: true) { screen in
                        let reversed = screen.replacing("\u{1B}[49m", with: "").replacing("[0;7m", with: "[7m")
                        return reversed.contains("\u{1B}[7m\u{1B}[36mb")
                    }
                }
            }
        }
    }

    /// However the program ends, the terminal works as before, and text that the daemon does not have is
    /// in a draft.
    @Test(arguments: [SIGTERM, SIGHUP, SIGINT])
    func end_keepsWhatIsTyped(signal: Int32) async throws {
        try await DaemonProcess.run { daemon in
            try await makeNotes(daemon)
            let command = "stty -a | tr ' ' '\\n' | grep -x -e '-*icanon' -e '-*echo'"
            try await browsing(daemon, columns: 200, then: command) { terminal in
                try await typeOffline(daemon, terminal)
                kill(try pid(daemon), signal)
                let end = try await terminal.screen { $0.contains("[\(128 + signal)]") && $0.contains("echo\n") }
                #expect(end.contains("your text is in ") && !end.contains("│"), "\(end)")
                #expect(end.contains("icanon") && !end.contains("-icanon") && !end.contains("-echo"), "\(end)")
            }
            #expect(try drafts(daemon) == ["typed# In\n"])
        }
    }

    /// The next `browse` merges the draft with what others wrote since.
    @Test func lostTerminal_keepsWhatIsTyped_forTheNextStart() async throws {
        try await DaemonProcess.run { daemon in
            try await makeNotes(daemon)
            var number: Int32 = 0
            try await browsing(daemon) { terminal in
                try await typeOffline(daemon, terminal)
                number = try pid(daemon)
            }
            // The server of the terminal is gone.
            let ended = number
            try await within("the end of browse") {
                while kill(ended, 0) == 0 { try await Task.sleep(for: .milliseconds(20)) }
            }
            #expect(try drafts(daemon) == ["typed# In\n"])
            try await daemon.start()
            _ = try await daemon.notesctl("append", "work/inbox", input: "by others\n")
            try await browsing(daemon, columns: 200) { terminal in
                _ = try await terminal.screen { $0.contains("│by others") && $0.contains("in the note, you go on with its text") }
                try await terminal.press("Enter")
                _ = try await terminal.screen { $0.contains("│typed# In") && $0.contains("│by others") }
            }
            #expect(try await daemon.notesctl("show", "work/inbox").text == "typed# In\nby others\n")
            #expect(try drafts(daemon).isEmpty)
        }
    }

    /// What was typed in `browse` is in the note when another program opens it.
    @Test func lostTerminal_keepsWhatIsTyped_forAnotherProgram() async throws {
        try await DaemonProcess.run { daemon in
            try await makeNotes(daemon)
            try await browsing(daemon, columns: 200) { terminal in
                try await typeOffline(daemon, terminal)
                kill(try pid(daemon), SIGTERM)
                _ = try await terminal.screen { $0.contains("your text is in ") }
            }
            try await daemon.start()
            let edit = try await daemon.notesctl(
                ["edit", "work/inbox"],
                environment: ["EDITOR": "sleep 1.2; true", "XDG_STATE_HOME": daemon.scratch.file("state")])
            #expect(edit.end == .exited(0) && edit.errors.contains("the text of an interrupted edit is in the note"))
            #expect(try await daemon.notesctl("show", "work/inbox").text == "typed# In\n")
            #expect(try drafts(daemon).isEmpty)
        }
    }

    /// A click chooses a note, and a click in its text places the caret.
    @Test func mouse_choosesANoteAndAPlace() async throws {
        try await DaemonProcess.run { daemon in
            try await makeNotes(daemon)
            try await browsing(daemon) { terminal in
                let start = try await terminal.screen { $0.contains("│# In") && $0.contains("3 notes") }
                #expect(start.contains("▸work/inbox"))
                try await terminal.type("\u{1B}[<0;5;3M")
                _ = try await terminal.screen { $0.contains("▸shopping") && $0.contains("│- oat milk") }
                try await terminal.type("\u{1B}[<0;35;3M")
                _ = try await terminal.screen { $0.contains("─ saved ") }
                try await terminal.type("X")
                _ = try await terminal.screen { $0.contains("│- Xoat milk") }
            }
        }
    }

    /// Types into the newest note while the daemon is away.
    private func typeOffline(_ daemon: DaemonProcess, _ terminal: Tmux) async throws {
        _ = try await terminal.screen { $0.contains("│# In") }
        try await terminal.press("Enter")
        _ = try await terminal.screen { $0.contains("─ saved ") }
        try await daemon.end(SIGKILL)
        _ = try await terminal.screen { $0.contains("offline") }
        try await terminal.type("typed")
        _ = try await terminal.screen { $0.contains("│typed# In") }
    }

    /// The texts of the drafts.
    private func drafts(_ daemon: DaemonProcess) throws -> [String] {
        let folder = daemon.scratch.file("state")
        let files = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        return try files.filter { $0.hasSuffix(".md") }.map { String(decoding: try Files.read("\(folder)/\($0)"), as: UTF8.self) }
    }
}
