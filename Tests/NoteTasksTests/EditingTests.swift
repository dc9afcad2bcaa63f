import Causality
import Console
import Foundation
import NotesModel
import TestKit
import Testing

@testable import NoteTasks

/// Tests of the decisions of `edit` and of its file, without a daemon.
struct EditingTests {
    private static func lines(_ words: [String]) -> [UInt8] { words.flatMap { Array(($0 + "\n").utf8) } }

    private static func shown(_ counter: UInt64, _ words: [String]) -> DisplayedTexts.Shown {
        DisplayedTexts.Shown(version: Version(Dot(ReplicaID(bits: 1), counter)), text: lines(words))
    }

    /// Words that are all different, so that each identifies its writer.
    private struct Typist {
        var count = 0

        mutating func change(_ words: [String], by name: String, deleting: Double, _ random: inout SeededGenerator) -> [String] {
            var result: [String] = []
            for word in words + [""] {
                if random.chance(0.3) {
                    count += 1
                    result.append("\(name) \(count)")
                }
                if !word.isEmpty, !random.chance(deleting) { result.append(word) }
            }
            return result
        }
    }

    /// For random edits based on the rewritten text or on the one before: a text recognised as
    /// based on a rewritten text lacks nothing that it brought and contains nothing that it
    /// removed.
    @Test(arguments: seeds(300)) func base_isTextContainedInTheSave(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var typist = Typist()
        let first = (0..<random.below(8)).map { "first \($0)" }
        let theirs = typist.change(first, by: "their", deleting: random.pick([0, 0.3]), &random)
        var texts = DisplayedTexts(Self.shown(1, first))
        texts.rewrote(Self.shown(2, theirs))
        let isFresh = random.chance(0.5)
        let mine = typist.change(isFresh ? theirs : first, by: "my", deleting: random.pick([0, 0.4]), &random)
        let base = texts.base(of: Self.lines(mine))
        let brought = theirs.filter { !first.contains($0) }
        let tookAway = first.filter { !theirs.contains($0) }
        if base.version == texts.newest.version {
            #expect(brought.allSatisfy(mine.contains), "seed \(seed)")
            #expect(!tookAway.contains(where: mine.contains), "seed \(seed)")
        } else if isFresh, mine == theirs {
            Issue.record("seed \(seed): the identical text was not recognised")
        }
    }

    @Test func base_isNewestContainedText() {
        var texts = DisplayedTexts(Self.shown(1, ["a"]))
        texts.rewrote(Self.shown(2, ["a", "b"]))
        texts.rewrote(Self.shown(3, ["a", "b", "c"]))
        func base(_ words: [String]) -> Version { texts.base(of: Self.lines(words)).version }
        #expect(base(["mine", "a"]) == Self.shown(1, []).version)
        #expect(base(["mine", "a", "b"]) == Self.shown(2, []).version)
        #expect(base(["mine", "a", "b", "c"]) == Self.shown(3, []).version)
        texts.saved(Self.shown(4, ["x"]))
        #expect(base(["a"]) == Self.shown(4, []).version)
    }

    // MARK: The file

    /// Runs with a file in a temporary directory.
    private func file(_ text: String, _ body: (inout EditedFile, String) throws -> Void) throws {
        let folder = try TemporaryDirectory()
        defer { withExtendedLifetime(folder) {} }
        let path = folder.path + "/note.md"
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        var file = EditedFile(directory: folder.path, name: "note.md", text: Array(text.utf8))
        defer { file.removeOther() }
        try body(&file, path)
    }

    private func text(of look: EditedFile.Look) -> String? {
        if case .changed(let bytes) = look { String(decoding: bytes, as: UTF8.self) } else { nil }
    }

