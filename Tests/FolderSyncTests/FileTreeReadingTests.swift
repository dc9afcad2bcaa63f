import Console
import Glibc
import NoteText
import NotesClient
import NotesMethods
import NotesModel
import NotesWire
import TestKit
import Testing

@testable import FolderSync

/// Files below a folder that another user may write: none is read from elsewhere, and none can block a reader
/// or fill its memory.
struct FileTreeReadingTests {
    /// A folder with `d/a.md`, and one elsewhere with a file of the same path below it.
    private struct Place: ~Copyable {
        let scratch: TemporaryDirectory
        let root: Descriptor
        let tree: FileTree

        init() throws {
            let scratch = try TemporaryDirectory()
            for folder in ["/notes", "/notes/d", "/elsewhere"] { mkdir(scratch.path + folder, 0o700) }
            try Self.write("inside\n", to: scratch.path + "/notes/d/a.md")
            try Self.write("foreign\n", to: scratch.path + "/elsewhere/a.md")
            let root = try Descriptor.open(bytes(scratch.path + "/notes"), O_RDONLY | O_DIRECTORY)
            self.scratch = scratch
            tree = FileTree(root)
            self.root = root
        }

        private static func write(_ text: String, to path: String) throws {
            try Descriptor.open(bytes(path), O_WRONLY | O_CREAT | O_TRUNC).writeAll(bytes(text))
        }

        func write(_ text: String, to path: String) throws { try Self.write(text, to: scratch.path + path) }

        /// Replaces the folder `d` by a symbolic link to the one elsewhere.
        func swap() {
            #expect(rename(scratch.path + "/notes/d", scratch.path + "/former") == 0)
            #expect(symlink("../elsewhere", scratch.path + "/notes/d") == 0)
        }

        /// The error of an attempt to open a file; nil if it can be read.
        func error(_ path: String) -> Int32? {
            do throws(Descriptor.OpenError) {
                _ = try tree.file(bytes(path)).text(bytesMax: .max)
                return nil
            } catch {
                return error.number
            }
        }
    }

