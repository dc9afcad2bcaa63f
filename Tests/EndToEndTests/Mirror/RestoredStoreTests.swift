import Foundation
import NoteText
import NotesClient
import TestKit
import Testing

/// The contract's case 35: a mirrored folder whose daemon is restored to an older backup.
extension EndToEnd.MirrorTests {
    /// Restores the daemon's store to a backup that was made before some changes.
    private func restoring(_ scene: FileScene, after changes: () async throws -> Void) async throws {
        let backup = scene.scratch.file("backup.db")
        let keeper = try await scene.daemon.client("keeper")
        _ = try await keeper.backUp(to: ByteString(backup))
        await keeper.close()
        try await changes()
        try await scene.daemon.end(SIGTERM)
        let data = scene.daemon.data
        try FileManager.default.moveItem(atPath: data, toPath: data + ".former")
        let restored = try await BackupSupport.notesd("restore", backup, "--data", data)
        #expect(restored.end == .exited(0), "\(restored.errors)")
        try await scene.daemon.start()
    }

    @Test func restoredStore_getsWhatTheFilesHave() async throws {
        try await scene { scene in
            for name in ["a", "b", "same"] { try await scene.make(name, "the first line of \(name)\n") }
            _ = try await mirror(scene)
            try await restoring(scene) {
                try await scene.append("a line by a client", to: "a")
                try scene.write("the first line of b\na line by a program\n", to: "b.md")
                try scene.write("a new file\n", to: "c.md")
                _ = try await mirror(scene)
            }
            // The restored note is changed too.
            try await scene.append("a later line", to: "a")
            _ = try await mirror(scene)
            let a = try await scene.text("a")
            for line in ["the first line of a", "a line by a client", "a later line"] {
                #expect(a.components(separatedBy: line + "\n").count == 2, "\(a)")
            }
            #expect(try scene.read("a.md") == a)
            for (name, text) in ["b": "the first line of b\na line by a program\n", "c": "a new file\n"] {
                #expect(try await scene.text(name) == text)
                #expect(try scene.read(name + ".md") == text)
            }
            #expect(try await scene.names() == ["a", "b", "c", "same"])
            #expect(try await mirror(scene) == "in step, 4 notes")
        }
    }

    @Test func restoredStore_thatLacksManyTexts_waits() async throws {
        try await scene { scene in
            let names = (0..<51).map { "n\($0)" }
            for name in names { try scene.write("one\n", to: name + ".md") }
            _ = try await mirror(scene)
            try await restoring(scene) {
                for name in names { try scene.write("one\ntwo\n", to: name + ".md") }
                _ = try await mirror(scene)
            }
            let run = try await scene.run("mirror", "--once", "--adopt")
            #expect(run.end == .exited(65) && run.errors.contains("lost the texts of 51 files"), "\(run.errors)")
            for name in names { #expect(try scene.read(name + ".md") == "one\ntwo\n") }
            #expect(try await scene.text("n0") == "one\n")
            _ = try await mirror(scene, "--yes")
            for name in names { #expect(try await scene.text(name) == "one\ntwo\n") }
            #expect(try await mirror(scene) == "in step, 51 notes")
        }
    }
}
