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

/// Files that a mirror does not read again, since their stamps are recorded.
extension EndToEnd.MirrorTests {
    /// A mirror that records stamps of an age reads the files whose stamps are not recorded.
    @Test func unchangedFiles_areNotReadAgain() async throws {
        try await scene { scene in
            let names = ["a", "b", "c"]
            for name in names { try await scene.make(name, "the text of \(name)\n") }
            let client = try await scene.daemon.client("mirror")
            let database = scene.scratch.file("files.sqlite3")
            try Files.write([], to: database)
            let folder = try Descriptor.open(Array(scene.scratch.file("notes").utf8), O_RDONLY | O_DIRECTORY)
            let place = FileRecords.realPath(scene.scratch.file("notes"))
            /// Runs a new mirror.
            ///
            /// - Parameter age: as in `FolderMirror`; `max` records no stamps.
            /// - Returns: the names of the files that it read and found to have the text of their notes.
            func read(age: Int64) async throws -> [String] {
                let records = try FileRecords(
                    path: database, FileRecords.Place(directory: place, store: try await client.store()), boot: [])
                var mirror = FolderMirror(
                    client, .lists, directory: folder.number, tree: FileTree(folder), place: place, records: records,
                    isApproved: false, missingTime: .zero, stampAge: age)
                mirror.isFirstContact = true
                let before = mirror.verified
                var run = MirrorRun(of: mirror, MirrorReport(options: .plain, isSilent: true))
                _ = try await mirror.bringInStep(in: &run)
                #expect(run.report.waiting.isEmpty)
                let read = mirror.verified.filter { before[$0.key] != $0.value }.keys
                return read.map { String(decoding: $0.dropLast(3), as: UTF8.self) }.sorted()
            }
            #expect(try await read(age: .max) == [], "the files are new")
            #expect(try await read(age: .max) == names)
            #expect(try await read(age: 0) == names, "their stamps were too new to be recorded")
            #expect(try await read(age: 0) == [])
            for name in names { #expect(try scene.read("\(name).md") == "the text of \(name)\n") }

            // A text of the same size, and with the same time.
            var times = stat()
            #expect(stat(scene.path("b.md"), &times) == 0)
            try scene.write("THE TEXT OF b\n", to: "b.md")
            var both = [times.st_mtim, times.st_mtim]
            #expect(utimensat(AT_FDCWD, scene.path("b.md"), &both, 0) == 0)
            #expect(try await read(age: .max) == [], "it is saved")
            #expect(try await scene.text("b") == "THE TEXT OF b\n")
            #expect(try await read(age: 0) == ["b"])

            // The stamp of a file that the mirror writes goes.
            try await scene.append("more", to: "c")
            #expect(try await read(age: 0) == [])
            #expect(try scene.read("c.md") == "the text of c\nmore\n")
            #expect(try await read(age: 0) == ["c"])
            #expect(try await read(age: 0) == [])
            await client.close()
            withExtendedLifetime(folder) {}
        }
    }
}
