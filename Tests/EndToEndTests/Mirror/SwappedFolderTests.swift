import Console
import Foundation
import NoteTasks
import NoteText
import NotesClient
import NotesModel
import NotesWire
import TestKit
import Testing

@testable import FolderSync

/// Folders that another user replaces by symbolic links to places that only the user of the mirror may read.
extension EndToEnd.MirrorTests {
    /// Replaces the folder `d` by a link to the folder `elsewhere`, with files of the same names.
    private func swap(_ scene: FileScene) throws {
        for name in ["a", "b"] { try scene.scratch.write("foreign \(name)\n", to: "elsewhere/\(name).md") }
        try FileManager.default.moveItem(atPath: scene.path("d"), toPath: scene.scratch.file("former"))
        #expect(symlink("../elsewhere", scene.path("d")) == 0)
    }

    private func expectNothingForeign(_ scene: FileScene) async throws {
        let judge = try await scene.daemon.client("judge")
        for note in try await judge.listAll() {
            let text = String(decoding: try await judge.note(.id(note.head.id)).text ?? [], as: UTF8.self)
            #expect(!note.head.isDeleted && !text.contains("foreign"), "\(text)")
        }
        await judge.close()
        for name in ["a", "b"] {
            #expect(try Files.read(scene.scratch.file("elsewhere/\(name).md")) == bytes("foreign \(name)\n"))
        }
    }

    @Test func folderSwappedForALink_isNeitherReadNorWritten() async throws {
        try await scene { scene in
            _ = try scene.scratch.directory("notes/d")
            for name in ["a", "b"] { try scene.write("own \(name)\n", to: "d/\(name).md") }
            #expect(try await mirror(scene).hasPrefix("in step, 2 notes"))
            try swap(scene)
            _ = try await mirror(scene, end: .exited(65))
            // The mirror wants to write this note.
            try await scene.append("more", to: "d/a")
            _ = try await mirror(scene, end: .exited(65))
            #expect(try await scene.run("import").end == .exited(0))
            #expect(try await scene.names() == ["d/a", "d/b"])
            #expect(try await scene.text("d/a") == "own a\nmore\n")
            try await expectNothingForeign(scene)
        }
    }

    /// The folder is swapped after the mirror has found its files, and before it reads them.
    @Test func folderSwappedDuringARun_isNotRead() async throws {
        try await scene { scene in
            _ = try scene.scratch.directory("notes/d")
            for name in ["a", "b"] { try scene.write("own \(name)\n", to: "d/\(name).md") }
            try scene.write("own c\n", to: "c.md")
            let client = try await scene.daemon.client("mirror")
            let database = scene.scratch.file("files.sqlite3")
            try Files.write([], to: database)
            let folder = try Descriptor.open(Array(scene.scratch.file("notes").utf8), O_RDONLY | O_DIRECTORY)
            let place = FileRecords.realPath(scene.scratch.file("notes"))
            let records = try FileRecords(
                path: database, FileRecords.Place(directory: place, store: try await client.store()), boot: [])
            var mirror = FolderMirror(
                client, .lists, directory: folder.number, tree: FileTree(folder), place: place, records: records,
                isApproved: false, missingTime: .zero)
            mirror.isFirstContact = true
            var run = MirrorRun(of: mirror, MirrorReport(options: .plain, isSilent: true))
            mirror.look(in: &run)
            let files = ImportPlan(paths: mirror.found.paths).taken
            #expect(files.count == 3)
            try swap(scene)
            try await mirror.takeFiles(files, in: &run)
            #expect(try await scene.names() == ["c"])
            #expect(Set(run.report.waiting.values.map(\.path)) == [bytes("d/a.md"), bytes("d/b.md")])
            // Other comparisons of the texts of files: `c` may have been renamed, or exchanged with the others.
            let record = try #require(records.files[bytes("c.md")])
            let size = FileRecord(
                note: record.note, version: record.version, content: FileContent(hash: record.content.hash, bytes: 10))
            for name in ["c", "d/b"] { try records.record(bytes("\(name).md"), size, nil) }
            mirror.verified = [:]
            #expect(mirror.fresh(among: files, [bytes("e.md"): size]).isEmpty)
            #expect(mirror.changed(among: files, [bytes("e.md"): size]).isEmpty)
            try await expectNothingForeign(scene)
            await client.close()
            withExtendedLifetime(folder) {}
        }
    }

    /// A sparse file of three gigabytes is reported, and the others are taken.
    @Test func largeFile_isReportedUnread() async throws {
        try await scene { scene in
            try scene.write("small\n", to: "small.md")
            try scene.write("", to: "big.md")
            #expect(truncate(scene.path("big.md"), 3 << 30) == 0)
            let reason = "has 3221225472 bytes; the limit for a note is"
            // Neither program may use as much memory as the file has bytes.
            for command in ["import", "mirror --once --adopt"] {
                let run = try await Command.run(
                    "/bin/sh", ["-c", "ulimit -v 2000000; exec \(Binaries.notesctl) \(command) \(scene.scratch.file("notes"))"],
                    environment: ["NOTESD_SOCKET": scene.daemon.socket, "XDG_STATE_HOME": scene.scratch.file("state")])
                let printed = run.text + run.errors
                #expect(run.end == .exited(65) && printed.contains(reason), "\(command): \(printed)")
            }
            #expect(try await scene.names() == ["small"])
        }
    }
}
