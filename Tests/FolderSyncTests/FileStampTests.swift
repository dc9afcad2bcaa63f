import Causality
import Glibc
import NotesModel
import NotesSQL
import TestKit
import Testing

@testable import FolderSync

/// Tests of the stamps of files, and of their record.
struct FileStampTests {
    private let place = FileRecords.Place(directory: Array("/notes".utf8), store: ReplicaID(bits: 1))

    /// A stamp with any numbers; many of them are near the ends of their ranges.
    private func stamp(_ random: inout SeededGenerator) -> FileStamp {
        var status = stat()
        status.st_dev = dev_t(truncatingIfNeeded: random.next())
        status.st_ino = ino_t(truncatingIfNeeded: random.next())
        status.st_size = off_t(truncatingIfNeeded: random.next() >> 1)
        func time() -> timespec {
            let seconds = random.pick([0, 1, -1, 1_000_000_000, Int.min, Int.max, Int(truncatingIfNeeded: random.next())])
            return timespec(tv_sec: seconds, tv_nsec: random.below(1_000_000_000))
        }
        (status.st_mtim, status.st_ctim) = (time(), time())
        return FileStamp(status)
    }

    @Test(arguments: seeds(200)) func recordedStamp_isReadAsItWas(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let stamp = stamp(&random)
        let bytes = stamp.recorded
        #expect(FileStamp(recorded: bytes) == stamp)
        #expect(FileStamp(recorded: bytes + [0]) == nil && FileStamp(recorded: Array(bytes.dropLast())) == nil)
        var other = bytes
        other[random.below(bytes.count)] ^= 1
        #expect(FileStamp(recorded: other) != stamp)
    }

    /// A file changes, the mirror looks at it, and it changes again at once or later, with the same size
    /// and inode. If the first stamp is recorded, the second differs, however coarse the clock is.
    @Test(arguments: seeds(200)) func changeAfterALook_hasAnotherStampThanARecordedOne(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var recorded = 0
        for _ in 0..<100 {
            let tick: Int64 = random.pick([1, 4_000_000, 10_000_000, 1_000_000_000, 2_000_000_000])
            func stamp(at time: Int64) -> FileStamp {
                let shown = time - time % tick
                var status = stat()
                status.st_mtim = timespec(tv_sec: Int(shown / 1_000_000_000), tv_nsec: Int(shown % 1_000_000_000))
                status.st_ctim = status.st_mtim
                return FileStamp(status)
            }
            let look = Int64(1_000_000_000_000_000_000) + Int64(random.below(4_000_000_000))
            let first = stamp(at: look - Int64(random.below(5_000_000_000)))
            let second = stamp(at: look + random.pick([0, 1, Int64(random.below(3_000_000_000))]))
            guard first.isOlder(than: FileStamp.recordedAge, at: look) else { continue }
            recorded += 1
            #expect(first != second, "tick \(tick), look at \(look)")
        }
        #expect(recorded > 0, "old stamps are recorded")
    }

    @Test func stampOfARecord_goesWithTheRecord() throws {
        let directory = try TemporaryDirectory()
        defer { withExtendedLifetime(directory) {} }
        let path = directory.path + "/files.sqlite3"
        try DatabaseFile.make(path)
        var random = SeededGenerator(seed: 1)
        let (a, b, c) = (Array("a.md".utf8), Array("b.md".utf8), Array("c.md".utf8))
        let id = NoteID(at: Timestamp(milliseconds: 0), random: (0, 1))
        func record(_ text: String) -> FileRecord {
            FileRecord(note: id, version: Version(Dot(ReplicaID(bits: 7), 3)), showing: Array(text.utf8))
        }
        func stamps() throws -> [[UInt8]: FileStamp] { try FileRecords(path: path, place, boot: [1]).stamps }
        let records = try FileRecords(path: path, place, boot: [1])
        for path in [a, b] { try records.record(path, record("one")) }
        let (first, second) = (stamp(&random), stamp(&random))
        try records.keep([a: first, b: second, c: first])
        #expect(try stamps() == [a: first, b: second], "a file without a record has no stamp")
        try records.record(a, record("two"))
        #expect(try stamps() == [b: second])
        try records.keep([a: second])
        #expect(try stamps() == [a: second, b: second])
        try records.forget(b, isByProgram: true, at: Timestamp(milliseconds: 0))
        #expect(try stamps() == [a: second])
        try records.record(b, record("one"))
        #expect(try stamps() == [a: second])
        #expect(records.stamps == [a: second])
    }
}
