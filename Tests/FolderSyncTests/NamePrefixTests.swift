import Causality
import Console
import NoteText
import NotesModel
import TestKit
import Testing

@testable import FolderSync

/// Tests of the part of names that the paths of a folder leave out.
struct NamePrefixTests {
    private func note(_ name: String?) throws -> Head {
        let now = Timestamp(milliseconds: 0)
        return Head(
            id: NoteID(at: now, random: (1, 2)), name: try name.map { try NoteName(ByteString($0)) }, version: .nothing,
            vector: VersionVector(), title: ByteString(""), tags: [], created: now, modified: now,
            author: Author(user: "ada", label: nil), bytes: 0, isDeleted: false)
    }

    /// A note has a path exactly if its name begins with the prefix, and the path leads back to the name.
    @Test(arguments: seeds(200))
    func path_leadsBackToTheName(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let parts = ["work", "a", ".md", "b.txt", "c.md", "workshop", ".x", "é"]
        func name() -> String { (0...random.below(3)).map { _ in random.pick(parts) }.joined(separator: "/") }
        let (text, folder) = (name(), name())
        let (note, prefix) = (try note(text), try NamePrefix(folder, of: "--prefix"))
        let path = prefix.path(of: note)
        #expect((path != nil) == text.hasPrefix(folder + "/"), "seed \(seed): \(text) in \(folder)")
        #expect(prefix.filter(.none).matches(note) == (path != nil))
        if let path { #expect(prefix.name(ofPath: path) == ByteString(text), "seed \(seed): \(text) in \(folder)") }
        #expect(NamePrefix.none.path(of: note) == NoteFileName.path(of: note))
    }

    @Test func slashAtTheEnd_makesNoDifference() throws {
        #expect(try NamePrefix("a/b/", of: "--into") == NamePrefix("a/b", of: "--into"))
        #expect(try NamePrefix("a", of: "--into").path(of: note(nil)) == nil, "a note without a name is below no prefix")
        for value in ["", "/", "a//b", "..", "a\n"] {
            #expect(throws: ExitFailure.self) { try NamePrefix(value, of: "--prefix") }
        }
    }
}
