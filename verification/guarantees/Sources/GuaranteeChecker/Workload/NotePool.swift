/// The notes of a run. Their ids are chosen before they are created, so that a watch can name them.
struct NotePool {
    let prefix: String
    let ids: [String]
    let fences: [String]
    /// Number of notes that were created, or whose creation was tried.
    private(set) var usedCount = 0
    /// The notes that are being written, and the number of writes left for each.
    private(set) var active: [(id: String, rest: Int)] = []
    private var dice: SeededRandom

    /// Largest number of notes that are written at a time. A small number makes concurrent writes
    /// to one note likely.
    private static let activeMax = 6
    /// Scale of the number of writes to one note, which bounds its history.
    private static let writesMax = 70
    static let idsMax = 600

    init(nonce: UInt64) {
        var dice = SeededRandom(seed: nonce)
        prefix = "prove-" + String(nonce % 0x1_0000_0000, radix: 36) + "/"
        let all = (0..<Self.idsMax).map { _ in Self.uuid(&dice) }
        fences = (0..<2).map { _ in Self.uuid(&dice) }
        ids = all + fences
        self.dice = dice
    }

    var used: [String] { Array(ids.prefix(usedCount)) }

    /// Whether clients send edits of a note. Of the others, the checker knows which lines are whole.
    func isEdited(_ note: String) -> Bool { (note.utf8.last ?? 0) % 3 != 0 }

    /// A note to create; nil if enough notes are being written.
    mutating func next() -> String? {
        guard active.count < Self.activeMax else { return nil }
        return fresh(rest: Self.writesMax / 2 + dice.below(Self.writesMax))
    }

    /// A note to create that gets `rest` more writes. Nil if all notes are used.
    mutating func fresh(rest: Int = 0) -> String? {
        guard usedCount < Self.idsMax else { return nil }
        usedCount += 1
        if rest > 0 { active.append((ids[usedCount - 1], rest)) }
        return ids[usedCount - 1]
    }

    /// A note to write to. Usually one of the first two, so that many writes meet there.
    mutating func pick(_ dice: inout SeededRandom) -> String? {
        guard !active.isEmpty else { return nil }
        let index = dice.chance(0.6) ? dice.below(min(2, active.count)) : dice.below(active.count)
        let id = active[index].id
        active[index].rest -= 1
        if active[index].rest <= 0, usedCount < Self.idsMax { active.remove(at: index) }
        return id
    }

    /// A UUID of version 7 with a time in 2024.
    static func uuid(_ dice: inout SeededRandom) -> String {
        let high: UInt64 = (0x18D_0000_0000 + dice.next() % 0x1_0000_0000) << 16 | 0x7000 | dice.next() % 0x1000
        let low: UInt64 = 0x8000_0000_0000_0000 | dice.next() >> 2
        let digits = [high, low].map { word in
            let text = String(word, radix: 16)
            return String(repeating: "0", count: 16 - text.count) + text
        }.joined()
        let parts = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { range in
            String(Array(digits)[range])
        }
        return parts.joined(separator: "-")
    }
}
