import Foundation
import NoteText
import NotesClient
import NotesModel
import NotesWire
import TestKit
import Testing

extension EndToEnd {
    /// Notes show the times of the files that they were imported from, and exports give them back.
    @Suite struct FileTimesTests {
        private static let old: ByteString = "2019-05-04T10:00:00.123Z"
        private static let ancient: ByteString = "1966-02-03T00:00:00.001Z"
        private static let newer: ByteString = "2021-06-07T08:09:10.500Z"

        /// The times that a note shows, as texts.
        private struct Shown: Equatable {
            let created: ByteString
            let modified: ByteString
        }

        private func shown(_ name: ByteString, by daemon: DaemonProcess) async throws -> Shown {
            let judge = try await daemon.client("judge")
            let head = try await judge.note(.name(name)).head
            await judge.close()
            return Shown(
                created: ByteString(TimestampText.text(head.created)), modified: ByteString(TimestampText.text(head.modified)))
        }

        private func touch(_ path: String, _ time: ByteString) async throws {
            let touched = try await Command.run("/usr/bin/touch", ["-d", "\(time)", path])
            #expect(touched.end == .exited(0), "\(touched.errors)")
        }

        /// The time of a file's last change in seconds since 1970, with milliseconds.
        private func modified(_ path: String) async throws -> String {
            try await Command.run("/usr/bin/stat", ["-c", "%.3Y", path]).text
        }

        private func scene(_ body: (FileScene) async throws -> Void) async throws {
            try await DaemonProcess.run { daemon in
                let scene = FileScene(daemon: daemon)
                _ = try daemon.scratch.directory("notes")
                for (name, time) in [("a.md", Self.old), ("b.md", Self.ancient)] {
                    try scene.write("\(name)\n", to: name)
                    try await touch(scene.path(name), time)
                }
                try await body(scene)
            }
        }

        @Test func timesOfFiles_goInAndComeOut() async throws {
            try await scene { scene in
                let daemon = scene.daemon
                #expect(try await scene.run("import").lines == ["2 files: 2 new, 0 changed, 0 unchanged"])
                // The files are younger than the times that they state.
                let (a, b) = (
                    Shown(created: Self.old, modified: Self.old), Shown(created: Self.ancient, modified: Self.ancient)
                )
                #expect(try await shown("a", by: daemon) == a)
                #expect(try await shown("b", by: daemon) == b)
                try await scene.make("c", "c\n")
                let listed = try await daemon.notesctl("list", "--since", "2019-01-01", "--json=name")
                #expect(listed.lines == [#"{"name":"a"}"#, #"{"name":"c"}"#], "\(listed.text)\(listed.errors)")
                let sorted = try await daemon.notesctl("list", "--sort", "created", "--json=name")
                #expect(sorted.lines == [#"{"name":"c"}"#, #"{"name":"a"}"#, #"{"name":"b"}"#], "\(sorted.text)")
                // `log` shows when the daemon got the notes.
                let newest = try await daemon.notesctl("list", "--prefix", "c", "--json=id").text
                let logged = try await daemon.notesctl("log", "-n", "1", "--json=note").text
                #expect(logged == newest.replacing("\"id\"", with: "\"note\""))

                #expect(try await scene.run("export", to: "out").lines == ["3 notes written"])
                for name in ["a.md", "b.md"] {
                    #expect(try await modified(scene.scratch.file("out/\(name)")) == modified(scene.path(name)), "\(name)")
                }
                // A file of which only the time changed is neither taken nor touched.
                try await touch(scene.path("a.md"), Self.newer)
                let touched = try await modified(scene.path("a.md"))
                #expect(try await scene.run("import").lines == ["2 files: 0 new, 0 changed, 2 unchanged"])
                #expect(try await scene.run("export").lines == ["1 note written, 2 unchanged"])
                #expect(try await modified(scene.path("a.md")) == touched)
                #expect(try await shown("a", by: daemon) == a)

                let audit = try await daemon.notesctl("audit")
                #expect(audit.end == .exited(0), "\(audit.text)\(audit.errors)")
                try await daemon.restart(after: SIGKILL)
                #expect(try await shown("a", by: daemon) == a)
                try await scene.notesctl("backup", scene.scratch.file("copy.db"))
                let data = scene.scratch.file("restored")
                let restored = try await BackupSupport.notesd("restore", scene.scratch.file("copy.db"), "--data", data)
                #expect(restored.end == .exited(0), "\(restored.errors)")
                try await DaemonProcess.run(data: data) { copy in
                    let found = [try await shown("a", by: copy), try await shown("b", by: copy)]
                    #expect(found == [a, b])
                }
            }
        }

        @Test func undoOfAnImport_bringsBackTheTimes() async throws {
            try await scene { scene in
                let daemon = scene.daemon
                try await scene.run("import")
                let first = Shown(created: Self.old, modified: Self.old)
                try scene.write("changed\n", to: "a.md")
                try await touch(scene.path("a.md"), Self.newer)
                #expect(try await scene.run("import").lines == ["2 files: 0 new, 1 changed, 1 unchanged"])
                let second = Shown(created: Self.old, modified: Self.newer)
                #expect(try await shown("a", by: daemon) == second)

                #expect(try await scene.notesctl("op", "undo").end == .exited(0))
                #expect(try await scene.text("a") == "a.md\n")
                #expect(try await shown("a", by: daemon) == first)
                #expect(try await scene.notesctl("redo", "a").end == .exited(0))
                #expect(try await scene.text("a") == "changed\n")
                #expect(try await shown("a", by: daemon) == second)

                // An undone deletion brings back a note with its time.
                try await scene.notesctl("rm", "a")
                #expect(try await scene.notesctl("undo", "a").end == .exited(0))
                #expect(try await shown("a", by: daemon) == second)
                #expect(try await daemon.notesctl("audit").end == .exited(0))
            }
        }

        /// Times that nanoseconds in 64 bits do not hold, or whose distance from now they do not. A file system
        /// that does not hold them either sets its first or last one.
        @Test func farTimes_goThroughImportMirrorAndExport() async throws {
            try await DaemonProcess.run { daemon in
                let scene = FileScene(daemon: daemon)
                _ = try daemon.scratch.directory("notes")
                let years = ["1600", "1700", "2300", "9999"]
                for year in years {
                    try scene.write("\(year)\n", to: "\(year).md")
                    try await touch(scene.path("\(year).md"), ByteString("\(year)-06-01T00:00:00Z"))
                }
                let imported = try await scene.run("import")
                #expect(imported.lines == ["4 files: 4 new, 0 changed, 0 unchanged"], "\(imported.errors)")
                _ = try daemon.scratch.directory("mirrored")
                for folder in ["notes", "mirrored"] {
                    let mirrored = try await scene.run("mirror", "--once", to: folder)
                    #expect(mirrored.end == .exited(0), "\(mirrored.errors)")
                }
                #expect(try await scene.run("export", to: "exported").lines == ["4 notes written"])
                for year in years {
                    let time = try await modified(scene.path("\(year).md"))
                    #expect(try await modified(scene.scratch.file("exported/\(year).md")) == time)
                }
                #expect(try await scene.names() == years)
            }
        }

        /// A text from `notesctl save` is written now, whatever its note has shown.
        @Test func laterWrite_showsItsOwnTime() async throws {
            try await scene { scene in
                try await scene.run("import")
                try await scene.append("more", to: "a")
                let shown = try await shown("a", by: scene.daemon)
                #expect(shown.created == Self.old && shown.modified > Self.newer, "\(shown)")
            }
        }
    }
}
