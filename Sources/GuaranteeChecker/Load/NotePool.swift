/// The notes of a run. Their ids are drawn before they are made, so that a watch can name them.
struct NotePool {
    let prefix: String
    let ids: [String]
    let fences: [String]
    /// How many of them were made or tried to be.
    private(set) var usedCount = 0
    /// Those that are written now, and how often they still will be.
    private(set) var active: [(id: String, rest: Int)] = []
    private var dice: SeededRandom

    /// Notes written at a time, and writes on one note: enough to have many beside each other, and no history without end.
    private static let activeMax = 6
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

    /// A note that is still to be made; nil where enough are written.
    mutating func next() -> String? {
        guard active.count < Self.activeMax else { return nil }
        return fresh(rest: Self.writesMax / 2 + dice.below(Self.writesMax))
    }

    /// One that is made and not written again. Nil where all were used.
    mutating func fresh(rest: Int = 0) -> String? {
        guard usedCount < Self.idsMax else { return nil }
        usedCount += 1
        if rest > 0 { active.append((ids[usedCount - 1], rest)) }
        return ids[usedCount - 1]
    }

    /// One to write on; mostly the first of them, so that many meet there.
    mutating func pick(_ dice: inout SeededRandom) -> String? {
        guard !active.isEmpty else { return nil }
        let index = dice.chance(0.6) ? dice.below(min(2, active.count)) : dice.below(active.count)
        let id = active[index].id
        active[index].rest -= 1
        if active[index].rest <= 0, usedCount < Self.idsMax { active.remove(at: index) }
        return id
    }

    /// A UUID of version 7 of some time in 2024.
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
