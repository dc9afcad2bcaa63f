import Foundation
import NoteText
import NotesModel
import StoreTestKit
import TestKit
import Testing

@testable import NotesStore

/// The folder of files on a real disk.
@Suite struct FileFolderTests {
    @Test(arguments: [0, 1, (768 << 10) - 1, 768 << 10, (768 << 10) + 1, (4 << 20) + 17])
    func upload_isReadInRangesAfterRestart(size: Int) throws {
        let directory = try TemporaryDirectory()
        var folder = try FileFolder(in: directory.path, erasing: [])
        let bytes = content(size, seed: 3)
        let upload = FileUpload(user: 7, hash: hash(of: bytes), bytes: size)
        try put(bytes, upload, in: folder, chunk: 768 << 10)
        for _ in 0..<2 {
            for offset in [0, 1, size / 2, size - 1, size, size + 1] where offset >= 0 {
                let read = try folder.read(upload.hash, from: offset, count: 300_000)
                #expect(read == Array(bytes.dropFirst(offset).prefix(300_000)), "at \(offset)")
            }
            #expect(try folder.check(upload.hash))
            #expect(try folder.size(of: upload.hash) == size)
            folder = try FileFolder(in: directory.path, erasing: [])
            // The file of no bytes is always there, and has no entry.
            #expect(folder.listed == (size == 0 ? [:] : [upload.hash: size]))
        }
        #expect(try names(in: directory) == (size == 0 ? [] : ["files/\(upload.hash)"]))
        guard size > 0 else { return }
        let path = directory.path + "/files/\(upload.hash)"
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o400)
        for path in ["/files", "/files/part", "/files/damaged"] {
            #expect(try FileManager.default.attributesOfItem(atPath: directory.path + path)[.posixPermissions] as? Int == 0o700)
        }
    }

    @Test func otherOffset_writesNothingAndReturnsTheRightOffset() throws {
        let directory = try TemporaryDirectory()
        var folder = try FileFolder(in: directory.path, erasing: [])
        let bytes = content(1_000, seed: 4)
        let upload = FileUpload(user: 7, hash: hash(of: bytes), bytes: 1_000)
        #expect(try folder.begin(upload, freeBytesMin: 0) == 0)
        #expect(try folder.append(bytes[..<400], at: 0, to: upload, freeBytesMin: 0) == 400)
        for offset in [0, 399, 401, 1_000] {
            #expect(try folder.append(bytes[400..<500], at: offset, to: upload, freeBytesMin: 0) == 400)
        }
        #expect(throws: FileFault.missing) { try folder.finish(FileUpload(user: 8, hash: upload.hash, bytes: 1_000)) }
        // Another connection, then another run, continues where the upload ended.
        #expect(try folder.begin(upload, freeBytesMin: 0) == 400)
        folder = try FileFolder(in: directory.path, erasing: [])
        #expect(folder.uploads == [UploadState(key: upload.key, received: 400, bytes: nil)])
        #expect(try folder.append(bytes[400...], at: 400, to: upload, freeBytesMin: 0) == 1_000)
        #expect(try folder.finish(upload))
        try folder.syncNames()
        #expect(try folder.read(upload.hash, from: 0, count: 2_000) == bytes)
    }

    @Test func otherBytesOrTooMany_areRefusedAndGone() throws {
        let directory = try TemporaryDirectory()
        let folder = try FileFolder(in: directory.path, erasing: [])
        let bytes = content(1_000, seed: 5)
        let upload = FileUpload(user: 7, hash: hash(of: bytes), bytes: 1_000)
        var wrong = bytes
        wrong[999] ^= 1
        #expect(throws: FileFault.differs) { try put(wrong, upload, in: folder) }
        #expect(try names(in: directory) == [])
        #expect(throws: FileFault.differs) { try put(Array(bytes[..<999]), upload, in: folder) }
        #expect(try folder.begin(upload, freeBytesMin: 0) == 0)
        #expect(throws: FileFault.differs) {
            try folder.append((bytes + [0])[...], at: 0, to: upload, freeBytesMin: 0)
        }
        #expect(try names(in: directory) == [])
        #expect(folder.uploads == [])
        // The stated size is wrong, but not the hash.
        #expect(throws: FileFault.differs) {
            try put(Array(bytes[..<500]), FileUpload(user: 7, hash: upload.hash, bytes: 500), in: folder)
        }
        #expect(throws: FileFault.differs) { try put([], FileUpload(user: 7, hash: upload.hash, bytes: 0), in: folder) }
        #expect(throws: FileFault.missing) { try folder.read(upload.hash, from: 0, count: 1) }
        try put(bytes, upload, in: folder)
        #expect(try folder.check(upload.hash))
    }

    @Test func twoUsersWithTheSameBytes_giveOneFile() throws {
        let directory = try TemporaryDirectory()
        let folder = try FileFolder(in: directory.path, erasing: [])
        let bytes = content(5_000, seed: 6)
        let uploads = [7, 8].map { FileUpload(user: $0, hash: hash(of: bytes), bytes: 5_000) }
        for upload in uploads {
            #expect(try folder.begin(upload, freeBytesMin: 0) == 0)
            #expect(try folder.append(bytes[...], at: 0, to: upload, freeBytesMin: 0) == 5_000)
        }
        #expect(folder.amount(ofUser: 7) == (1, 5_000))
        #expect(folder.amount(ofUser: nil) == (2, 10_000))
        for upload in uploads {
            // In steps of some bytes.
            while try !folder.finish(upload, bytesMax: 700) {}
        }
        try folder.syncNames()
        #expect(try names(in: directory) == ["files/\(uploads[0].hash)"])
        #expect(folder.amount(ofUser: nil) == (0, 0))
    }

    @Test func symbolicLinks_areNeverFollowed() throws {
        let (directory, outside) = (try TemporaryDirectory(), try TemporaryDirectory())
        var folder = try FileFolder(in: directory.path, erasing: [])
        let bytes = content(100, seed: 8)
        let upload = FileUpload(user: 7, hash: hash(of: bytes), bytes: 100)
        let target = outside.path + "/secret"
        try Data(bytes).write(to: URL(fileURLWithPath: target))
        let (file, part) = ("/files/\(upload.hash)", "/files/part/\(upload.key.name)")
        for place in [file, part] {
            try FileManager.default.createSymbolicLink(atPath: directory.path + place, withDestinationPath: target)
        }
        folder = try FileFolder(in: directory.path, erasing: [])
        #expect(folder.listed.isEmpty && folder.uploads.isEmpty)
        #expect(isFailed { _ = try folder.read(upload.hash, from: 0, count: 100) })
        #expect(isFailed { _ = try folder.check(upload.hash) })
        #expect(isFailed { _ = try folder.begin(upload, freeBytesMin: 0) })
        try FileManager.default.removeItem(atPath: directory.path + part)
        #expect(isFailed { try put(bytes, upload, in: folder) })
        try folder.remove([upload.hash])
        #expect(try names(in: directory) == [])
        #expect(FileManager.default.contents(atPath: target) == Data(bytes))
        for place in ["/files/damaged", "/files/part", "/files"] {
            try FileManager.default.removeItem(atPath: directory.path + place)
            try FileManager.default.createSymbolicLink(atPath: directory.path + place, withDestinationPath: outside.path)
            #expect(isFailed { _ = try FileFolder(in: directory.path, erasing: []) })
        }
    }

    @Test func otherNames_areLeftAlone() throws {
        let directory = try TemporaryDirectory()
        _ = try FileFolder(in: directory.path, erasing: [])
        let digits = String(repeating: "a", count: 64)
        let others = [
            "files/README", "files/\(digits.uppercased())", "files/\(digits)0", "files/part/07-\(digits)", "files/part/x",
            "files/part/4294967296-\(digits)", "files/damaged/x", "files/\(FileHash.ofNothing)",
        ]
        for name in others { try Data([1]).write(to: URL(fileURLWithPath: directory.path + "/" + name)) }
        try FileManager.default.createDirectory(
            atPath: directory.path + "/files/\(digits)", withIntermediateDirectories: false)
        let hash = try #require(FileHash(parsing: digits.utf8))
        let folder = try FileFolder(in: directory.path, erasing: [.ofNothing])
        #expect(folder.listed.isEmpty && folder.uploads.isEmpty)
        #expect(try folder.removeStaleUploads(olderThan: 0, now: .max) == [])
        #expect(isFailed { try folder.remove([hash]) })
        #expect(try names(in: directory) == others.dropLast().sorted())
    }

    @Test func staleUploads_areRemoved() throws {
        let disk = SimulatedFolder(.journal)
        let folder = try FileFolder(disk, erasing: [])
        let bytes = content(30, seed: 9)
        let (old, new) = (
            FileUpload(user: 7, hash: hash(of: bytes), bytes: 30), FileUpload(user: 8, hash: hash(of: bytes), bytes: 30)
        )
        _ = try folder.append(bytes[..<10], at: 0, to: old, freeBytesMin: 0)
        disk.now = 100
        _ = try folder.append(bytes[..<10], at: 0, to: new, freeBytesMin: 0)
        disk.now = 200
        // To begin again is no byte.
        #expect(try folder.begin(old, freeBytesMin: 0) == 10)
        #expect(try folder.removeStaleUploads(olderThan: 150, now: 149) == [])
        #expect(try folder.removeStaleUploads(olderThan: 150, now: 200) == [old.key])
        #expect(folder.uploads.map(\.key) == [new.key])
    }
}

