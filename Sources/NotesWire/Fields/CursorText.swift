import Causality
package import NoteText
package import NotesModel

/// The text form of cursors, which clients treat as opaque.
///
/// The form is the commit, `<sequence>.<replica>`, such as `42.9f86d081884c7d65`. If the store had
/// newer commits that were not delivered yet, a hyphen and the newest of them follow:
/// `42.9f86d081884c7d65-57.9f86d081884c7d65`.
package enum CursorText {
    /// The text of a cursor.
    package static func text(_ cursor: Cursor) -> String {
        let commit = text(cursor.commit)
        return cursor.newest == cursor.commit ? commit : "\(commit)-\(text(cursor.newest))"
    }

    /// The cursor with this text; nil for anything but the canonical form: no sign, no leading
    /// zero, no sequence above 2^63 - 1, and a second commit only if it is newer than the first.
    package static func cursor(parsing text: ByteString) -> Cursor? {
        guard let hyphen = text.utf8.firstIndex(of: UInt8(ascii: "-")) else { return position(text.utf8[...]).map { Cursor($0) } }
        guard let commit = position(text.utf8[..<hyphen]), let newest = position(text.utf8[(hyphen + 1)...]),
            commit.sequence < newest.sequence
        else { return nil }
        return Cursor(commit, newest: newest)
    }

    private static func text(_ position: CommitPosition) -> String {
        "\(position.sequence).\(position.replica)"
    }

    private static func position(_ text: ArraySlice<UInt8>) -> CommitPosition? {
        guard let dot = text.firstIndex(of: UInt8(ascii: ".")), let replica = ReplicaID(parsing: text[(dot + 1)...]),
            let sequence = sequence(text[..<dot])
        else { return nil }
        return CommitPosition(sequence: sequence, replica: replica)
    }

    private static func sequence(_ digits: ArraySlice<UInt8>) -> UInt64? {
        guard let first = digits.first, digits.count <= digitsMax, first != UInt8(ascii: "0") || digits.count == 1 else {
            return nil
        }
        var value: UInt64 = 0
        for byte in digits {
            guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
            value = value * 10 + UInt64(byte - UInt8(ascii: "0"))
        }
        return value <= UInt64(Int64.max) ? value : nil
    }

    /// Number of digits of 2^63 - 1. Any number with 19 digits fits in 64 bits.
    private static let digitsMax = 19
}
