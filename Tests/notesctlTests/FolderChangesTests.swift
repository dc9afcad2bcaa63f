import Causality
import ClientTestKit
import NotesModel
import TestKit
import Testing

@testable import notesctl

/// Tests of which missing files were renamed, and which were removed.
struct FolderChangesTests {
    private func record(_ note: UInt64, _ text: String) -> FileRecord {
        FileRecord(note: Canned.id(note), version: Canned.version(note), showing: bytes(text))
    }

    private func fresh(_ path: String, _ text: String) -> FolderChanges.Fresh {
        FolderChanges.Fresh(path: bytes(path), bytes: text.utf8.count, digest: SHA256.hash(of: bytes(text)))
    }

    @Test func textAtOneNewPath_isARename() {
        let missing = [bytes("a.md"): record(1, "one"), bytes("b.md"): record(2, "two")]
        let changes = FolderChanges(missing: missing, fresh: [fresh("x/a.md", "one"), fresh("new.md", "other")])
        #expect(changes.moves == [FolderChanges.Move(from: bytes("a.md"), to: bytes("x/a.md"), record: record(1, "one"))])
        #expect(changes.gone == [FolderChanges.Gone(path: bytes("b.md"), record: record(2, "two"))])
    }

    @Test(arguments: [
        (["a": "same", "b": "same"], ["x": "same"]), (["a": "same"], ["x": "same", "y": "same"]), (["a": ""], ["x": ""]),
        (["a": "one"], ["x": "One"]),
    ])
    func ambiguousOrEmptyText_isNoRename(missing: [String: String], new: [String: String]) {
        let records = Dictionary(uniqueKeysWithValues: missing.map { (bytes($0.key), record(1, $0.value)) })
        let changes = FolderChanges(missing: records, fresh: new.map { fresh($0.key, $0.value) })
        #expect(changes.moves == [])
        #expect(changes.gone.map(\.path) == missing.keys.sorted().map { bytes($0) })
    }

    /// Each missing file is in exactly one list, and no new path is used twice.
    @Test(arguments: seeds(200))
    func missingFiles_areDivided(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let texts = ["", "one", "two", "three"]
        var missing: [[UInt8]: FileRecord] = [:]
        for number in 0..<random.below(6) { missing[bytes("m\(number)")] = record(UInt64(number) + 1, random.pick(texts)) }
        let new = (0..<random.below(6)).map { fresh("n\($0)", random.pick(texts)) }
        let changes = FolderChanges(missing: missing, fresh: new)
        #expect(
            (changes.moves.map(\.from) + changes.gone.map(\.path)).sorted { $0.lexicographicallyPrecedes($1) }
                == missing.keys.sorted { $0.lexicographicallyPrecedes($1) }, "seed \(seed)")
        #expect(Set(changes.moves.map(\.to)).count == changes.moves.count, "seed \(seed)")
        for move in changes.moves {
            #expect(new.first { $0.path == move.to }?.digest == move.record.digest, "seed \(seed)")
        }
    }

    @Test(arguments: [
        (0, 0, false), (0, 9, false), (1, 1, true), (1, 2, false), (50, 60, false), (51, 60, true), (51, 10_000, false),
        (501, 10_000, true), (1_001, 1_000_000, true),
    ])
    func manyMissingFiles_waitForAPerson(gone: Int, recorded: Int, isMany: Bool) {
        #expect(FolderChanges.isMany(gone: gone, of: recorded) == isMany)
    }
}
