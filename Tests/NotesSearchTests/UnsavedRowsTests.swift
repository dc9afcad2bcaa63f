import Foundation
import NotesModel
import NotesSQL
import TestKit
import Testing

@testable import NotesSearch

/// An index that keeps rows in memory, as it does while the disk is full. `FullDiskTests` of the
/// end-to-end tests fills a disk.
@Suite struct UnsavedRowsTests {
    private static func entry(_ number: UInt64, _ text: String) throws -> SearchIndex.Entry {
        try SearchIndexTests.entry(number, SearchableNote(name: nil, text: text), at: number)
    }

    private static func keep(_ index: SearchIndex, _ number: UInt64, _ text: String) throws {
        try index.keep(SearchIndexTests.batch([try entry(number, text)], after: number - 1, through: number))
    }

    @Test func unsavedRows_areFoundAndSavedWithTheNextBatch() throws {
        let folder = try TemporaryDirectory()
        let index = try SearchIndexTests.index(folder, ["milk", "bread"])
        try Self.keep(index, 3, "milk tea")
        try Self.keep(index, 4, "tea #drink")
        #expect(index.unsaved?.saved?.commit.sequence == 2 && index.position?.commit.sequence == 4)
        #expect(Set(try SearchIndexTests.found(index, "milk")) == [noteID(1), noteID(3)])
        #expect(try SearchIndexTests.found(index, "tag:drink") == [noteID(4)])
        #expect(try index.check() == [])
        try index.add(SearchIndexTests.batch([try Self.entry(5, "tea too")], after: 4, through: 5))
        #expect(index.unsaved == nil)
        index.close()
        let reopened = try SearchIndexTests.open(folder)
        #expect(reopened.position?.commit.sequence == 5)
        #expect(try SearchIndexTests.found(reopened, "tea").count == 3)
        #expect(try reopened.check() == [])
    }

    @Test func unsavedRows_areMissingAfterACrash() throws {
        let folder = try TemporaryDirectory()
        let index = try SearchIndexTests.index(folder, ["milk", "bread"])
        try Self.keep(index, 3, "milk tea")
        index.close()
        let reopened = try SearchIndexTests.open(folder)
        #expect(reopened.position?.commit.sequence == 2)
        try reopened.add(SearchIndexTests.batch([try Self.entry(3, "milk tea")], after: 2, through: 3))
        #expect(try SearchIndexTests.found(reopened, "tea") == [noteID(3)])
    }

    /// SQLite rolls the transaction back, for example when a write in it is interrupted.
    @Test func lostRows_areNeededAgain() throws {
        let folder = try TemporaryDirectory()
        let index = try SearchIndexTests.index(folder, ["milk", "bread"])
        try Self.keep(index, 3, "milk tea")
        try index.database?.rollBack()
        #expect(try SearchIndexTests.found(index, "tea").isEmpty)
        #expect(index.position?.commit.sequence == 2 && index.unsaved == nil)
        #expect(throws: SearchFault.outOfStep(2)) {
            _ = try index.find(try SearchIndexTests.query("tea"), limit: 1, after: nil, through: 3)
        }
        try index.add(SearchIndexTests.batch([try Self.entry(3, "milk tea")], after: 2, through: 3))
        #expect(try SearchIndexTests.found(index, "tea") == [noteID(3)])
    }

    @Test func unsavedRows_areLimited() throws {
        let folder = try TemporaryDirectory()
        let index = try SearchIndexTests.index(folder, ["milk", "bread"])
        try Self.keep(index, 3, "tea")
        let long = String(repeating: "x", count: UnsavedRows.bytesMax - 2 * UnsavedRows.entryBytes - 2)
        let fault = #expect(throws: SearchFault.self) { try Self.keep(index, 4, long) }
        guard case .full = fault else {
            Issue.record("\(String(describing: fault))")
            return
        }
        #expect(index.position?.commit.sequence == 3)
        #expect(try SearchIndexTests.found(index, "tea") == [noteID(3)])
    }
}
