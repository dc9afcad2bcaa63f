import Foundation
import NoteText
import NotesClient
import NotesModel
import NotesWire
import TestKit
import Testing

/// Cases B1 to B8: what others do, what editors do, and what terminals do while somebody looks or types.
extension EndToEnd.BrowseTests {
    /// B1: a key in the note of one `browse` changes the title in both lists. The cursor of the other
    /// stays on its note.
    @Test func keyInANote_changesTheTitleInBothLists() async throws {
        try await DaemonProcess.run { daemon in
            _ = try await daemon.notesctl("new", "other", input: "other\n")
            _ = try await daemon.notesctl("new", input: "Plan\n")
            try await browsing(daemon) { first in
                try await browsing(daemon) { second in
                    for terminal in [first, second] { _ = try await terminal.screen { $0.contains("“Plan”") } }
                    try await second.press("Down")
                    _ = try await second.screen { $0.contains("▸other") }
                    try await first.press("Enter")
                    _ = try await first.screen { $0.contains("─ saved ") }
                    try await first.type("My ")
                    _ = try await first.screen { $0.contains("▸“My Plan”") && $0.contains("│My Plan") }
                    let screen = try await second.screen { $0.contains("“My Plan”") }
                    #expect(screen.contains("▸other"), "\(screen)")
                }
            }
        }
    }

    /// B2: the cursor stays on a note that is renamed and then deleted elsewhere, until it moves.
    @Test func noteUnderTheCursor_isRenamed_thenGone() async throws {
        try await DaemonProcess.run { daemon in
            try await makeNotes(daemon)
            try await browsing(daemon) { terminal in
                _ = try await terminal.screen { $0.contains("▸work/inbox") && $0.contains("3 notes") }
                _ = try await daemon.notesctl("mv", "work/inbox", "work/done")
                _ = try await terminal.screen { $0.contains("▸work/done") && $0.contains("│# In") }
                _ = try await daemon.notesctl("rm", "work/done")
                _ = try await terminal.screen { $0.contains("▸work/done") && $0.contains("gone") && $0.contains("2 notes") }
                try await terminal.press("Down")
                let screen = try await terminal.screen { $0.contains("▸shopping") && $0.contains("│# Oats") }
                #expect(!screen.contains("work/done"), "\(screen)")
            }
        }
    }

    /// B3: others write before, at and behind the caret while the user types. The user's text is whole,
    /// and `^Z` takes back only that.
    @Test func typing_staysWhole_whileOthersWriteAroundIt() async throws {
        try await DaemonProcess.run { daemon in
            _ = try await daemon.notesctl("new", "shopping", input: "first\nmiddle\nlast\n")
            let client = try await daemon.client("others")
            let note = try await client.note(.name("shopping")).head.id
            try await browsing(daemon) { terminal in
                _ = try await terminal.screen { $0.contains("│middle") }
                try await terminal.press("Enter")
                _ = try await terminal.screen { $0.contains("─ saved ") }
                try await terminal.press("Down")
                try await terminal.press("End")
                // Each letter comes after a change elsewhere, which may arrive before or after it. A change of
                // the line of the caret arrives before it, since it would be a conflict otherwise.
                for (number, letter) in "abcdef".enumerated() {
                    let place = ["first", "middle", "last"][number % 3]
                    let isSameLine = place == "middle"
                    let typed = "abcdef".prefix(number)
                    if isSameLine { _ = try await terminal.screen { $0.contains("middle\(typed)") && $0.contains("─ saved ") } }
                    let now = try await client.note(.id(note))
                    let text = String(decoding: now.text ?? [], as: UTF8.self)
                    let changed = text.replacing(place, with: "\(number)\(place)", maxReplacements: 1)
                    async let written = client.save(note, base: now.head.version, text: bytes(changed))
                    if isSameLine { _ = try await terminal.screen { $0.contains("\(number)middle\(typed)") } }
                    try await terminal.type(String(letter))
                    _ = try await written
                }
                _ = try await terminal.screen {
                    $0.contains("│14middleabcdef") && $0.contains("│03first") && $0.contains("│25last") && $0.contains("─ saved ")
                }
                try await terminal.press("C-z")
                _ = try await terminal.screen {
                    $0.contains("│14middle ") && $0.contains("│03first") && $0.contains("│25last") && $0.contains("─ saved ")
                }
            }
            #expect(try await daemon.notesctl("show", "shopping").text == "03first\n14middle\n25last\n")
            await client.close()
        }
    }

