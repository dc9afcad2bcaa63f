import NoteText
import NotesModel
import TestKit
import Testing

extension EndToEnd {
    /// Programs that save one mirrored file on texts of different ages: what a writer never saw stays, and
    /// what it took out goes (`docs/decisions/files.md#0089`).
    @Suite struct OldBufferTests {
        /// One step, after which the mirror runs.
        enum Step: Sendable {
            /// An editor reads the file.
            case load(String)
            /// An editor changes its buffer, which may be old, and saves it. Each pair is what is replaced, and by what.
            case save(String, [(String, String)])
            /// A program reads the file, changes it and writes it.
            case program([(String, String)])
            /// Another client changes the note.
            case note([(String, String)])
        }

        struct Case: Sendable, CustomTestStringConvertible {
            let name: String
            /// Whether the note comes into a folder that is mirrored already.
            var isLate = false
            let start: String
            let steps: [Step]
            let result: String

            var testDescription: String { name }
        }

        private static let plan =
            "# Garden plan\nfirst paragraph about soil\nsecond paragraph about seeds\nthird paragraph about water\n"
        private static let first = [("first para", "FIRST para")]
        private static let second = [("second para", "SECOND para")]

        /// Adds a line at the end.
        private static func add(_ line: String) -> [(String, String)] { [("", line + "\n")] }

        private static func changed(_ text: String, _ changes: [(String, String)]) -> String {
            changes.reduce(text) { $1.0.isEmpty ? $0 + $1.1 : $0.replacing($1.0, with: $1.1) }
        }

        private static let template = "# Saturday 28 November\n\n## Tasks of the day\n\n## Notes worth keeping\n\n"
        private static let morning =
            "meeting notes from the laptop\nthe plan for Monday morning\nask Ada about the lease\nbook the train to Bern\n"

        private static let cases = [
            Case(
                name: "a name opened before its file existed", isLate: true, start: "made elsewhere this morning\n",
                steps: [.save("A", add("typed in the editor"))], result: "made elsewhere this morning\ntyped in the editor\n"),
            Case(
                name: "a template on both sides, typed on", isLate: true, start: template + morning,
                steps: [
                    .save("A", add(template + "typed on the desktop")),
                    .save("A", [("typed on the desktop", "typed at noon, at home")]),
                ], result: template + morning + "typed at noon, at home\n"),
            Case(
                name: "a line out of a file that has just come", isLate: true,
                start: "line one of the new note\nline two of the new note\nline three of the new note\n",
                steps: [.load("A"), .save("A", [("line two of the new note\n", "")])],
                result: "line one of the new note\nline three of the new note\n"),
            Case(
                name: "one of two lines that came was seen", start: plan,
                steps: [
                    .note(add("first line by an agent")), .load("A"), .note(add("second line by an agent")),
                    .program(add("a line by a script")), .save("A", first),
                ],
                result: changed(plan, first) + "first line by an agent\nsecond line by an agent\na line by a script\n"),
            Case(
                name: "an old window beside an agent", start: plan,
                steps: [.load("A"), .program(add("agent paragraph appended")), .save("A", second)],
                result: changed(plan, second) + "agent paragraph appended\n"),
            Case(
                name: "both at the end", start: plan,
                steps: [.load("A"), .program(add("agent paragraph appended")), .save("A", add("my own thought, typed at noon"))],
                result: plan + "agent paragraph appended\nmy own thought, typed at noon\n"),
            Case(
                name: "an agent in several steps", start: plan,
                steps: [
                    .program(add("agent step one of three")), .load("A"), .program(add("agent step two of three")),
                    .program([("# Garden plan", "# Garden plan, revised")]), .save("A", second),
                ],
                result: changed(plan, second + [("# Garden plan", "# Garden plan, revised")])
                    + "agent step one of three\nagent step two of three\n"),
            Case(
                name: "two windows, neither reloads", start: plan,
                steps: [
                    .load("A"), .load("B"), .save("A", add("window one, first remark")), .save("B", first),
                    .save("A", add("window one, second remark")),
                ],
                result: changed(plan, first) + "window one, first remark\nwindow one, second remark\n"),
            Case(
                name: "a linter", start: "date: 2026-11-27 morning\n" + plan,
                steps: [.load("A"), .program([("2026-11-27 morning", "2026-11-28 evening")]), .save("A", second)],
                result: "date: 2026-11-28 evening\n" + changed(plan, second)),
            Case(
                name: "short lines", start: "- milk\n- eggs\n",
                steps: [.load("A"), .program(add("- bread")), .save("A", [("- milk", "- milk x")])],
                result: "- milk x\n- eggs\n- bread\n"),
            Case(
                name: "typing on in an old buffer", start: plan,
                steps: [
                    .load("A"), .note(add("a remark by Ada on the phone")), .save("A", [("# Garden", "Today I\n# Garden")]),
                    .save("A", [("Today I\n", "Today I went to the\n")]), .save("A", [("went to the\n", "went to the market\n")]),
                ],
                result: "Today I went to the market\n" + plan + "a remark by Ada on the phone\n"),
            Case(
                name: "an own line taken back", start: plan,
                steps: [
                    .load("A"), .save("A", add("buy a new watering can")), .save("A", [("buy a new watering can\n", "")]),
                ], result: plan),
            Case(
                name: "own lines, wrapped anew, and a change elsewhere", start: plan,
                steps: [
                    .load("A"), .save("A", add("the fence is broken at the gate\nand ask the neighbour about it")),
                    .save("A", [("gate\nand ask the neighbour", "gate and ask\nthe neighbour"), ("# Garden", "# My garden")]),
                ],
                result: changed(plan, [("# Garden", "# My garden")])
                    + "the fence is broken at the gate and ask\nthe neighbour about it\n"),
            Case(
                name: "two of three lines that came", start: plan,
                steps: [
                    .note(add("remark one by Ada\nremark two by Ada\nremark three by Ada")), .load("A"),
                    .save("A", [("remark one by Ada\n", ""), ("remark three by Ada\n", "")]),
                ], result: plan + "remark two by Ada\n"),
            Case(
                name: "an undo while a line came", start: plan,
                steps: [
                    .load("A"), .save("A", add("buy a new watering can")), .note([("plan\n", "plan\nsaid Ada this morning\n")]),
                    .save("A", [("buy a new watering can\n", "")]),
                ], result: changed(plan, [("plan\n", "plan\nsaid Ada this morning\n")])),
            Case(
                name: "a line that a program deleted", start: plan,
                steps: [.load("A"), .program([("third paragraph about water\n", "")]), .save("A", first)],
                result: changed(plan, first)),
        ]

