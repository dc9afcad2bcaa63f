import Console
import Glibc
import NoteText
import NotesModel
import TestKit
import Testing

@testable import FolderSync
@testable import NoteTasks

/// Tests of what a program that watches a folder learns while files in it are replaced.
struct FolderEventTests {
    /// The events on one name, in order.
    private func events(on name: String, in folder: String, _ body: () throws -> Void) throws -> [UInt32] {
        let watch = inotify_init1(Int32(IN_NONBLOCK))
        defer { close(watch) }
        try #require(inotify_add_watch(watch, folder, UInt32(IN_MOVED_FROM | IN_MOVED_TO | IN_CREATE | IN_DELETE)) >= 0)
        try body()
        var buffer = [UInt8](repeating: 0, count: 64 * 1_024)
        let count = read(watch, &buffer, buffer.count)
        var (found, place): ([UInt32], Int) = ([], 0)
        while place < count {
            let (mask, length) = buffer[place..<(place + 16)].withUnsafeBytes {
                ($0.loadUnaligned(fromByteOffset: 4, as: UInt32.self), Int($0.loadUnaligned(fromByteOffset: 12, as: UInt32.self)))
            }
            let text = buffer[(place + 16)..<(place + 16 + length)].prefix { $0 != 0 }
            if text.elementsEqual(name.utf8) { found.append(mask) }
            place += 16 + length
        }
        return found
    }

    @Test func replacedFile_isThereForAProgramThatWatchesIt() throws {
        let folder = try TemporaryDirectory()
        func write(_ text: String) throws {
            try Descriptor.open(bytes("\(folder.path)/a.md"), O_WRONLY | O_CREAT | O_TRUNC).writeAll(bytes(text))
        }
        try write("one\n")
        let tree = try Descriptor.open(bytes(folder.path), O_RDONLY | O_DIRECTORY)
        let byMirror = try events(on: "a.md", in: folder.path) {
            let isWritten = try FileTree(tree).write(
                bytes("two\n"), to: bytes("a.md"), over: .file(FileContent(of: bytes("one\n"))), serial: 1, isLeasing: true)
            #expect(isWritten)
        }
        #expect(byMirror.last == UInt32(IN_MOVED_TO), "\(byMirror)")
        var edited = EditedFile(directory: folder.path, name: "a.md", text: bytes("two\n"))
        let byEdit = try events(on: "a.md", in: folder.path) {
            let isWritten = try edited.rewrite(with: bytes("three\n"))
            #expect(isWritten)
        }
        #expect(byEdit.last == UInt32(IN_MOVED_TO), "\(byEdit)")
    }
}