    /// B4: a note that changes while the editor has it is merged, and a missing editor is reported.
    @Test(arguments: [true, false])
    func editor_mergesOrIsMissing(isThere: Bool) async throws {
        try await DaemonProcess.run { daemon in
            _ = try await daemon.notesctl("new", "shopping", input: "milk\n\nbread\n")
            let (begun, goOn) = (daemon.scratch.file("begun"), daemon.scratch.file("go-on"))
            let wait = "#!/bin/sh\n: > \(begun)\nwhile ! [ -e \(goOn) ]; do sleep 0.02; done\necho by the editor >> \"$1\"\n"
            let editor = try daemon.scratch.write(wait, to: "editor")
            try #require(chmod(editor, 0o755) == 0)
            try await browsing(daemon, columns: 120, editor: isThere ? editor : "/nonexistent/editor") { terminal in
                _ = try await terminal.screen { $0.contains("│milk") }
                try await terminal.press("Tab")
                try await terminal.type("e")
                guard isThere else {
                    _ = try await terminal.screen {
                        $0.contains("│milk") && $0.contains("the editor exited with status 127; nothing was saved")
                    }
                    return
                }
                try await within("the editor") {
                    while access(begun, F_OK) != 0 { try await Task.sleep(for: .milliseconds(20)) }
                }
                _ = try await daemon.notesctl("save", "shopping", "--replace", input: "oat milk\n\nbread\n")
                try Files.write([], to: goOn)
                _ = try await terminal.screen { $0.contains("│oat milk") && $0.contains("│by the editor") }
            }
            let text = isThere ? "oat milk\n\nbread\nby the editor\n" : "milk\n\nbread\n"
            #expect(try await daemon.notesctl("show", "shopping").text == text)
        }
    }

    /// B5: a paste with escape sequences in it is text, and an unknown sequence that arrives byte by byte
    /// is nothing.
    @Test func paste_isText_andUnknownSequencesAreNothing() async throws {
        try await DaemonProcess.run { daemon in
            try await makeNotes(daemon)
            try await browsing(daemon) { terminal in
                _ = try await terminal.screen { $0.contains("│# In") }
                try await terminal.press("Enter")
                _ = try await terminal.screen { $0.contains("─ saved ") }
                try await terminal.type("\u{1B}[200~q\u{1B}[Ad\u{1B}\u{3}\u{1B}[201~")
                let screen = try await terminal.screen { $0.contains("│q\\x1B[Ad\\x1B\\x03# In") && $0.contains("─ saved ") }
                #expect(screen.contains("3 notes"), "\(screen)")
                try await terminal.type("\u{1B}[24;5~\u{1B}]11;q\u{7}\u{1B}OPx")
                _ = try await terminal.screen { $0.contains("│q\\x1B[Ad\\x1B\\x03x# In") && $0.contains("─ saved ") }
            }
            #expect(try await daemon.notesctl("show", "work/inbox").text == "q\u{1B}[Ad\u{1B}\u{3}x# In\n")
        }
    }

