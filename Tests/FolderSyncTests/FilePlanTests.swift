import Causality
import Console
import Glibc
import NoteText
import NotesModel
import TestKit
import Testing

@testable import FolderSync

/// Tests of the mapping between files and notes.
struct FilePlanTests {
    private func head(_ number: UInt64, _ name: String?) -> Head {
        Head(
            id: NoteID(at: Timestamp(milliseconds: 0), random: (0, number)), name: name.flatMap { try? NoteName(ByteString($0)) },
            version: .nothing, vector: VersionVector(), title: "", tags: [], created: Timestamp(milliseconds: 0),
            modified: Timestamp(milliseconds: 0), author: Author(user: "ada", label: nil), bytes: 0, isDeleted: false)
    }

    @Test func importedFiles_exportToSamePath() {
        let paths = [
            "a.md", "b.txt", "work/inbox.md", "x.md.md", "日本/メモ.md", "e\u{301}.md", "é.md", "d.md/e.md", "UP.MD", "x.markdown",
            "y.TXT", "..md", "a/...md", "a/.md",
        ].map {
            Array($0.utf8)
        }
        let plan = ImportPlan(paths: paths)
        #expect(plan.skipped.isEmpty)
        #expect(plan.taken.count == paths.count)
        for file in plan.taken {
            let note = head(1, file.name.description)
            #expect(NoteFileName.path(of: note) == file.path, "\(file.path.pathForPeople)")
        }
    }

    /// With aliases, each note has a path of its own that a file system can have, whatever the names and
    /// the order of the notes.
    @Test(arguments: seeds(20))
    func aliases_giveEachNoteAPath(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let long = String(repeating: "é", count: 126)
        let names = ["a", "b", "deep/" + long, "deep/x" + long, long + "x", "a~\(head(3, nil).id.description.suffix(8))", nil]
        let notes = (0..<40).map { head(UInt64($0), random.pick(names)) }
        let plan = ExportPlan.aliasing(notes.shuffled())
        #expect(plan.skipped.isEmpty)
        #expect(Set(plan.taken.map(\.path)).count == notes.count)
        #expect(Set(plan.taken.map(\.head.id)) == Set(notes.map(\.id)))
        for file in plan.taken {
            #expect(file.path.split(separator: 0x2F).allSatisfy { $0.count <= 255 })
            #expect(ByteString(checkedUTF8: file.path) != nil, "the cut is between characters")
            let own = NoteFileName.path(of: file.head)
            #expect((plan.aliases[file.path] == file.head.id) == (own != file.path))
            #expect(
                own.lastIndex(of: 0x2F).map { own[...$0] } ?? [] == file.path.lastIndex(of: 0x2F).map { file.path[...$0] } ?? [])
        }
        // The path belongs to the oldest note.
        let first = notes.first { $0.name?.description == "a" }
        if let first { #expect(plan.taken.first { $0.path.elementsEqual("a.md".utf8) }?.head.id == first.id) }
        #expect(plan.aliases == ExportPlan.aliasing(notes).aliases)
        #expect(ExportPlan.aliasing([head(1, "a"), head(2, "b")]).aliases.isEmpty)
    }

    @Test func notesInFoldersOfOtherMirrors_areSkipped() {
        let notes = [head(1, "a"), head(2, "in/a"), head(3, "in/deep/b"), head(4, "inner/c"), head(5, "own/d")]
        var plan = ExportPlan.aliasing(notes)
        plan.leaveOut(below: [Array("in".utf8), Array("own".utf8)], sharing: [Array("own".utf8): true])
        #expect(plan.taken.map(\.path.pathForPeople) == ["a.md", "inner/c.md"])
        #expect(plan.skipped.map(\.path.pathForPeople) == ["in/a.md", "in/deep/b.md"])
        #expect(plan.skippedNotes == Set([2, 3, 5].map { head($0, nil).id }))
    }

