import Causality

/// One byte, by its hunk and its offset there.
struct Item: Hashable, Sendable {
    var hunk: Int
    var offset: Int
}

/// What one edit inserted.
struct Hunk: Sendable {
    /// The revision; nil for the text that the walk starts from.
    let writer: Dot?
    /// The index of the edit in the revision's list.
    let edit: Int
    /// Whether the revision's edits were found by the line diff.
    let isFound: Bool
    /// Whether the edit is one of whole lines, in the text that its writer saw.
    let isLines: Bool
    /// Whether its place is at the start of a line that its writer saw.
    let startsLine: Bool
    /// The offset of its bytes in `Walk.bytes`.
    let start: Int
    /// The number of its bytes.
    let length: Int
    /// The last byte before its place that its writer knew (`Walk.place`); nil at the start of the
    /// sequence.
    let left: Item?
    /// The run whose first byte is the first byte after its place that its writer knew; nil for the
    /// end of the sequence. A divided run keeps its first byte, so this stays valid.
    let right: Int?
    /// The run that holds its first byte.
    let firstRun: Int
    /// Its other runs, ascending by offset.
    var laterRuns: [Int] = []
}

/// Bytes of one hunk that have the same state in every version.
struct Run: Sendable {
    let hunk: Int
    /// The offset of its first byte in its hunk.
    let offset: Int
    /// The number of its bytes, at least 1.
    var length: Int
    /// The first of its copies; the others follow by `Copy.next`.
    let firstCopy: Int
}

/// The place and the content of a found hunk; hunks that are equal in both are twins.
struct InsertionPoint: Hashable, Sendable {
    let left: Item?
    let right: Int?
    let replacement: [UInt8]

    /// An array hashes its bytes one by one, which took half the time of loading long texts.
    func hash(into hasher: inout Hasher) {
        hasher.combine(left)
        hasher.combine(right)
        replacement.withUnsafeBytes { hasher.combine(bytes: $0) }
    }
}