    @Test func completedWrite_isSeen() throws {
        try file("one") { file, path in
            let look8 = text(of: file.look())
            #expect(look8 == nil)
            try Data("two!".utf8).write(to: URL(fileURLWithPath: path))
            let look9 = text(of: file.look())
            #expect(look9 == nil, "the write may be incomplete")
            let look10 = text(of: file.look())
            #expect(look10 == "two!")
            let look11 = text(of: file.look())
            #expect(look11 == "two!", "until the caller handles it")
            file.took(Array("two!".utf8))
            let look12 = text(of: file.look())
            #expect(look12 == nil)
            try Data("three".utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
            let look13 = text(of: file.look(isLast: true))
            #expect(look13 == "three")
        }
    }

    @Test func editorsWrite_isNotOverwritten() throws {
        try file("one") { file, path in
            let isRewritten1 = try file.rewrite(with: Array("one two".utf8))
            #expect(isRewritten1)
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "one two")
            let look14 = text(of: file.look())
            #expect(look14 == nil)
            try Data("mine!".utf8).write(to: URL(fileURLWithPath: path))
            let isRewritten2 = try file.rewrite(with: Array("others".utf8))
            #expect(!isRewritten2)
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine!")
        }
    }

    /// An editor that opened the file before the rewrite writes to the unlinked old file.
    @Test func writeToUnlinkedFile_isFound() throws {
        try file("one") { file, path in
            let open = try #require(FileHandle(forWritingAtPath: path))
            let isRewritten3 = try file.rewrite(with: Array("one two".utf8))
            #expect(isRewritten3)
            let stray19 = file.stray()
            #expect(stray19 == nil)
            try open.write(contentsOf: Data("ONE".utf8))
            let stray20 = file.stray()
            #expect(stray20 == Array("ONE".utf8))
            let isRewritten4 = try file.rewrite(with: Array("three".utf8))
            #expect(!isRewritten4, "not before the stray is handled")
            file.tookStray(Array("ONE".utf8))
            let isRewritten5 = try file.rewrite(with: Array("three".utf8))
            #expect(isRewritten5)
        }
    }

    /// A directory has replaced the file: it opens but cannot be read.
    @Test func unreadableFileAtEnd_isAFailure() throws {
        try file("one") { file, path in
            #expect(unlink(path) == 0 && mkdir(path, 0o700) == 0)
            defer { rmdir(path) }
            guard case .unsettled = file.look(), case .unsettled = file.look() else {
                Issue.record("it may be temporary while the editor is open")
                return
            }
            guard case .unreadable(let failure) = file.look(isLast: true) else {
                Issue.record("the unreadable file was ignored")
                return
            }
            #expect(failure.message.contains(path) && failure.message.contains("directory"), "\(failure.message)")
        }
    }

    // MARK: What was left

    /// In a shared directory, others may create anything under the marker's name: a pipe would
    /// block the reader for ever, and a path could name a file that is not a draft.
    @Test func foreignMarkerFile_isIgnored() throws {
        let note = NoteID(at: Timestamp(milliseconds: 0), random: (0, 1))
        let shared = try TemporaryDirectory()
        let pipe = shared.path + "/notesctl-pipe"
        #expect(mkdir(pipe, 0o700) == 0 && mkfifo(pipe + "/.notesctl-edit", 0o600) == 0)
        for (folder, name) in [("notesctl-path", "../secret"), ("notesctl-left", "a.md")] {
            let path = shared.path + "/" + folder
            #expect(mkdir(path, 0o700) == 0)
            try Data("\(note)\n\(name)\n".utf8).write(to: URL(fileURLWithPath: path + "/.notesctl-edit"))
            try Data("mine".utf8).write(to: URL(fileURLWithPath: path + "/a.md"))
        }
        try Data("secret".utf8).write(to: URL(fileURLWithPath: shared.path + "/secret"))
        #expect(
            KeptDraft.left(of: [.note(note)], besides: [], in: shared.path).map(\.path) == [shared.path + "/notesctl-left/a.md"])
        #expect(KeptDraft.left(of: [.note(note)], besides: Array("mine".utf8), in: shared.path).isEmpty)
    }
}
