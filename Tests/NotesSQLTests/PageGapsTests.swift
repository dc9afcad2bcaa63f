import Foundation
import TestKit
import Testing

@testable import NotesSQL

struct PageGapsTests {
    /// Rows come and go at random, so that SQLite moves many to other pages; each is unique. Once the log is
    /// empty, the file has those that are there, and no other.
    @Test(arguments: seeds(3))
    func deletedRows_areInNoGap(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let folder = try TemporaryDirectory()
        let path = folder.path + "/rows"
        try DatabaseFile.make(path)
        let database = try Database(path: path)
        for pragma in ["journal_mode = WAL", "secure_delete = ON", "wal_autocheckpoint = 0"] {
            try database.run("PRAGMA \(pragma)")
        }
        try database.run("CREATE TABLE row (key INTEGER PRIMARY KEY, words BLOB, UNIQUE (words))")
        var (rows, deleted): ([(key: Int64, word: String)], Set<String>) = ([], [])
        func expectNoneLeft(_ moment: String) throws {
            _ = try database.checkpoint(truncate: true)
            let words = try words(in: path)
            #expect(words.intersection(deleted).count == 0, "\(moment), seed \(seed)")
            #expect(rows.allSatisfy { words.contains($0.word) }, "\(moment), seed \(seed)")
            #expect(try database.first("PRAGMA integrity_check") { $0.blob(0) } == Array("ok".utf8))
        }
        for step in 1...2_000 {
            if rows.isEmpty || random.chance(0.6) {
                // Keys in order and at random places, and some rows that need pages of their own.
                let key = Int64(random.chance(0.7) ? step : 10_000 * (1 + random.below(1_000)) + step)
                let filler = String(repeating: "x", count: random.below(random.chance(0.02) ? 20_000 : 300))
                let word = "word-\(seed)-\(step)-"
                rows.append((key, word))
                try database.run("INSERT INTO row VALUES (?, ?)", .integer(key), .blob(Array((word + filler).utf8)))
            } else {
                rows.swapAt(random.below(rows.count), rows.count - 1)
                let (key, word) = rows.removeLast()
                deleted.insert(word)
                try database.run("DELETE FROM row WHERE key = ?", .integer(key))
            }
        }
        try expectNoneLeft("log emptied")
        database.forgetPages()
        try database.run("UPDATE row SET words = words || 'y'")
        #expect(try words(in: path + "-wal").intersection(deleted).count == 0, "new log, seed \(seed)")
        try expectNoneLeft("log emptied again")
    }

    /// The words of rows that a file has anywhere.
    private func words(in path: String) throws -> Set<String> {
        let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
        let pieces = text.components(separatedBy: "word-").dropFirst()
        return Set(pieces.map { "word-" + $0.split(separator: "-", maxSplits: 2).prefix(2).joined(separator: "-") + "-" })
    }

    @Test func onlyGapsOfPagesOfTrees_areCleared() {
        var page = [UInt8](repeating: 0xFF, count: 4_096)
        func gap(_ header: [UInt8], isFirst: Bool = false) -> Range<Int>? {
            page.replaceSubrange((isFirst ? 100 : 0)..., with: header + page[((isFirst ? 100 : 0) + header.count)...])
            return page.withUnsafeBytes { PageGaps.gap(of: $0, isFirst: isFirst) }
        }
        #expect(gap([13, 0, 0, 0, 2, 0x0F, 0x00, 0]) == 12..<0xF00)
        #expect(gap([5, 0, 0, 0, 2, 0x0F, 0x00, 0]) == 16..<0xF00)
        #expect(gap([10, 0, 0, 0, 0, 0x10, 0x00, 0], isFirst: true) == 108..<4_096)
        // An overflow page, a page whose cells begin in its header, and one whose cells begin after its end.
        #expect(gap([0, 0, 0, 5, 2, 0x0F, 0x00, 0]) == nil)
        #expect(gap([13, 0, 0, 0x08, 0, 0x0F, 0x00, 0]) == nil)
        #expect(gap([13, 0, 0, 0, 2, 0, 0, 0]) == nil)
    }
}
