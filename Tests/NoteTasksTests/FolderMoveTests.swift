import Causality
import ClientTestKit
import Console
import NoteText
import NotesModel
import TestKit
import Testing

@testable import NoteTasks

/// Tests of the renaming of folders.
struct FolderMoveTests {
    private func head(_ number: UInt64, _ name: String) throws -> Head {
        let time = Timestamp(milliseconds: 0)
        return Head(
            id: Canned.id(number), name: try NoteName(ByteString(name)), version: Canned.version(1), vector: VersionVector(),
            title: "", tags: [], created: time, modified: time, author: Author(user: "ada", label: nil), bytes: 0,
            isDeleted: false)
    }

    private func heads(_ names: [String]) throws -> [Head] {
        try names.enumerated().map { try head(UInt64($0.offset) + 1, $0.element) }
    }

    private func renamed(_ old: String, _ new: String, _ names: String...) throws -> [String] {
        let all = try heads(names)
        func below(_ prefix: String) -> [Head] { all.filter { "\($0.name.map { "\($0)" } ?? "")".hasPrefix(prefix) } }
        return try FolderMove(old: old, new: new).steps(below(old), taken: below(new)).map { "\($0.from) \($0.to)" }
    }

    @Test func notesBelowTheFolder_andNoOthers_getNewNames() throws {
        #expect(try renamed("a/", "b/", "a/x", "a/y/z", "ab", "c/a/x") == ["a/x b/x", "a/y/z b/y/z"])
        #expect(try renamed("a/", "b/", "c").isEmpty)
    }

    @Test func takenName_refusesAll() throws {
        let failure = #expect(throws: ExitFailure.self) { try renamed("a/", "b/", "a/x", "a/y", "b/y") }
        #expect(failure?.message.contains("`b/y`; no note was renamed") == true, "\(failure?.message ?? "")")
        #expect(throws: ExitFailure.self) { try renamed("a/", "b//", "a/x") }
    }

    /// At each step no note has the new name, for folders that contain each other too.
    @Test(arguments: seeds(200))
    func noStepMeetsATakenName(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        func path() -> String { (0...generator.below(3)).map { _ in ["a", "b"][generator.below(2)] }.joined(separator: "/") }
        let (old, new) = (path() + "/", path() + "/")
        let all = try heads((0..<generator.below(12)).map { _ in path() }.uniqued)
        func below(_ prefix: String) -> [Head] { all.filter { "\($0.name.map { "\($0)" } ?? "")".hasPrefix(prefix) } }
        guard old != new, let steps = try? FolderMove(old: old, new: new).steps(below(old), taken: below(new)) else { return }
        var names = Set(all.compactMap(\.name))
        for step in steps {
            #expect(names.remove(step.from) != nil && names.insert(step.to).inserted, "\(step); seed \(seed)")
        }
        #expect(steps.count == below(old).count && names.count == all.count, "seed \(seed)")
    }
}
