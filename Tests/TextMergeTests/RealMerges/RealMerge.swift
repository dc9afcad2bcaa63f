import Causality
import Foundation
import TestKit

@testable import TextMerge

/// A merge that people had to make: two changed one text beside each other. `Fixtures/CREDITS.md` says whose.
struct RealMerge: Sendable {
    /// Its line in the file, from 0, and the text's path: for messages.
    let name: String
    /// Whether no final LF was removed.
    let isOriginal: Bool
    let base: [UInt8]
    /// Nil where that side removed the file.
    let ours: [UInt8]?
    let theirs: [UInt8]?
    let git: GitMerge
    /// The base as a revision, and what was changed in it by whom.
    private let root: Event
    let changes: (ours: Change, theirs: Change)

    /// What a side did, as `note.save` takes it; a tombstone where it removed the file.
    struct Change {
        let edits: [Edit]
        var isTombstone = false

        static let nothing = Change(edits: [])
    }

    /// What `verification/fixtures/git-merges` says of it.
    enum GitMerge: Equatable {
        case clean(bytes: Int, hash: String)
        /// All that collides are lines that both only added at one place.
        case inserts
        case conflict
        case absent
    }

    private struct Malformed: Error {}

    /// The merges as they are.
    static let all = Result { try load().filter(\.isOriginal) }
    /// The same, and with the final LF removed from any of base, ours and theirs.
    static let withCutEnds = Result { try load() }

    private static func load() throws -> [RealMerge] {
        guard let folder = Bundle.module.resourceURL?.appendingPathComponent("Fixtures") else { throw Malformed() }
        let lines = try unzipped(folder.appendingPathComponent("merges-rust-book.jsonl.gz")).components(separatedBy: "\n")
        let table = try String(contentsOf: folder.appendingPathComponent("merges-rust-book.git.tsv"), encoding: .utf8)
        let rows = table.components(separatedBy: "\n").map { $0.components(separatedBy: "\t") }
        guard 8 * (lines.count - 1) == rows.count - 1 else { throw Malformed() }
        return try rows.dropLast().enumerated().map { index, row in try RealMerge(lines[index / 8], row) }
    }

    private init(_ line: String, _ row: [String]) throws {
        let members = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        guard let members, let path = members["path"] as? String, row.count >= 3 else { throw Malformed() }
        func text(_ side: String) -> [UInt8]? {
            guard let text = (members[side] as? String).map(bytes) else { return nil }
            let isCut = row[1].contains(side.prefix(1)) && text.last == UInt8(ascii: "\n")
            return isCut ? Array(text.dropLast()) : text
        }
        guard let base = text("base") else { throw Malformed() }
        name = "merge \(row[0]), \(path), cut \(row[1])"
        isOriginal = row[1] == "-"
        self.base = base
        (ours, theirs) = (text("ours"), text("theirs"))
        switch (row[2], row.count) {
        case ("clean", 5): git = .clean(bytes: Int(row[3]) ?? 0, hash: row[4])
        case ("inserts", 3): git = .inserts
        case ("conflict", 3): git = .conflict
        case ("absent", 3): git = .absent
        default: throw Malformed()
        }
        root = Event(dot: dot("A1"), parents: .nothing, edits: LineDiff.edits(from: [], to: base), origin: .found)
        func change(_ text: [UInt8]?) -> Change {
            Change(edits: text.map { LineDiff.edits(from: base, to: $0) } ?? [], isTombstone: text == nil)
        }
        changes = (change(ours), change(theirs))
    }

    private static func unzipped(_ file: URL) throws -> String {
        let gzip = Process()
        let output = Pipe()
        gzip.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        gzip.arguments = ["gzip", "-dc", file.path]
        gzip.standardOutput = output
        try gzip.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        gzip.waitUntilExit()
        guard gzip.terminationStatus == 0 else { throw Malformed() }
        return String(decoding: data, as: UTF8.self)
    }
}

// MARK: As revisions

extension RealMerge {
    /// The base, then both changes of it by two replicas.
    func events(_ first: Change, _ second: Change) -> [Event] {
        [root]
            + [("B1", first), ("C1", second)].map { name, change in
                Event(dot: dot(name), parents: seen("A1"), edits: change.edits, origin: .found, isTombstone: change.isTombstone)
            }
    }

    func merged(_ first: Change, _ second: Change) -> View {
        var view = View(naming: .cheap)
        view.append(contentsOf: events(first, second))
        return view
    }

    /// What both sides together show.
    var merged: View { merged(changes.ours, changes.theirs) }
}

extension [UInt8] {
    /// FNV-1a, as `verification/fixtures/git-merges` writes it.
    var fnv: String {
        let hash = reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// The lines without their LFs.
    var wholeLines: [[UInt8]] {
        let lines = Lines(self)
        return (0..<lines.count).map { lines[$0].last == UInt8(ascii: "\n") ? lines[$0].dropLast() : lines[$0] }.map(Array.init)
    }

    /// Whether the bytes stand in this text somewhere, in one piece.
    func contains(run: [UInt8]) -> Bool {
        Data(self).range(of: Data(run)) != nil || run.isEmpty
    }
}
