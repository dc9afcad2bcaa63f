import NotesModel

/// What a row is held to when it is read: the first 4 bytes of the SHA-256 of what was written.
///
/// It tells what a disk spoiled from what was written there, but for one in four billion; SQLite does not look. It is no seal
/// against who means to change a store.
struct RowSum: Equatable {
    static let size = 4

    private let bits: UInt32

    /// - Complexity: O(bytes).
    init(_ bytes: [UInt8]) {
        bits = UInt32(truncatingIfNeeded: RevisionHash(ofText: bytes).bits >> 32)
    }

    /// Of four bytes in a table, with a sign.
    var column: Int64 { Int64(Int32(bitPattern: bits)) }

    var bytes: [UInt8] { withUnsafeBytes(of: bits.bigEndian) { Array($0) } }
}
