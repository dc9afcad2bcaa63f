import Causality
import Foundation
import NotesModel
import TestKit
import Testing

@testable import NotesStore

/// Runs on a real, small file system that is filled and freed at random: appends fail completely,
/// reads succeed, and writes succeed again once there is space.
@Suite(.serialized) struct FullDisk {
    @Test(.enabled(if: SmallDisk.isPermitted, "mounting a tmpfs needs root"), arguments: seeds(6))
    func appends_failCompletely_andContinue(seed: UInt64) throws {
        var generator = HistoryGenerator(seed: seed)
        let disk = try SmallDisk(bytes: 3 << 20)
        var journal = try openStore(disk.path + "/store", replica: generator.replica, limits: JournalKind.sqliteFolding.limits)
        var naive = NaiveStore()
        var (refused, accepted) = (0, 0)
        for round in 0..<300 {
            switch generator.random.below(12) {
            case 0: disk.fill(leaving: generator.random.below(60_000))
            case 1: disk.free()
            case 2: _ = try? journal.maintain()
            default: break
            }
            let before = generator
            let commits = generator.commits(1 + generator.random.below(10))
            do {
                try journal.append(commits.map { .commit($0, operation: nil) })
                for commit in commits { naive.append(commit) }
                accepted += 1
            } catch {
                try #require(error.isFull, "seed \(seed), round \(round): \(error)")
                let draws = generator.random
                generator = before
                generator.random = draws
                refused += 1
            }
            if refused > 30, naive.commits.count > 800 { break }
            try expectReadable(journal, naive, &generator, "seed \(seed), round \(round)")
            if generator.random.chance(0.05) {
                try expectSame(copy(of: disk), naive, ReplicaID(bits: UInt64(round)), "seed \(seed), round \(round)")
            }
        }
        #expect(refused > 0 && accepted > 0 || !isUsual(seed, of: 6), "seed \(seed): \(refused) refused, \(accepted) accepted")
        disk.free()
        disk.enlarge(to: 64 << 20)
        let commits = generator.commits(5)
        try journal.append(commits.map { .commit($0, operation: nil) })
        for commit in commits { naive.append(commit) }
        try journal.close()
        generator.restart()
        journal = try openStore(disk.path + "/store", replica: generator.replica)
        try expectReadable(journal, naive, &generator, "seed \(seed), at the end")
        try journal.close()
    }

    /// Without a free inode, SQLite cannot create its log, and reports only that it cannot open the file.
    @Test(.enabled(if: SmallDisk.isPermitted, "mounting a tmpfs needs root"))
    func lackOfInodes_isNamed() throws {
        let disk = try SmallDisk(bytes: 3 << 20, inodes: 20)
        try openStore(disk.path + "/store", replica: ReplicaID(bits: 1)).close()
        let fillers = (0..<20).map { disk.path + "/\($0)" }
        let created = fillers.prefix { FileManager.default.createFile(atPath: $0, contents: nil) }
        #expect(created.count < fillers.count)
        for place in ["/store", "/other"] {
            let fault = #expect(throws: StoreError.self) { _ = try openStore(disk.path + place, replica: ReplicaID(bits: 2)) }
            #expect(fault?.description.contains("no free inode") == true, "\(String(describing: fault))")
        }
        for path in created { try FileManager.default.removeItem(atPath: path) }
        try openStore(disk.path + "/store", replica: ReplicaID(bits: 3)).close()
    }

    private func copy(of disk: SmallDisk) throws -> TemporaryDirectory {
        let copy = try TemporaryDirectory()
        for file in ["notes.sqlite3", "notes.sqlite3-wal"]
        where FileManager.default.fileExists(atPath: disk.path + "/store/" + file) {
            try FileManager.default.copyItem(atPath: disk.path + "/store/" + file, toPath: copy.path + "/" + file)
        }
        return copy
    }
}

/// Expects the newest commits, two notes and a list as the naive store has them.
func expectReadable(
    _ journal: SQLiteJournal, _ naive: NaiveStore, _ generator: inout HistoryGenerator, _ place: String
) throws {
    #expect(journal.lastSequence == UInt64(naive.commits.count), "\(place)")
    guard let last = naive.commits.last, let some = naive.commits.randomElement(using: &generator.random) else { return }
    for id in Set([last.head.id, some.head.id]) {
        let record = try journal.note(id, downTo: .newest, asOf: nil).map(ComparableRecord.init)
        #expect(record == naive.note(id, downTo: .newest, asOf: nil), "\(place)")
    }
    #expect(
        try journal.heads(matching: Filter(), after: nil, limit: 3) == naive.heads(matching: Filter(), after: nil, limit: 3),
        "\(place)")
}

/// A separate tmpfs, unmounted with the object.
final class SmallDisk {
    let path: String
    private let parent: TemporaryDirectory

    /// Whether this process may mount, determined by trying.
    static let isPermitted: Bool = {
        guard geteuid() == 0, let disk = try? SmallDisk(bytes: 1 << 20) else { return false }
        return !disk.path.isEmpty
    }()

    struct NotPermitted: Error {}

    /// - Parameter inodes: the number of files and directories that fit; nil for no limit of its own.
    init(bytes: Int, inodes: Int? = nil) throws {
        parent = try TemporaryDirectory()
        path = parent.path + "/disk"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let options = "size=\(bytes),mode=700" + (inodes.map { ",nr_inodes=\($0)" } ?? "")
        guard mount("tmpfs", path, "tmpfs", 0, options) == 0 else { throw NotPermitted() }
    }

    deinit {
        umount2(path, Int32(MNT_DETACH))
    }

    /// Fills the file system except for about this many bytes.
    func fill(leaving bytes: Int) {
        free()
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return }
        let room = Int(status.f_bavail) * Int(status.f_bsize) - bytes
        let descriptor = open(path + "/ballast", O_CREAT | O_WRONLY, 0o600)
        if room > 0 { posix_fallocate(descriptor, 0, off_t(room)) }
        close(descriptor)
    }

    func free() {
        unlink(path + "/ballast")
    }

    func enlarge(to bytes: Int) {
        mount("tmpfs", path, "tmpfs", UInt(MS_REMOUNT), "size=\(bytes)")
    }
}
