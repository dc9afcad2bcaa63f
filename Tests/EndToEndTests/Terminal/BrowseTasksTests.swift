import Foundation
import TestKit
import Testing

extension EndToEnd.BrowseTests {
    /// Presses a key whose label is on the screen.
    private func press(_ key: String, shownAs label: String, _ terminal: Tmux) async throws {
        _ = try await terminal.screen { $0.contains(label) }
        if key.count == 1 { try await terminal.type(key) } else { try await terminal.press(key) }
    }

    /// The ten tasks of docs/browse.md, only with keys that the screen shows at that moment.
    @Test func tenFirstTasks_needOnlyKeysOnTheScreen() async throws {
        try await DaemonProcess.run { daemon in
            _ = try await daemon.notesctl("new", "plan", input: "start\n")
            let base = try #require(try await daemon.notesctl("save", "plan", "--replace", input: "now\n").lines.first)
            for text in ["monday\n", "friday\n"] { _ = try await daemon.notesctl("save", "plan", "--base", base, input: text) }
            _ = try await daemon.notesctl("new", "shopping", input: "oat milk\nsee [[plan]]\n")
            try await browsing(daemon, columns: 80, rows: 24) { terminal in
                try await findAndWrite(daemon, terminal)
                try await renameAndFollow(daemon, terminal)
                try await resolveAndCreate(daemon, terminal)
                try await press("q", shownAs: "q quit", terminal)
                _ = try await terminal.screen { $0.contains("[0]") }
            }
        }
    }

    /// Finds a note, writes in it, undoes that, and returns to the list: tasks 1 to 4.
    private func findAndWrite(_ daemon: DaemonProcess, _ terminal: Tmux) async throws {
        _ = try await terminal.screen { $0.contains("type to search") && $0.contains("2 notes") }
        try await terminal.type("oat")
        _ = try await terminal.screen { $0.contains("1 of 2") && $0.contains("▸shopping") }
        try await press("Enter", shownAs: "Enter open", terminal)
        _ = try await terminal.screen { $0.contains("─ saved ") }
        try await terminal.type("fresh ")
        _ = try await terminal.screen { $0.contains("│fresh oat milk") && $0.contains("─ saved ") }
        #expect(try await daemon.notesctl("show", "shopping").text == "fresh oat milk\nsee [[plan]]\n")
        try await press("C-z", shownAs: "^Z undo", terminal)
        _ = try await terminal.screen { $0.contains("│oat milk") && $0.contains("─ saved ") }
        try await press("Escape", shownAs: "Esc back", terminal)
    }

    /// Renames the note, reads its history, and follows a link: tasks 5 to 7.
    private func renameAndFollow(_ daemon: DaemonProcess, _ terminal: Tmux) async throws {
        try await press("r", shownAs: "r rename", terminal)
        _ = try await terminal.screen { $0.contains("new name of shopping") }
        try await terminal.type("groceries")
        try await press("Enter", shownAs: "Enter accept", terminal)
        _ = try await terminal.screen { $0.contains("▸groceries") && $0.contains("renamed shopping to groceries; u undoes it") }
        try await press("h", shownAs: "h history", terminal)
        _ = try await terminal.screen {
            $0.contains("history ┐") && $0.contains("created, as shopping") && $0.contains("renamed to grocer")
        }
        try await press("Escape", shownAs: "Esc back", terminal)
        try await press("l", shownAs: "l links", terminal)
        _ = try await terminal.screen { $0.contains("to plan") }
        try await press("Enter", shownAs: "Enter go", terminal)
        _ = try await terminal.screen { $0.contains("│monday") && $0.contains("1 conflict") }
        try await press("Escape", shownAs: "Esc back", terminal)
    }

    /// Resolves the conflict, creates a note, deletes it and brings it back: tasks 8 to 10.
    private func resolveAndCreate(_ daemon: DaemonProcess, _ terminal: Tmux) async throws {
        try await press("c", shownAs: "c conflict", terminal)
        try await press("2", shownAs: "1 2 take", terminal)
        _ = try await terminal.screen { $0.contains("took side 2; u undoes it") }
        _ = try await terminal.screen { !$0.contains("1 conflict") && !$0.contains("monday") && $0.contains("│friday") }
        try await press("n", shownAs: "n new", terminal)
        _ = try await terminal.screen { $0.contains("name of the new note") }
        try await terminal.type("ideas")
        try await press("Enter", shownAs: "Enter accept", terminal)
        _ = try await terminal.screen { $0.contains("▸ideas") && $0.contains("─ saved ") && $0.contains("3 notes") }
        try await terminal.type("a first idea")
        _ = try await terminal.screen { $0.contains("│a first idea") && $0.contains("─ saved ") }
        try await press("Escape", shownAs: "Esc back", terminal)
        try await press("d", shownAs: "d del", terminal)
        _ = try await terminal.screen { $0.contains("deleted ideas") && $0.contains("2 notes") }
        try await press("u", shownAs: "u brings it back", terminal)
        _ = try await terminal.screen { $0.contains("3 notes") && $0.contains("│a first idea") }
        #expect(try await daemon.notesctl("show", "ideas").text == "a first idea")
    }
}