    @Test func filesWithEqualNames_areAllSkipped() {
        let plan = ImportPlan(paths: [Array("a.txt".utf8), Array("a.txt.md".utf8), Array("b.md".utf8)])
        #expect(plan.taken.map { $0.name.description } == ["b"])
        #expect(plan.skipped.count == 2)
        // A new file does not stop one that is a note already.
        let known = ImportPlan(paths: [Array("LICENSE".utf8), Array("LICENSE.md".utf8)]) { $0 == Array("LICENSE.md".utf8) }
        #expect(known.taken.map(\.path) == [Array("LICENSE.md".utf8)] && known.skipped.map(\.path) == [Array("LICENSE".utf8)])
    }

    @Test func invalidNames_areSkipped() {
        let paths: [[UInt8]] = [
            Array("a/../b.md".utf8), Array("work//.md".utf8), Array("a\nb.md".utf8), [0xFF] + Array(".md".utf8),
        ]
        let plan = ImportPlan(paths: paths)
        #expect(plan.taken.isEmpty)
        #expect(plan.skipped.count == paths.count)
    }

    @Test func unnamedNote_exportsByID_andCollisionsAreSkipped() {
        let plan = ExportPlan([head(1, nil), head(2, "a"), head(3, "a"), head(4, "b")])
        #expect(plan.taken.map { String(decoding: $0.path, as: UTF8.self) }.sorted() == ["\(head(1, nil).id).md", "b.md"])
        #expect(plan.skipped.map { String(decoding: $0.path, as: UTF8.self) } == ["a.md"])
    }

    @Test func fileTree_neverWritesThroughSymbolicLink() throws {
        let place = try TemporaryDirectory()
        defer { withExtendedLifetime(place) {} }
        let directory = PrivateDirectory(path: place.path + "/inside")
        let outside = PrivateDirectory(path: place.path + "/outside")
        for folder in [directory, outside] { mkdir(folder.path, 0o700) }
        symlink(outside.path, directory.file("link"))
        symlink(outside.file("target"), directory.file("file.md"))
        let root = try Descriptor.open(Array(directory.path.utf8), O_RDONLY | O_DIRECTORY)
        let tree = FileTree(root)
        #expect(throws: Descriptor.OpenError.self) { try tree.write([0x61], to: Array("link/a.md".utf8), serial: 1) }
        // The file replaces the link itself; the link's target is unchanged.
        try tree.write([0x61], to: Array("file.md".utf8), serial: 2)
        #expect(access(outside.file("target"), F_OK) != 0)
        #expect(access(outside.file("a.md"), F_OK) != 0)
        #expect(try Descriptor.open(Array(directory.file("file.md").utf8), O_RDONLY | O_NOFOLLOW).readAll() == [0x61])
    }

    @Test func filesBelow_areRegularAndSorted() throws {
        let place = try TemporaryDirectory()
        defer { withExtendedLifetime(place) {} }
        let directory = PrivateDirectory(path: place.path)
        let root = try Descriptor.open(Array(directory.path.utf8), O_RDONLY | O_DIRECTORY)
        let tree = FileTree(root)
        for (serial, path) in ["b.md", "a/c.txt", "a/d/e.md", "a/no.png", ".h.md"].enumerated() {
            try tree.write([], to: Array(path.utf8), serial: serial)
        }
        symlink("b.md", directory.file("link.md"))
        symlink("a", directory.file("loop"))
        let found = NoteFiles.below(root)
        #expect(found.paths.map { String(decoding: $0, as: UTF8.self) } == ["a/c.txt", "a/d/e.md", "b.md"])
        #expect(found.unreadable.isEmpty)
        #expect(found.others.summary == "not notes: 1 .png, 2 symbolic links; hidden: 1")
        let all = NoteFiles.below(root, NoteFiles.Selection(isWithHidden: true, excluded: ["a/*/e.md", "b*"]))
        #expect(all.paths.map { String(decoding: $0, as: UTF8.self) } == [".h.md", "a/c.txt"])
        #expect(all.others.excluded == 2)
    }
}
