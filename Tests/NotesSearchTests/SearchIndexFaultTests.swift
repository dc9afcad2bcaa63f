import Causality
import Foundation
import Logging
import NotesModel
import NotesSQL
import TestKit
import Testing

@testable import NotesSearch

/// Falling behind and being corrupt.
extension SearchIndexTests {
    @Test func batchOutOfSequence_isRefusedAndChangesNothing() throws {
        let folder = try TemporaryDirectory()
        let index = try Self.index(folder, ["milk", "bread"])
        let late = try Self.entry(3, SearchableNote(name: nil, text: "tea"), at: 5)
        #expect(throws: SearchFault.outOfStep(2)) { try index.add(Self.batch([late], after: 4, through: 5)) }
        #expect(throws: SearchFault.outOfStep(2)) { _ = try index.find(try Self.query("tea"), limit: 1, after: nil, through: 3) }
        #expect(try Self.found(index, "tea").isEmpty && index.position?.commit.sequence == 2)
    }

    @Test func foreignOrInvalidIndex_isRebuilt() throws {
        let folder = try TemporaryDirectory()
        try Self.index(folder, ["milk"]).close()
        let other = try Self.open(folder, store: replica("E"))
        #expect(other.position == nil)
        #expect(try Self.found(other, "milk").isEmpty)
        other.close()
        try Data("this is no database, but long enough to be taken for the header of one, of a hundred bytes or so".utf8)
            .write(to: URL(fileURLWithPath: folder.path + "/search.sqlite3"))
        let anew = try Self.open(folder)
        #expect(anew.position == nil)
        try anew.add(Self.batch([try Self.entry(1, SearchableNote(name: nil, text: "milk"), at: 1)], after: 0, through: 1))
        #expect(try Self.found(anew, "milk") == [noteID(1)])
    }

    @Test func inconsistentIndex_isDetectedAndRebuilt() throws {
        let folder = try TemporaryDirectory()
        try Self.index(folder, ["milk and bread", "tea"]).close()
        try Self.damage(folder, "UPDATE doc SET body = CAST('milk and water' AS BLOB) WHERE number < 64")
        let index = try Self.open(folder)
        #expect(try !index.check().isEmpty)
        try index.reset()
        #expect(index.position == nil)
        #expect(try index.check() == [])
    }

    @Test(
        arguments: [
            "DELETE FROM link WHERE number = 1", "UPDATE link SET target = CAST('tee' AS BLOB) WHERE number = 0",
            "DELETE FROM label WHERE kind = 3 AND key = CAST('tea' AS BLOB)",
            "INSERT INTO label SELECT kind, CAST('tee' AS BLOB), note FROM label WHERE kind = 3",
        ])
    func wrongRowOfLinksOrLabels_isDetected(damage: String) throws {
        let folder = try TemporaryDirectory()
        let index = try Self.index(folder, ["# Milk\n[[tea#h|x]] [x](a.md?b)", "tea"])
        #expect(try index.check() == [])
        index.close()
        try Self.damage(folder, damage)
        #expect(try Self.open(folder).check() == ["the rows of links and labels do not match the texts"])
    }

    /// Text in a damaged index that is not UTF-8 is reported as damage, and never sent to a client.
    @Test(
        arguments: [
            "UPDATE doc SET body = x'6D696C6B20FF20' WHERE note = (SELECT note FROM link)",
            "UPDATE doc SET name = x'2FFF' WHERE note = (SELECT note FROM link)",
            "UPDATE doc SET name = x'FF2F61'", "UPDATE link SET target = x'FF'", "UPDATE link SET before = x'FF'",
            "UPDATE link SET fragment = x'FF'", "UPDATE link SET listed = x'FF'", "UPDATE link SET end = 1000",
            "UPDATE link SET start = start + 1", "UPDATE link SET end = end - 1",
        ])
    func invalidTextOrRange_isDamage(damage: String) throws {
        let folder = try TemporaryDirectory()
        let (index, other) = (try Self.index(folder, ["milk [[éäü]] é", "# éäü\nbread"]), noteID(2))
        index.close()
        try Self.damage(folder, damage)
        let damaged = try Self.open(folder)
        var faults: [SearchFault] = []
        do { _ = try Self.found(damaged, "milk") } catch let fault as SearchFault { faults.append(fault) }
        for query in [
            LinkQuery.incoming(ListIncomingLinks(id: other, limit: 9, after: nil)),
            .missing(ListMissingLinks(limit: 9, after: nil)),
        ] {
            do { _ = try damaged.links(query, through: 0) } catch { faults.append(error) }
        }
        #expect(!faults.isEmpty)
        for fault in faults {
            guard case .damaged = fault else {
                Issue.record("\(fault)")
                continue
            }
        }
    }

    /// A cancelled call reports it and leaves the index intact, and the next call succeeds.
    @Test func cancelledSearch_endsSoon() throws {
        let folder = try TemporaryDirectory()
        let index = try Self.index(folder, (1...5_000).map { "milk \($0) bread\($0 % 7)" })
        var looks = 0
        #expect(throws: SearchFault.cancelled) {
            _ = try index.find(try Self.query("milk"), limit: 9, after: nil, through: 0) {
                looks += 1
                return looks >= 3
            }
        }
        #expect(looks < 12, "it goes on for no more than a few looks")
        looks = 0
        #expect(throws: SearchFault.cancelled) {
            _ = try index.check {
                looks += 1
                return looks >= 3
            }
        }
        #expect(try Self.found(index, "milk bread3").count == 100)
        #expect(try index.check() == [])
    }

    /// An index that could not be created reports that it is closed; a later `reset` creates it.
    @Test func failedRebuild_succeedsAtNextReset() throws {
        let folder = try TemporaryDirectory()
        let index = try Self.index(folder, ["milk"])
        let path = folder.path + "/search.sqlite3"
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path + "/in the way", withIntermediateDirectories: true)
        #expect(throws: SearchFault.self) { try index.reset() }
        #expect(!index.isOpen && index.position == nil)
        try FileManager.default.removeItem(atPath: path)
        try index.reset()
        #expect(index.isOpen)
        try index.add(Self.batch([try Self.entry(1, SearchableNote(name: nil, text: "tea"), at: 1)], after: 0, through: 1))
        #expect(try Self.found(index, "tea") == [noteID(1)])
    }

    @Test func files_arePrivateToTheirOwner() throws {
        let folder = try TemporaryDirectory()
        let index = try Self.index(folder, ["milk"])
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            let mode = try FileManager.default.attributesOfItem(atPath: folder.path + "/" + name)[.posixPermissions] as? Int
            #expect(mode == 0o600, "\(name)")
        }
        index.close()
    }

    private static func damage(_ folder: TemporaryDirectory, _ sql: String) throws {
        let database = try Database(path: folder.path + "/search.sqlite3")
        try database.run(script: sql)
        try database.close()
    }
}
