import NotesModel

/// Checksum of a row: the first 4 bytes of the SHA-256 of what was written.
///
/// SQLite has no checksums, so every read of a whole row verifies this one. It detects damage by the
/// disk except for one case in four billion. It does not protect against deliberate changes.
struct RowChecksum: Equatable {
    /// Size in bytes.
    static let size = 4

    private let bits: UInt32

    /// Computes the checksum of the bytes.
    ///
    /// - Complexity: O(bytes).
    init(_ bytes: [UInt8]) {
        bits = UInt32(truncatingIfNeeded: RevisionHash(ofText: bytes).bits >> 32)
    }

    /// The value as a column: the 4 bytes as a signed number.
    var column: Int64 { Int64(Int32(bitPattern: bits)) }

    var bytes: [UInt8] { withUnsafeBytes(of: bits.bigEndian) { Array($0) } }
}
