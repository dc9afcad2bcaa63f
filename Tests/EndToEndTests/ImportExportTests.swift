import Foundation
import NoteText
import NotesClient
import NotesModel
import NotesWire
import TestKit
import Testing

extension EndToEnd {
    /// Imports and exports a real collection of 1,873 notes.
    @Suite struct ImportExportTests {
        private static let notes = 1_873

        /// Runs notesctl with a state directory that all commands of a test share.
        private func notesctl(_ daemon: DaemonProcess, _ arguments: String...) async throws -> Command {
            try await daemon.notesctl(arguments, environment: ["XDG_STATE_HOME": daemon.scratch.file("state")])
        }

        private func unpacked(in scratch: Scratch) async throws -> String {
            let tar = try await Command.run("/usr/bin/tar", ["-xzf", try Fixture.path("notes-til.tar.gz"), "-C", scratch.path])
            #expect(tar.end == .exited(0), "\(tar.errors)")
            // Notes come back; a directory without notes does not.
            try await Command.run("/usr/bin/find", [scratch.file("til"), "-type", "d", "-empty", "-delete"])
            return scratch.file("til")
        }

        private func expectSame(_ left: String, _ right: String) async throws {
            let diff = try await Command.run("/usr/bin/diff", ["-r", left, right])
            #expect(diff.end == .exited(0), "\(diff.text.prefix(2_000))\(diff.errors.prefix(2_000))")
        }

        /// An import takes such files only with --hidden, so the export counts them.
        @Test func exportOfHiddenNames_saysHowTheyComeBack() async throws {
            try await DaemonProcess.run { daemon in
                for name in [".plan", "a/.b/c", "other"] {
                    #expect(try await daemon.notesctl("new", name, input: "text\n").end == .exited(0))
                }
                let exported = try await notesctl(daemon, "export", daemon.scratch.file("out"))
                #expect(
                    exported.end == .exited(0) && exported.errors.contains("2 files with a hidden name"), "\(exported.errors)")
                let imported = try await notesctl(
                    daemon, "import", daemon.scratch.file("out"), "--hidden", "--into", "again", "--dry-run")
                #expect(imported.text.contains("3 files: 3 new"), "\(imported.text)\(imported.errors)")
            }
        }

        @Test func importThenExport_isIdentical_andReimportWritesNothing() async throws {
            try await DaemonProcess.run { daemon in
                let notes = try await unpacked(in: daemon.scratch)
                let first = try await notesctl(daemon, "import", notes)
                #expect(first.end == .exited(0), "\(first.errors)")
                #expect(first.lines == ["\(Self.notes) files: \(Self.notes) new, 0 changed, 0 unchanged"])
                let exported = try await notesctl(daemon, "export", daemon.scratch.file("out"))
                #expect(exported.end == .exited(0), "\(exported.errors)")
                try await expectSame(notes, daemon.scratch.file("out"))

                let again = try await notesctl(daemon, "import", notes)
                #expect(again.lines == ["\(Self.notes) files: 0 new, 0 changed, \(Self.notes) unchanged"])
                try Files.write(bytes("changed\n"), to: notes + "/ack/ack-bar.md")
                let changed = try await notesctl(daemon, "import", notes)
                #expect(changed.lines == ["\(Self.notes) files: 0 new, 1 changed, \(Self.notes - 1) unchanged"])

                let judge = try await daemon.client("judge")
                let status = try await judge.status().store
                #expect(status.notes == Self.notes && status.revisions == Self.notes + 1, "an unchanged file makes no revision")
                #expect(try await judge.note(.name("ack/ack-bar")).text == bytes("changed\n"))
                await judge.close()
                try await daemon.restart(after: SIGKILL)
                #expect(try await notesctl(daemon, "export", daemon.scratch.file("out")).end == .exited(0))
                try await expectSame(notes, daemon.scratch.file("out"))
            }
        }

        @Test func repeatedImportAfterInterruption_isComplete() async throws {
            // If this process is not scheduled in time, the import ends before the signal arrives.
            for _ in 0..<20 {
                if try await importsInterruptedAndRepeated() { return }
            }
            Issue.record("no import was interrupted")
        }

