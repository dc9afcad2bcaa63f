import Causality
import Console
import Glibc
import NoteTasks
import NoteText
import NotesModel
import TestKit
import Testing

@testable import FolderSync

/// Tests of the times that files get and state.
struct FileTimesTests {
    private func withTree(_ body: (borrowing Descriptor, FileTree) throws -> Void) throws {
        let place = try TemporaryDirectory()
        defer { withExtendedLifetime(place) {} }
        let root = try Descriptor.open(Array(place.path.utf8), O_RDONLY | O_DIRECTORY)
        try body(root, FileTree(root))
    }

    private func times(of path: String, in root: borrowing Descriptor) throws -> FileTimes? {
        try Descriptor.open(Array(path.utf8), in: root.number, O_RDONLY).fileTimes
    }

    /// No file system is older than these times, so they are the times of creation too.
    @Test(arguments: [0, 1, 1_556_964_000_123, 1_000_000_000_000, -1, -999, -1_000, -1_001, -123_456_789])
    func writtenFile_hasTheTime(milliseconds: Int64) throws {
        let time = Timestamp(milliseconds: milliseconds)
        try withTree { root, tree in
            try tree.write([0x61], to: Array("d/a.md".utf8), modified: time, serial: 1)
            let written = try times(of: "d/a.md", in: root)
            #expect(written == FileTimes(modified: time, created: time))
            // Replacing the file replaces the time.
            try tree.write(
                [0x62], to: Array("d/a.md".utf8), modified: Timestamp(milliseconds: 5), over: .file(FileContent(of: [0x61])),
                serial: 2)
            let replaced = try times(of: "d/a.md", in: root)
            #expect(replaced?.modified == Timestamp(milliseconds: 5))
        }
    }

    /// The file was created during the test, and states a later change.
    @Test func birthTime_isTheTimeOfCreation_ifTheFileSystemKnowsIt() throws {
        let later = Timestamp(milliseconds: Clock.now().milliseconds + 86_400_000)
        try withTree { root, tree in
            try tree.write([], to: Array("a.md".utf8), modified: later, serial: 1)
            let found = try times(of: "a.md", in: root)
            let stated = try #require(found)
            #expect(stated.modified == later)
            let created = try #require(stated.created)
            // The clock of the file system may be a tick behind, so the bound is an hour.
            let age = Clock.now().milliseconds - created.milliseconds
            #expect(created == later || abs(age) < 3_600_000, "\(stated)")
        }
    }

    /// Times of a file system that holds any, of the years 1600, 1677, 1700, 2262, 2300 and 9999 among others.
    @Test(arguments: [
        Int.min, -11_676_096_000, -9_223_372_037, -9_223_372_036, -8_520_336_000, -1, 0, 9_223_372_036, 9_223_372_037,
        10_413_792_000, 253_402_300_799, Int.max,
    ])
    func stamp_holdsAnyTime(seconds: Int) {
        var status = stat()
        status.st_mtim = timespec(tv_sec: seconds, tv_nsec: 999_999_999)
        status.st_ctim = status.st_mtim
        let stamp = FileStamp(status)
        let fits = Int64(seconds) >= -9_223_372_036 && Int64(seconds) < 9_223_372_036
        #expect(
            stamp.modified == (fits ? Int64(seconds) * 1_000_000_000 + 999_999_999 : seconds < 0 ? Int64.min : Int64.max))
        #expect(stamp.isTrusted(at: 1_800_000_000_000_000_000) == (seconds < 1_800_000_000))
    }
}
