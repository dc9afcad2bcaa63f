import NoteText
import NotesModel
import TestKit
import Testing

@testable import NotesStore

/// The folder of a store, and memory, as places of bytes. A daemon and a document are in `EndToEndTests`.
@Suite struct FileContentsTests {
    @Test(arguments: [0, 1, 2, (768 << 10) + 1])
    func folderAndMemory_keepTheLaws(size: Int) async throws {
        let bytes = content(size, seed: 5)
        var memory = MemoryFiles()
        memory.add(bytes)
        #expect(try await FileContentsLaws.violations(of: memory, having: bytes) == [])
        let folder = try FileFolder(in: try TemporaryDirectory().path, erasing: [])
        try put(bytes, FileUpload(user: 7, hash: hash(of: bytes), bytes: size), in: folder, chunk: 768 << 10)
        #expect(try await FileContentsLaws.violations(of: folder, having: bytes) == [])
    }

    @Test func bytesWithAnotherHash_areDamaged() async throws {
        struct Liar: FileContents {
            func size(of hash: FileHash) -> Int? { 3 }
            func bytes(of hash: FileHash, in range: Range<Int>) -> [UInt8] { Array(repeating: 7, count: range.count) }
        }
        await #expect(throws: FileContentsFault.damaged) { try await Liar().all(FileContent(of: [1, 2, 3])) }
        #expect(try await Liar().all(FileContent(of: [7, 7, 7])) == [7, 7, 7])
    }
}
