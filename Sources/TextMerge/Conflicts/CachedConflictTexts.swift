import Causality

/// The texts of versions from one item through another. They never change: a version does not
/// include what is inserted later.
struct CachedConflictTexts: Sendable {
    /// The first item of the range.
    let from: Item
    /// The last item of the range, inclusive.
    let through: Item
    /// The excerpts, by version.
    var texts: [Version: [UInt8]] = [:]

    /// The approximate size in memory, in bytes.
    var residentBytes: Int { texts.values.reduce(128) { $0 + $1.count + 128 } }
}

/// A cache of the excerpts of conflicts, by conflict. When it would exceed its limit, all entries
/// are dropped; they are computed again on demand.
struct ConflictTextCache: Sendable {
    private var byConflict: [ConflictID: CachedConflictTexts] = [:]
    /// The approximate size of all entries in memory, in bytes.
    private(set) var residentBytes = 0

    /// The cached excerpts of a conflict; empty if they are not cached for these bounds.
    func excerpts(of conflict: ConflictID, from: Item, through: Item) -> CachedConflictTexts {
        if let known = byConflict[conflict], known.from == from, known.through == through { return known }
        return CachedConflictTexts(from: from, through: through)
    }

    /// Stores the excerpts of a conflict. An entry larger than `bytesMax` is not stored.
    mutating func keep(_ excerpts: CachedConflictTexts, of conflict: ConflictID, bytesMax: Int) {
        forget(conflict)
        let bytes = excerpts.residentBytes
        if residentBytes + bytes > bytesMax { self = ConflictTextCache() }
        guard bytes <= bytesMax else { return }
        byConflict[conflict] = excerpts
        residentBytes += bytes
    }

    /// Drops the excerpts of a conflict.
    mutating func forget(_ conflict: ConflictID) {
        guard let known = byConflict.removeValue(forKey: conflict) else { return }
        residentBytes -= known.residentBytes
    }
}