func content(_ size: Int, seed: UInt64) -> [UInt8] {
    var random = SeededGenerator(seed: seed)
    return (0..<size).map { _ in UInt8(truncatingIfNeeded: random.next()) }
}

func hash(of bytes: [UInt8]) -> FileHash {
    guard let hash = FileHash(bytes: SHA256.hash(of: bytes)) else { preconditionFailure("a hash has 32 bytes") }
    return hash
}

/// Uploads bytes from where the upload ends, and makes the file's name durable.
func put(_ bytes: [UInt8], _ upload: FileUpload, in folder: FileFolder, chunk: Int = 1_000) throws(FileFault) {
    var offset = try folder.begin(upload, freeBytesMin: 0)
    while offset < bytes.count {
        let end = min(bytes.count, offset + chunk)
        offset = try folder.append(bytes[offset..<end], at: offset, to: upload, freeBytesMin: 0)
    }
    while try !folder.finish(upload, bytesMax: chunk) {}
    try folder.syncNames()
}

/// Whether a body throws `failed`.
func isFailed(_ body: () throws -> Void) -> Bool {
    do { try body() } catch {
        if case .failed? = error as? FileFault { return true }
    }
    return false
}

/// The files in the folders, sorted.
func names(in directory: TemporaryDirectory) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: directory.path).filter { path in
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: directory.path + "/" + path, isDirectory: &isFolder) && !isFolder.boolValue
    }.sorted()
}