        @Test(arguments: cases)
        func oldWindow_keepsWhatAnotherProgramWrote(given: Case) async throws {
            try await DaemonProcess.run { daemon in
                _ = try daemon.scratch.directory("notes")
                let scene = FileScene(daemon: daemon)
                func mirror() async throws {
                    let run = try await daemon.notesctl(
                        ["mirror", "--once", scene.scratch.file("notes")],
                        environment: ["XDG_STATE_HOME": scene.scratch.file("state")])
                    #expect([.exited(0), .exited(2)].contains(run.end), "\(run.errors)")
                }
                if given.isLate {
                    try await scene.make("other", "text\n")
                    try await mirror()
                }
                try await scene.make("a", given.start)
                try await mirror()
                var buffers: [String: String] = [:]
                for step in given.steps {
                    switch step {
                    case .load(let editor): buffers[editor] = try scene.read("a.md")
                    case .save(let editor, let changes):
                        let text = Self.changed(buffers[editor] ?? "", changes)
                        buffers[editor] = text
                        try scene.write(text, to: "a.md")
                    case .program(let changes): try scene.write(Self.changed(try scene.read("a.md"), changes), to: "a.md")
                    case .note(let changes):
                        let text = Self.changed(try await scene.text("a"), changes)
                        let saved = try await daemon.notesctl("save", "a", "--replace", input: text)
                        #expect(saved.end == .exited(0), "\(saved.errors)")
                    }
                    try await mirror()
                }
                #expect(try await scene.text("a") == given.result)
                #expect(try scene.read("a.md") == given.result)
            }
        }

        /// The window is as old as it was before the agent wrote, so this is taken for an undo; the status tells.
        @Test func linesThatASaveTookOut_areListed() async throws {
            try await DaemonProcess.run { daemon in
                _ = try daemon.scratch.directory("notes")
                let scene = FileScene(daemon: daemon)
                let state = ["XDG_STATE_HOME": scene.scratch.file("state")]
                func mirror() async throws -> String {
                    let run = try await daemon.notesctl(["mirror", "--once", scene.scratch.file("notes")], environment: state)
                    #expect(run.end == .exited(0), "\(run.errors)")
                    return run.errors
                }
                try scene.write("the first line\n", to: "a.md")
                _ = try await mirror()
                try scene.write("the first line\nan agent's line\nand its second one\n", to: "a.md")
                _ = try await mirror()
                try scene.write("the first line\n", to: "a.md")
                let told = try await mirror()
                #expect(told.contains("a.md: a save took out 2 lines that came just now"), "\(told)")
                let status = try await daemon.notesctl(["mirror", "status"], environment: state)
                let text = String(decoding: status.output, as: UTF8.self)
                #expect(status.end == .exited(0))
                #expect(text.contains("1 save of the last day took out lines") && text.contains(" a.md: 2 lines of "), "\(text)")
            }
        }

        /// A file that somebody makes in a mirrored folder is one note with one that another machine begins under its
        /// name.
        @Test func newFile_isTheNoteOfItsName() async throws {
            try await DaemonProcess.run { daemon in
                _ = try daemon.scratch.directory("notes")
                let scene = FileScene(daemon: daemon)
                let state = ["XDG_STATE_HOME": scene.scratch.file("state")]
                func mirror() async throws {
                    let run = try await daemon.notesctl(["mirror", "--once", scene.scratch.file("notes")], environment: state)
                    #expect(run.end == .exited(0), "\(run.errors)")
                }
                try scene.write("before the first look\n", to: "first.md")
                try await mirror()
                try scene.write("# Today\n", to: "today.md")
                try await mirror()
                let list = String(decoding: try await daemon.notesctl("list", "--json").output, as: UTF8.self)
                #expect(list.contains(NoteID(named: "today").description))
                #expect(list.contains(NoteID(named: "first", text: Array("before the first look\n".utf8)).description))
            }
        }
    }
}
