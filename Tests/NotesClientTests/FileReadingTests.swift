import NoteText
import NotesModel
import TestKit
import Testing

@testable import NotesClient

/// Whole files from places of bytes.
struct FileReadingTests {
    /// A place whose bytes do not have their hash.
    private struct Damaged: FileContents {
        func size(of hash: FileHash) -> Int? { 3 }
        func bytes(of hash: FileHash, in range: Range<Int>) -> [UInt8] { Array(repeating: 7, count: min(2, range.count)) }
    }

    @Test func bytes_havingTheirHash_arePassedOn() async throws {
        var files = MemoryFiles()
        let bytes = Array("some bytes".utf8)
        files.add(bytes)
        let content = FileContent(of: bytes)
        #expect(try await files.all(content) == bytes)
        var passed: [[UInt8]] = []
        try await files.pass(2..<9, of: content.hash, partBytesMax: 3) { passed.append($0) }
        #expect(passed == [Array("me ".utf8), Array("byt".utf8), Array("e".utf8)])
        #expect(try await Damaged().all(FileContent(of: [7, 7, 7])) == [7, 7, 7])
    }

    @Test func otherBytes_areDamaged() async throws {
        var files = MemoryFiles()
        files.add([1, 2, 3])
        let hash = FileContent(of: [1, 2, 3]).hash
        for size in [2, 4] {
            await #expect(throws: FileContentsFault.damaged) { try await files.all(FileContent(hash: hash, bytes: size)) }
        }
        await #expect(throws: FileContentsFault.damaged) { try await Damaged().all(FileContent(of: [1, 2, 3])) }
        await #expect(throws: FileContentsFault.missing) { try await files.all(FileContent(of: [4])) }
    }
}