    /// B6: wide, combining, joined and right-to-left names and texts displace nothing after them.
    @Test func foreignNames_displaceNothing() async throws {
        try await DaemonProcess.run { daemon in
            let client = try await daemon.client("vim")
            let names = ["日記/十一月", "cafe\u{301}", "שלום", "emoji 🎉🎉", "x\u{202E}y", "한국어"]
            for name in names { _ = try await client.create(text: bytes("\(name) \u{1B}[2J\n\(name)\n"), name: ByteString(name)) }
            try await browsing(daemon) { terminal in
                let shown = ["日記/十一月", "שלום", "emoji 🎉🎉", "x\\u{202E}y", "한국어"]
                let screen = try await terminal.screen { screen in
                    shown.allSatisfy { screen.contains($0) } && screen.contains("│한국어 \\x1B[2J")
                }
                for line in screen.split(separator: "\n").prefix(names.count + 1).dropFirst() {
                    #expect(columns(of: line) == 80 && line.first == "│" && line.last == "│", "\(line)\n\(screen)")
                }
            }
            await client.close()
        }
    }

    /// The columns of a line as terminals count them, for the characters in `foreignNames_displaceNothing`.
    private func columns(of line: Substring) -> Int {
        line.unicodeScalars.reduce(0) { sum, scalar in
            switch scalar.value {
            case 0x300...0x36F: sum
            case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0x1F300...0x1FAFF: sum + 2
            default: sum + 1
            }
        }
    }

    /// Sixteen colours at most, and with `NO_COLOR` none.
    @Test(arguments: [true, false])
    func colours_areFew_andNoneOnRequest(hasColours: Bool) async throws {
        try await DaemonProcess.run { daemon in
            try await makeNotes(daemon)
            let base = try #require(
                try await daemon.notesctl("save", "work/inbox", "--replace", input: "milk\n").lines.first)
            for text in ["oat milk\n", "rice milk\n"] {
                _ = try await daemon.notesctl("save", "work/inbox", "--base", base, input: text)
            }
            let setting = hasColours ? [:] : ["NO_COLOR": "1"]
            try await browsing(daemon, environment: setting) { terminal in
                _ = try await terminal.screen { $0.contains("1 conflict") && $0.contains("│rice milk") }
                let painted = try await terminal.paintedScreen()
                let styles = painted.matches(of: /\u{1B}\[([0-9;]*)m/).flatMap { $0.output.1.split(separator: ";") }
                let numbers = Set(styles.compactMap { Int($0) })
                let colours = numbers.filter { (30...37).contains($0) || (90...97).contains($0) }
                #expect(colours.isEmpty != hasColours, "\(numbers)")
                #expect(numbers.subtracting(colours).isSubset(of: [0, 1, 2, 7, 22, 27, 39, 49]), "\(numbers)")
            }
        }
    }

    /// The list of a large store: it starts, scrolls to the end of what it read, and finds one note.
    @Test func manyNotes_areListedAndFound() async throws {
        let count = 3_000
        try await DaemonProcess.run { daemon in
            let client = try await daemon.client("importer")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<count {
                    if number >= 64 { try await group.next() }
                    group.addTask {
                        _ = try await client.create(text: bytes("text of note \(number)\n"), name: ByteString("n/\(number)"))
                    }
                }
                try await group.waitForAll()
            }
            try await browsing(daemon) { terminal in
                _ = try await terminal.screen { $0.contains("3,000 notes") && $0.contains("│text of note") }
                try await terminal.type("1234")
                let found = try await terminal.screen { $0.contains("1 of 3,000") && $0.contains("│text of note 1234") }
                #expect(found.contains("▸n/1234"), "\(found)")
                try await terminal.press("Escape")
                _ = try await terminal.screen { $0.contains("3,000 notes") }
                var seen: Set<String> = []
                // The first page has 100 notes; the cursor may wait for the next at its end.
                for _ in 0..<200 where seen.count <= 150 {
                    try await terminal.press("NPage")
                    seen.formUnion(
                        try await terminal.screen { !$0.isEmpty }.matches(of: /n\/[0-9]+/).map(\.output).map(String.init))
                }
                #expect(seen.count > 150)
            }
            await client.close()
        }
    }
}