    @Test func fileBelowALinkedFolder_isNeitherReadNorWritten() throws {
        let place = try Place()
        let path = bytes("d/a.md")
        #expect(try place.tree.file(path).text(bytesMax: 7) == bytes("inside\n"))
        place.swap()
        #expect(place.error("d/a.md") == ELOOP)
        #expect(place.error("d/../d/a.md") == EINVAL && place.error("../elsewhere/a.md") == EINVAL)
        #expect(throws: Descriptor.OpenError.self) { try place.tree.content(of: path, sizes: [8]) }
        #expect(throws: Descriptor.OpenError.self) { try place.tree.status(of: path) }
        #expect(throws: Descriptor.OpenError.self) { try place.tree.write(bytes("x"), to: path, serial: 1) }
        #expect(throws: Descriptor.OpenError.self) {
            try place.tree.remove(path, with: FileContent(of: bytes("12345678")), serial: 1)
        }
        let temporary = bytes("d/.notesctl-999999999-1.part")
        try place.write("", to: "/elsewhere/.notesctl-999999999-1.part")
        #expect(throws: Descriptor.OpenError.self) { try place.tree.clear(temporary, bytesMax: 10) }
        // A folder that was found before it was swapped.
        var found = NoteFiles.Found()
        found.read([bytes("d")], place.tree, NoteFiles.Selection()) { _ in }
        #expect(found.paths.isEmpty && found.unreadable.map(\.path) == [bytes("d")])
    }

    /// Only what is below the folder is checked.
    @Test func folderItself_mayBeReachedThroughALink() throws {
        let place = try Place()
        #expect(symlink("notes", place.scratch.path + "/link") == 0)
        let root = try Descriptor.open(bytes(place.scratch.path + "/link"), O_RDONLY | O_DIRECTORY)
        #expect(try FileTree(root).file(bytes("d/a.md")).text(bytesMax: 7) == bytes("inside\n"))
    }

    /// The folder is swapped after the import has found its files.
    @Test func importOfASwappedFolder_leavesTheFile() async throws {
        let place = try Place()
        let plan = ImportPlan(paths: NoteFiles.below(place.root).paths)
        let importer = await Importer(
            client: AbsentDaemon(), tree: place.tree, place: [],
            notes: ImportedNotes([], isWithNameless: true), records: [:], shown: [:],
            policy: .command(isReplacing: false, isDry: false))
        func reason() throws -> String? {
            guard case .finished(let result) = importer.look(at: try #require(plan.taken.first)),
                case .skipped(let reason) = result.outcome
            else { return nil }
            return reason
        }
        #expect(try reason() == nil)
        place.swap()
        #expect(try reason() == "is a symbolic link, or in a folder that is one; it is not read")
    }

    @Test func specialFiles_areNotRead() throws {
        let place = try Place()
        #expect(mkfifo(place.scratch.path + "/notes/pipe.md", 0o600) == 0)
        #expect(place.error("pipe.md") == ENXIO && place.error("d") == ENXIO)
        #expect(symlink("/dev/zero", place.scratch.path + "/notes/zero.md") == 0)
        #expect(place.error("zero.md") == ELOOP)
        // Only root may make a device, and it may not be opened on every file system.
        if mknod(place.scratch.path + "/notes/device.md", S_IFCHR | 0o600, 0x105) == 0 {
            #expect([ENXIO, EACCES].contains(place.error("device.md")))
        }
        #expect(try place.tree.content(of: bytes("pipe.md"), sizes: [0]) == .other)
    }

    @Test func largeFile_isRefusedBeforeItIsRead() throws {
        let place = try Place()
        let bytesMax = 4_000_000
        #expect(truncate(place.scratch.path + "/notes/d/a.md", 3 << 30) == 0)
        let file = try place.tree.file(bytes("d/a.md"))
        #expect(file.bytes == 3 << 30)
        #expect(try file.text(bytesMax: bytesMax) == nil)
        #expect(lseek(file.descriptor.number, 0, SEEK_CUR) == 0, "nothing was read")
        // A file that grows after its size was checked.
        #expect(try file.descriptor.readAll(bytesMax: 300_000).count == 300_000)
        #expect(lseek(file.descriptor.number, 0, SEEK_CUR) == 300_000)
    }

    /// A file with bytes that nobody knows keeps a name. One that is no text gets an ending of its own.
    @Test func temporaryFile_ofUnknownBytes_isKept() throws {
        let place = try Place()
        try place.write("", to: "/notes/.notesctl-999999999-1.part")
        try place.write("", to: "/notes/.notesctl-999999999-2-0123456789abcdef.tmp")
        for name in ["1.part", "2-0123456789abcdef.tmp"] {
            #expect(truncate(place.scratch.path + "/notes/.notesctl-999999999-\(name)", 3 << 20) == 0)
        }
        #expect(try place.tree.clear(bytes(".notesctl-999999999-1.part"), bytesMax: 100) == nil)
        #expect(place.error(".notesctl-999999999-1.part") == ENOENT)
        let kept = try place.tree.clear(bytes(".notesctl-999999999-2-0123456789abcdef.tmp"), bytesMax: 100)
        #expect(kept == bytes("recovered-999999999-2.bin"))
    }
}

/// The client of a test that needs no daemon.
private struct AbsentDaemon: NotesAPI {
    var hello: HelloResult? { nil }
    func noteID(at time: Timestamp) -> NoteID { NoteID(at: time, random: (0, 1)) }
    func close() async {}
    func response<Response: WireResult>(
        to call: Call, as response: Response.Type, progress: (@Sendable (RequestProgress) -> Void)?
    ) async throws -> Response {
        throw ClientError.closed
    }
}
