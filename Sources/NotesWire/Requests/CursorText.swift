import Causality
package import NotesModel

/// A cursor as it is written: the commit, `<sequence>.<replica>`, such as `42.9f86d081884c7d65`; where the store had newer ones
/// that were not told yet, a hyphen and the newest behind it: `42.9f86d081884c7d65-57.9f86d081884c7d65`. Clients hold it as opaque.
package enum CursorText {
    package static func text(_ cursor: Cursor) -> String {
        let commit = text(cursor.commit)
        return cursor.newest == cursor.commit ? commit : "\(commit)-\(text(cursor.newest))"
    }

    /// Nil for anything but the written form: no sign, no leading zero, nothing over 2^63 - 1, and a second commit only if it is a later one.
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

    /// Of 2^63 - 1; so many nines still fit 64 bits.
    private static let digitsMax = 19
}
