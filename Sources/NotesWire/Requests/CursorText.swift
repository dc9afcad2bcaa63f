import Causality
package import NotesModel

/// A cursor as it is written: `<sequence>.<replica>`, such as `42.9f86d081884c7d65`. Clients hold it as opaque.
package enum CursorText {
    package static func text(_ position: CommitPosition) -> String {
        "\(position.sequence).\(position.replica)"
    }

    /// Nil for anything but the written form: no sign, no leading zero, nothing over 2^63 - 1.
    package static func position(parsing text: ByteString) -> CommitPosition? {
        guard let dot = text.utf8.firstIndex(of: UInt8(ascii: ".")),
            let replica = ReplicaID(parsing: text.utf8[(dot + 1)...]),
            let sequence = sequence(text.utf8[..<dot])
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
