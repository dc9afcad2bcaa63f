import Console
import Foundation
import Glibc
import TestKit
import Testing

@testable import FolderSync

/// Tests of looks at what has changed in a folder, against scans of all of it.
struct FolderWatchTests {
    private static let names = ["a.md", "b.md", "c.txt", "d", "e", "d.md", ".hidden.md", "picture.png", ".notesctl-1-2.part"]

    /// A random path of up to three parts below a folder.
    private func path(_ root: String, _ random: inout SeededGenerator) -> String {
        root + (0...random.below(3)).map { _ in "/" + random.pick(Self.names) }.joined()
    }

    /// Changes something; many changes fail, for example because a folder of the path is missing.
    private func change(_ root: String, _ random: inout SeededGenerator) {
        let (one, other) = (path(root, &random), path(root, &random))
        switch random.below(9) {
        case 0, 1: mkdir(one, 0o700)
        case 2, 3:
            let file = open(one, O_WRONLY | O_CREAT | O_APPEND, 0o600)
            if file >= 0 { _ = write(file, one, 1 + random.below(one.utf8.count)) }
            close(file)
        case 4: rename(one, other)
        case 5: unlink(one)
        case 6: symlink("d", one)
        case 7: chmod(one, 0o700)
        default: try? FileManager.default.removeItem(atPath: one)
        }
    }

    private func expectSame(_ one: NoteFiles.Found, _ other: NoteFiles.Found, _ place: String) {
        #expect(one.paths == other.paths, "\(place)")
        #expect(one.stamps == other.stamps, "\(place)")
        #expect(one.folders == other.folders, "\(place)")
        #expect(
            one.temporary.sorted { $0.lexicographicallyPrecedes($1) }
                == other.temporary.sorted { $0.lexicographicallyPrecedes($1) })
    }

    @Test(arguments: seeds(40))
    func lookAtChanges_findsWhatAScanFinds(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let scratch = try TemporaryDirectory()
        let root = scratch.path + "/notes"
        mkdir(root, 0o700)
        for _ in 0..<40 { change(root, &random) }
        let folder = try Descriptor.open(bytes(root), O_RDONLY | O_DIRECTORY)
        let watch = try FolderWatch(changed: {})
        func cover(_ name: [UInt8]) { watch.cover(name.isEmpty ? bytes(root) : bytes(root) + bytes("/") + name, as: name) }
        var found = NoteFiles.below(folder, entering: cover)
        for round in 0..<30 {
            for _ in 0..<random.below(8) { change(root, &random) }
            let changes = watch.take()
            #expect(!changes.isIncomplete)
            _ = found.refresh(changes.paths, FileTree(folder), NoteFiles.Selection(), entering: cover)
            expectSame(found, NoteFiles.below(folder), "seed \(seed), round \(round)")
        }
        #expect(watch.error == nil)
    }

    /// git deletes a file and makes it anew. Editors write in place, or move another file to the name.
    @Test func fileThatIsDeletedAndMade_isRemade() throws {
        let scratch = try TemporaryDirectory()
        let root = scratch.path
        let watch = try FolderWatch(changed: {})
        watch.cover(bytes(root), as: [])
        func make(_ name: String) throws {
            try Descriptor.open(bytes(root + name), O_WRONLY | O_CREAT | O_TRUNC, mode: 0o600).writeAll(bytes("x"))
        }
        for name in ["/a", "/b", "/c", "/d"] { try make(name) }
        #expect(watch.take().remade.isEmpty, "new files")
        try make("/a")
        unlink(root + "/b")
        try make("/b")
        try make("/c.new")
        unlink(root + "/c")
        rename(root + "/c.new", root + "/c")
        unlink(root + "/d")
        #expect(watch.take().remade == [bytes("b")])
        try make("/d")
        #expect(watch.take().remade.isEmpty, "the file was missing in between")
    }

    /// A folder that is moved while files are made in it: no file is found under its former path.
    @Test func movedFolder_isFoundUnderItsNewPath() throws {
        let scratch = try TemporaryDirectory()
        let root = scratch.path
        let folder = try Descriptor.open(bytes(root), O_RDONLY | O_DIRECTORY)
        let watch = try FolderWatch(changed: {})
        func cover(_ name: [UInt8]) { watch.cover(name.isEmpty ? bytes(root) : bytes(root) + bytes("/") + name, as: name) }
        mkdir(root + "/d", 0o700)
        var found = NoteFiles.below(folder, entering: cover)
        for number in 0..<20 {
            let (from, to) = number % 2 == 0 ? ("/d", "/e") : ("/e", "/d")
            try Descriptor.open(bytes(root + from + "/\(number).md"), O_WRONLY | O_CREAT, mode: 0o600).writeAll(bytes("x"))
            #expect(rename(root + from, root + to) == 0)
            _ = found.refresh(watch.take().paths, FileTree(folder), NoteFiles.Selection(), entering: cover)
            try Descriptor.open(bytes(root + to + "/late \(number).md"), O_WRONLY | O_CREAT, mode: 0o600).writeAll(bytes("x"))
            _ = found.refresh(watch.take().paths, FileTree(folder), NoteFiles.Selection(), entering: cover)
            expectSame(found, NoteFiles.below(folder), "move \(number)")
            #expect(found.paths.count == 2 * number + 2)
        }
    }
}
