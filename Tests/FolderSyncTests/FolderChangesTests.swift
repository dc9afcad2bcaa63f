import Causality
import ClientTestKit
import NoteText
import NotesModel
import TestKit
import Testing

@testable import FolderSync

/// Tests of which missing files were renamed, and which were removed.
struct FolderChangesTests {
    private func record(_ note: UInt64, _ text: String) -> FileRecord {
        FileRecord(note: Canned.id(note), version: Canned.version(note), showing: bytes(text))
    }

    private func fresh(_ path: String, _ text: String) -> FolderChanges.Fresh {
        FolderChanges.Fresh(path: bytes(path), content: FileContent(of: bytes(text)))
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

    /// A folder with a copy of a file is renamed.
    @Test func equalTexts_areToldApart() {
        let missing = [bytes("a/n.md"): record(1, "same"), bytes("a/n copy.md"): record(2, "same")]
        func moves(_ new: [FolderChanges.Fresh], _ inodes: [[UInt8]: UInt64] = [:]) -> [String] {
            let changes = FolderChanges(missing: missing, fresh: new, inodes: inodes)
            return changes.moves.map { String(decoding: $0.from + [0x20] + $0.to, as: UTF8.self) }
        }
        #expect(moves([fresh("b/n.md", "same"), fresh("b/n copy.md", "same")]) == ["a/n copy.md b/n copy.md", "a/n.md b/n.md"])
        #expect(moves([fresh("b/n.md", "same"), fresh("b/m.md", "same")]) == ["a/n copy.md b/m.md", "a/n.md b/n.md"])
        #expect(moves([fresh("b/x.md", "same"), fresh("b/y.md", "same")]) == [])
        var (one, other) = (fresh("b/x.md", "same"), fresh("b/n.md", "same"))
        (one.inode, other.inode) = (7, 8)
        #expect(
            moves([one, other], [bytes("a/n.md"): 7, bytes("a/n copy.md"): 8]) == ["a/n copy.md b/n.md", "a/n.md b/x.md"],
            "the inode counts before the name")
        #expect(moves([one], [bytes("a/n.md"): 7]) == ["a/n.md b/x.md"])
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
            #expect(new.first { $0.path == move.to }?.content == move.record.content, "seed \(seed)")
        }
    }

    /// Files that exchange their names, rings and chains. `before` and `after` have the texts by path.
    @Test(arguments: [
        (["a": "1", "b": "2"], ["a": "2", "b": "1"], ["a b", "b a"], true),
        (["a": "1", "b": "2", "c": "3"], ["b": "1", "c": "2", "a": "3"], ["a b", "b c", "c a"], true),
        (["a": "1", "b": "2"], ["b": "1", "c": "2"], ["a b", "b c"], false),
        // A file that was renamed over another one, a copy that was changed, and a copy over another file.
        (["a": "1", "b": "2"], ["b": "1"], [], false), (["a": "1"], ["a": "2", "b": "1"], [], false),
        (["a": "1", "b": "2"], ["a": "1", "b": "1"], [], false),
        // The ring is broken by a change.
        (["a": "1", "b": "2", "c": "3"], ["b": "1", "c": "2", "a": "4"], [], false),
    ])
    func filesThatExchangeNames_areRenamed(
        before: [String: String], after: [String: String], moves: [String], isRing: Bool
    ) throws {
        let changes = try changes(before, after)
        #expect(changes.moves.map { String(decoding: $0.from + bytes(" ") + $0.to, as: UTF8.self) } == moves)
        #expect(moves.isEmpty || changes.groups.count == 1 && changes.groups[0].isRing == isRing)
    }

    private func changes(_ before: [String: String], _ after: [String: String]) throws -> FolderChanges {
        let records = Dictionary(
            uniqueKeysWithValues: before.sorted { $0.key < $1.key }.enumerated().map {
                (bytes($1.key), record(UInt64($0) + 1, $1.value))
            })
        return FolderChanges(
            missing: records.filter { after[String(decoding: $0.key, as: UTF8.self)] == nil },
            fresh: after.filter { before[$0.key] == nil }.map { fresh($0.key, $0.value) },
            changed: after.filter { before[$0.key] != nil && before[$0.key] != $0.value }.map { fresh($0.key, $0.value) },
            records: records)
    }

    /// Files with distinct texts take any of each other's names and of new ones, and nothing else happens.
    /// All that moved are found, and in each group a name is free when a file takes it, except the first
    /// one of a ring.
    @Test(arguments: seeds(200))
    func anyPermutation_isFound(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let names = (0..<(1 + random.below(7))).map { "n\($0)" }
        let targets = (names + (0..<random.below(4)).map { "m\($0)" }).shuffled(using: &random).prefix(names.count)
        let before = Dictionary(uniqueKeysWithValues: names.map { ($0, "the text of \($0)") })
        let after = Dictionary(uniqueKeysWithValues: zip(targets, names).map { ($0, "the text of \($1)") })
        let changes = try changes(before, after)
        let expected = Set(zip(names, targets).filter { $0 != $1 }.map { "\($0) \($1)" })
        #expect(
            Set(changes.moves.map { String(decoding: $0.from + bytes(" ") + $0.to, as: UTF8.self) }) == expected, "seed \(seed)")
        #expect(changes.gone.isEmpty, "seed \(seed)")
        var taken = Set(names.map { bytes($0) })
        for (moves, isRing) in changes.groups {
            if isRing { taken.remove(moves[0].from) }
            for move in isRing ? Array(moves.dropFirst() + moves.prefix(1)) : moves {
                taken.remove(move.from)
                #expect(taken.insert(move.to).inserted, "seed \(seed): \(move)")
            }
        }
    }

    @Test(arguments: [
        ("d/a.sync-conflict-20261126-081407-ABCDEFG.md", "d/a.md"), ("a (conflicted copy 2026-11-26).md", "a.md"),
        ("a b (Ada's conflicted copy 2026-11-26 081407).txt", "a b.txt"), ("a.md", nil), ("sync-conflict-2026.md", nil),
        ("a.sync-conflict-notes.md", nil), ("on the conflicted copy (of 2026).md", nil), ("(conflicted copy).md", nil),
        ("a (copy).md", nil), (".sync-conflict-2026.md", nil),
    ])
    func conflictCopies_haveAnOrigin(path: String, origin: String?) {
        #expect(ConflictCopy.origin(of: bytes(path)) == origin.map { bytes($0) })
    }

    @Test(arguments: [
        (0, 0, false), (0, 9, false), (1, 1, true), (1, 2, false), (50, 60, false), (51, 60, true), (51, 10_000, false),
        (501, 10_000, true), (1_001, 1_000_000, true),
    ])
    func manyMissingFiles_waitForAPerson(gone: Int, recorded: Int, isMany: Bool) {
        #expect(FolderChanges.isMany(gone: gone, of: recorded) == isMany)
    }

    @Test(arguments: [(1, 1, false), (2, 2, true), (2, 3, false), (10, 300, false), (11, 300, true)])
    func manyEmptiedFiles_waitForAPerson(emptied: Int, recorded: Int, isMany: Bool) {
        #expect(FolderChanges.isMany(emptied: emptied, of: recorded) == isMany)
    }
}
