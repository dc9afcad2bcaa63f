import Console
import Foundation
import Glibc
import NoteText
import NotesModel
import TestKit
import Testing

@testable import FolderSync

/// Files that a program writes while a draft takes their place.
final class FileExchangeTests {
    private let folder: TemporaryDirectory
    private let root: Descriptor

    init() throws {
        folder = try TemporaryDirectory()
        root = try Descriptor.open(bytes(folder.path), O_RDONLY | O_DIRECTORY)
    }

    private func text() throws -> [UInt8] { try FileTree(root).file(bytes("a.md")).text(bytesMax: .max) ?? [] }

    private func write(_ text: String) throws {
        try Descriptor.open(bytes(folder.path + "/a.md"), O_WRONLY | O_CREAT | O_TRUNC).writeAll(bytes(text))
    }

    private func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }

    @Test(arguments: [6, 5]) func draftOverAnotherText_returnsItAndLeavesIt(bytesMax: Int) throws {
        let tree = FileTree(root)
        try write("newer\n")
        let draft = try tree.draft(bytes("draft\n"), of: bytes("a.md"), serial: 1)
        let placing = try tree.place(draft, over: .file(FileContent(of: bytes("older\n"))), bytesMax: bytesMax)
        #expect(placing == .shown(over: bytesMax < 6 ? [] : [bytes("newer\n")]))
        #expect(try text() == bytes("newer\n"))
        #expect(try names() == ["a.md"])
    }

    /// `sed -i` reads a file, adds a line, and renames a new file over it. What it reads may be a draft that has
    /// the name for a moment, and then its file lacks what another `sed` wrote right before.
    @Test func sedBesideDrafts_losesNoLine() throws {
        let (tree, count) = (FileTree(root), 300)
        try write("first\n")
        let script = "i=0; while [ $i -lt \(count) ]; do i=$((i+1)); sed -i \"\\$a sed $i\" a.md; done"
        let process = try Child.start(["sh", "-c", "cd '\(folder.path)' && \(script)"])
        var (seen, turn, isOver): (Set<[UInt8]>, Int, Bool) = ([], 0, false)
        func take(_ text: [UInt8]) { seen.formUnion(text.split(separator: UInt8(ascii: "\n")).map { Array($0) }) }
        while true {
            let text = try text()
            take(text)
            if isOver { break }
            turn += 1
            let lines = seen.sorted { $0.lexicographicallyPrecedes($1) } + [bytes("turn \(turn)")]
            let draft = try tree.draft(Array(lines.joined(separator: bytes("\n"))), of: bytes("a.md"), serial: turn)
            if case .shown(let texts) = try tree.place(draft, over: .file(FileContent(of: text))) { texts.forEach(take) }
            isOver = waitpid(process, nil, WNOHANG) == process
        }
        let lost = (1...count).filter { !seen.contains(bytes("sed \($0)")) }
        #expect(lost == [], "after \(turn) turns")
        #expect(try names() == ["a.md"])
    }
}
