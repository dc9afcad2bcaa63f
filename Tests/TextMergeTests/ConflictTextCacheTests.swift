import Causality
import TestKit
import Testing

@testable import TextMerge

/// The cached texts of the sides of conflicts, and their size.
@Suite struct ConflictTextCacheTests {
    /// Compared with a dictionary: all entries are dropped if one more would exceed the limit, and
    /// an entry that exceeds it alone is not stored.
    @Test(arguments: seeds(50))
    func cache_keepsNewestEntries_andCountsThem(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let bytesMax = 1_400
        let (from, through) = (Item(hunk: 0, offset: 0), Item(hunk: 1, offset: 9))
        let ids = [1, 2, 3, 4].map { ConflictID(high: $0, low: 1) }
        var memory = ConflictTextCache()
        var table: [ConflictID: CachedConflictTexts] = [:]
        func tableBytes() -> Int { table.values.reduce(0) { $0 + $1.residentBytes } }
        for _ in 0..<60 {
            let id = generator.pick(ids)
            if generator.chance(0.2) {
                memory.forget(id)
                table[id] = nil
            } else {
                var excerpts = CachedConflictTexts(from: from, through: through)
                excerpts.texts = [.nothing: [UInt8](repeating: 0, count: generator.pick([0, 50, 200, 700, 1_300]))]
                memory.keep(excerpts, of: id, bytesMax: bytesMax)
                table[id] = nil
                if tableBytes() + excerpts.residentBytes > bytesMax { table = [:] }
                if excerpts.residentBytes <= bytesMax { table[id] = excerpts }
            }
            #expect(memory.residentBytes == tableBytes(), "seed \(seed)")
            for id in ids {
                let texts = memory.excerpts(of: id, from: from, through: through).texts
                #expect(texts == (table[id]?.texts ?? [:]), "seed \(seed)")
                #expect(memory.excerpts(of: id, from: from, through: from).texts.isEmpty, "seed \(seed): other bounds")
            }
        }
    }

    @Test func sideTexts_areCachedUntilResolved() throws {
        let base = "one\ntwo\n"
        var view = View()
        view.append(
            contentsOf: [
                .saved("A1", on: "", from: "", to: base), .saved("A2", on: "A1", from: base, to: "one\nTWO\n"),
                .saved("B1", on: "A1", from: base, to: "one\n2\n"),
            ], holdsFloor: true)
        let conflict = try #require(view.conflicts.first)
        let said = view.texts(of: conflict)
        let texts = try #require(said)
        let held = try #require(view.walk?.conflictTexts.residentBytes)
        #expect(held >= texts.base.count + texts.sides.reduce(0) { $0 + $1.count })
        #expect(view.texts(of: conflict) == texts)
        #expect(view.walk?.conflictTexts.residentBytes == held, "what is asked again is held once")
        view.append(contentsOf: [.saved("C1", on: "A2 B1", from: string(view.text), to: "one\nTwo\n")], holdsFloor: true)
        #expect(view.conflicts.isEmpty)
        #expect(view.walk?.conflictTexts.residentBytes == 0)
    }
}
