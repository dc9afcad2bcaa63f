import Foundation
import NotesModel
import TestKit
import Testing

extension EndToEnd.BrowseTests {
    /// Two people type in one note, their terminals change size, and the daemon is killed again and
    /// again. Each letter that anybody typed is in the note, and both screens show the same text.
    ///
    /// A letter is in the note twice only if both typed in one line while the daemon was away: then the
    /// note has both texts of the line, as a conflict. They type words, because two changes of one line
    /// are recognized by their words.
    @Test(arguments: seeds(1))
    func typists_loseNothing_whileTheDaemonIsKilled(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        var typed: [Character: Int] = [:]
        try await DaemonProcess.run { daemon in
            _ = try await daemon.notesctl("new", "shopping", input: "\n\n")
            try await browsing(daemon) { first in
                try await browsing(daemon) { second in
                    let typists = [(first, Array("abc defghij klm")), (second, Array("nop qrstuvw xyz"))]
                    for (terminal, _) in typists {
                        _ = try await terminal.screen { $0.contains("▸shopping") && $0.contains("1 note ") }
                        try await terminal.press("Enter")
                        _ = try await terminal.screen { $0.contains("─ saved ") }
                    }
                    for step in 0..<120 {
                        let (terminal, letters) = typists[random.below(2)]
                        switch random.below(8) {
                        case 0: try await terminal.press(random.pick(["Up", "Down", "Left", "Right", "Home", "End", "Enter"]))
                        case 1: try await terminal.resize(columns: 4 + random.below(120), rows: 2 + random.below(30))
                        default:
                            let text = (0..<1 + random.below(30)).map { _ in random.pick(letters) }
                            for letter in text where letter != " " { typed[letter, default: 0] += 1 }
                            try await terminal.type(String(text))
                        }
                        if step % 30 == 29 { try await daemon.restart(after: SIGKILL) }
                    }
                    for (terminal, _) in typists {
                        try await terminal.resize(columns: 80, rows: 100)
                        _ = try await terminal.screen {
                            $0.contains("─ saved ") && letters($0).count >= typed.values.reduce(0, +)
                        }
                    }
                    let text = try await daemon.notesctl("show", "shopping").text
                    var kept: [Character: Int] = [:]
                    for letter in text where !letter.isWhitespace { kept[letter, default: 0] += 1 }
                    // A conflict keeps two texts of a line, each with what both sides had before.
                    let conflicts = daemon.complaints.matches(of: /two writes conflict/).count
                    for (letter, count) in typed {
                        let times = kept[letter, default: 0]
                        #expect((count...count << conflicts).contains(times), "seed \(seed): \(letter) in \(text)")
                    }
                    let expected = text.filter { !$0.isWhitespace }
                    for (terminal, _) in typists {
                        _ = try await terminal.screen { letters($0) == expected }
                    }
                }
            }
        }
    }

    /// The text of the note on a screen of two panes that shows all of it, without white space.
    private func letters(_ screen: String) -> String {
        let rows = screen.split(separator: "\n").filter { $0.hasPrefix("│") }
        return rows.compactMap { $0.split(separator: "│").dropFirst().first }.joined().filter { $0 != " " }
    }
}
