import Causality

/// What versions show from one item through another. It never changes: what comes between them later, no older version has seen.
struct CachedConflictTexts: Sendable {
    let from: Item
    let through: Item
    var texts: [Version: [UInt8]] = [:]

    /// About what they take in memory, in bytes.
    var residentBytes: Int { texts.values.reduce(128) { $0 + $1.count + 128 } }
}

/// The excerpts of conflicts that were asked for, by conflict. All are forgotten when they take too much: whoever asks again has
/// them worked out again.
struct ConflictTextCache: Sendable {
    private var byConflict: [ConflictID: CachedConflictTexts] = [:]
    /// About what all take in memory, in bytes.
    private(set) var residentBytes = 0

    /// What is known of a conflict; nothing yet where it was asked for with other bounds.
    func excerpts(of conflict: ConflictID, from: Item, through: Item) -> CachedConflictTexts {
        if let known = byConflict[conflict], known.from == from, known.through == through { return known }
        return CachedConflictTexts(from: from, through: through)
    }

    mutating func keep(_ excerpts: CachedConflictTexts, of conflict: ConflictID, bytesMax: Int) {
        forget(conflict)
        let bytes = excerpts.residentBytes
        if residentBytes + bytes > bytesMax { self = ConflictTextCache() }
        guard bytes <= bytesMax else { return }
        byConflict[conflict] = excerpts
        residentBytes += bytes
    }

    mutating func forget(_ conflict: ConflictID) {
        guard let known = byConflict.removeValue(forKey: conflict) else { return }
        residentBytes -= known.residentBytes
    }
}