        /// - Returns: whether it was interrupted.
        private func importsInterruptedAndRepeated() async throws -> Bool {
            try await DaemonProcess.run { daemon in
                let notes = try await unpacked(in: daemon.scratch)
                let judge = try await daemon.client("judge")
                let watch = try await judge.watch(WatchNotes(snapshot: false))
                let running = try Command.Running(
                    Binaries.notesctl, ["import", "--socket", daemon.socket, notes],
                    environment: ["XDG_STATE_HOME": daemon.scratch.file("state")])
                try await within("the first hundred notes") {
                    var told = 0
                    for try await event in watch {
                        if case .changed = event { told += 1 }
                        if told == 100 { break }
                    }
                }
                running.process.send(SIGINT)
                let interrupted = try await running.command()
                guard interrupted.end != .exited(0) else {
                    await judge.close()
                    return false
                }
                #expect(interrupted.end == .signalled(SIGINT) || interrupted.end == .exited(130), "\(interrupted.end)")
                watch.cancel()

                let repeated = try await notesctl(daemon, "import", notes)
                #expect(repeated.end == .exited(0), "\(repeated.errors)")
                let status = try await judge.status().store
                #expect(status.notes == Self.notes && status.revisions == Self.notes, "no note exists twice or is incomplete")
                #expect(try await daemon.notesctl("export", daemon.scratch.file("out")).end == .exited(0))
                try await expectSame(notes, daemon.scratch.file("out"))
                await judge.close()
                return true
            }
        }

        /// A file instead of a directory: the message has the command for it.
        @Test func fileInsteadOfADirectory_isExplained() async throws {
            try await DaemonProcess.run { daemon in
                let file = try daemon.scratch.write("text\n", to: "one file.md")
                let refused = try await daemon.notesctl("import", file)
                #expect(refused.end == .exited(65), "\(refused.errors)")
                let command = "notesctl new 'one file' < '\(file)'"
                #expect(
                    refused.errors.contains("is no directory; to make a note of a file, write `\(command)`"), "\(refused.errors)")
                let missing = try await daemon.notesctl("import", daemon.scratch.file("nothing"))
                #expect(missing.end == .exited(65) && missing.errors.contains("No such file"), "\(missing.errors)")
            }
        }

        /// Files that cannot be notes are reported and skipped, the rest are imported, and the exit
        /// code says so.
        @Test func unsuitableFiles_areReportedAndSkipped() async throws {
            try await DaemonProcess.run { daemon in
                let folder = try daemon.scratch.directory("odd")
                let script = #"""
                    cd "$1" && mkdir -p a/b
                    printf 'good\n' > a/b/good.md
                    printf 'plain\n' > a/plain.txt
                    printf '' > empty.md
                    printf 'no newline' > "é 🙂.md"
                    printf 'not a note\n' > a/picture.png
                    printf 'bad \377 bytes\n' > a/bytes.md
                    printf 'zero \000 byte\n' > a/zero.md
                    printf 'x\n' > "$(printf 'a/\377name.md')"
                    printf 'x\n' > "$(printf 'a/tab\there.md')"
                    printf 'x\n' > "$(printf 'a/bell\007.md')"
                    ln -s /etc/passwd link.md
                    """#
                let made = try await Command.run("/bin/sh", ["-c", script, "sh", folder])
                #expect(made.end == .exited(0), "\(made.errors)")
                let imported = try await daemon.notesctl("import", folder)
                #expect(imported.end == .exited(65), "\(imported.errors)")
                let left = imported.errors.split(separator: "\n").filter {
                    $0.contains("skipped") && !$0.contains("see the reasons above")
                }
                #expect(left.count == 5, "\(imported.errors)")
                for name in ["bytes.md", "zero.md", "name.md", "tab", "bell"] {
                    #expect(left.contains { $0.contains(name) }, "\(name): \(imported.errors)")
                }
                let judge = try await daemon.client("judge")
                let names = try await judge.listAll().compactMap { $0.head.name?.description }
                #expect(names == ["a/b/good", "a/plain.txt", "empty", "é 🙂"])
                await judge.close()

                let exported = try await daemon.notesctl("export", daemon.scratch.file("out"))
                #expect(exported.end == .exited(0), "\(exported.errors)")
                let find = try await Command.run(
                    "/bin/sh", ["-c", "cd \"$1\" && find . -type f | LC_ALL=C sort", "sh", daemon.scratch.file("out")])
                #expect(find.lines == ["./a/b/good.md", "./a/picture.png", "./a/plain.txt", "./empty.md", "./é 🙂.md"])
                #expect(try Files.read(daemon.scratch.file("out/é 🙂.md")) == bytes("no newline"))
            }
        }
    }
}
