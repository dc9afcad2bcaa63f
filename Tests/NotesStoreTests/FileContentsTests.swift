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
        let directory = try TemporaryDirectory()
        let folder = try FileFolder(in: directory.path, erasing: [])
        try put(bytes, FileUpload(user: 7, hash: hash(of: bytes), bytes: size), in: folder, chunk: 768 << 10)
        #expect(try await FileContentsLaws.violations(of: folder, having: bytes) == [])
    }
}
