import Foundation
import NoteTasks
import NoteText
import NotesClient
import NotesModel
import NotesWire
import TestKit
import Testing

extension EndToEnd {
    /// A text that one program could not save is taken up by the next program that opens the note, whichever
    /// it is. `BrowseViewTests` has the tests of `browse`.
    @Suite struct DraftTests {
        /// A program that changes a note while the daemon is away, or opens it later.
        enum Program: String, CaseIterable {
            case edit, attach
        }

        /// Runs a program on the note `a` in a shell. It says `open` when it shows the note, waits for `gone`, and adds
        /// a line.
        private static func run(_ program: Program, _ daemon: DaemonProcess, adding line: String?) async throws -> Command {
            let add = line.map {
                "touch '\(daemon.scratch.file("open"))'; until test -e '\(daemon.scratch.file("gone"))'; do sleep 0.05; done; \($0)"
            }
            let environment = [
                "NOTESD_SOCKET": daemon.socket, "XDG_STATE_HOME": daemon.scratch.path,
                "EDITOR": "sh \(daemon.scratch.file("editor"))",
            ]
            switch program {
            case .edit:
                let body = add.map { "\($0)\nsleep 0.3" } ?? "sleep 1.2"
                _ = try daemon.scratch.write(body.replacing("LINE", with: "echo two >> \"$1\""), to: "editor")
                return try await Command.run(Binaries.notesctl, ["edit", "a"], environment: environment)
            case .attach:
                let change =
                    #"{"jsonrpc":"2.0","method":"buffer.change","params":{"buffer":1,"n":1,"edits":[[4,4,"two\n"]],"length":8}}"#
                let script = """
                    cd '\(daemon.scratch.path)'; rm -f lines out; mkfifo lines
                    '\(Binaries.notesctl)' attach --stdio < lines > out & exec 3> lines
                    hear() { n=0; until grep -qF -- "$1" out; do n=$((n+1)); [ $n -lt 600 ] || exit 9; sleep 0.05; done; }
                    echo '{"jsonrpc":"2.0","id":1,"method":"attach.hello","params":{"protocol":[1],"client":{"name":"t","version":"1"},"label":"t","positions":"utf-8"}}' >&3
                    hear '"id":1'
                    echo '{"jsonrpc":"2.0","id":2,"method":"buffer.open","params":{"buffer":1,"name":"a"}}' >&3
                    hear '"id":2'
                    \(add?.replacing("LINE", with: "hear '\"up\":false'; printf '%s\\n' '\(change)' >&3") ?? "hear buffer.saved")
                    exec 3>&-; wait; cat out
                    """
                return try await Command.run("/bin/sh", ["-c", script], environment: environment)
            }
        }

        private static func drafts(_ daemon: DaemonProcess) throws -> [String] {
            let folder = daemon.scratch.file("notesctl")
            guard FileManager.default.fileExists(atPath: folder) else { return [] }
            return try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasPrefix("draft-") }
        }

        /// The response to a creation was lost, and the editor creates the note again with what was typed since.
        @Test func repeatedCreation_goesOnFromTheFirst() async throws {
            try await DaemonProcess.run { daemon in
                let client = try await daemon.client("vim")
                let id = try await client.create(text: bytes("one\n"), name: "a").note.head.id
                let version = try await client.note(.id(id)).head.version
                _ = try await client.save(id, base: version, text: bytes("zero\none\n"))
                let opening = NoteOpening(client: client, takesUpDrafts: false)
                let again = try await opening.open(.create(id, name: "a", text: bytes("one\ntwo\n")), nil)
                #expect(again.createdBefore == bytes("one\ntwo\n") && again.note.text == bytes("zero\none\n"))
                guard case .found(version, bytes("one\n"), withdrawn: 0)? = again.resumed else {
                    Issue.record("\(again)")
                    return
                }
                let other = try await client.create(text: bytes("other\n"), name: "b").note.head.id
                let existed = try await opening.open(.create(NoteID(named: "c"), name: "b", text: bytes("two\n")), nil)
                #expect(existed.existed && existed.createdBefore == nil && existed.note.head.id == other)
                await client.close()
            }
        }

        @Test(arguments: Program.allCases, Program.allCases)
        func textOfOneProgram_isTakenUpByTheNext(first: Program, next: Program) async throws {
            try await DaemonProcess.run { daemon in
                _ = try await daemon.notesctl("new", "a", input: "one\n")
                async let typed = Self.run(first, daemon, adding: "LINE")
                for _ in 0..<1_200 where !FileManager.default.fileExists(atPath: daemon.scratch.file("open")) {
                    try await Task.sleep(for: .milliseconds(50))
                }
                _ = try await daemon.end(SIGKILL)
                try daemon.scratch.write("", to: "gone")
                let end = try await typed
                #expect(end.errors.contains("your text is in ") && end.end == .exited(first == .edit ? 69 : 0), "\(end.errors)")
                #expect(try Self.drafts(daemon).count == 1)

                try await daemon.start()
                let other = try await daemon.client("vim")
                let note = try await other.note(.name("a"))
                #expect(note.text == bytes("one\n"))
                _ = try await other.save(note.head.id, base: note.head.version, text: bytes("zero\none\n"))
                let second = try await Self.run(next, daemon, adding: nil)
                #expect(second.end == .exited(0), "\(second.errors)")
                #expect(try await other.note(.name("a")).text == bytes("zero\none\ntwo\n"), "\(second.errors)\(second.text)")
                #expect(try Self.drafts(daemon).isEmpty)
                await other.close()
            }
        }
    }
}
