package import NoteText
package import NotesModel

/// The text form of a position in search results (`next` and `after` of `note.search`), which
/// clients treat as opaque.
///
/// The form is `<score>.<number>`, the last hit of the page, in 16 hexadecimal digits each. The
/// scale of the first page's ranking may follow: `.<notes>.<bytes>` and `.<count>` for each phrase,
/// in hexadecimal without leading zeros.
package enum SearchToken {
    /// The text of a position.
    package static func text(_ position: SearchPosition) -> ByteString {
        let scale = position.scale.map { [$0.notes, $0.bytes] + $0.counts } ?? []
        let parts = [digits(position.scoreBits), digits(position.number)] + scale.map { String($0, radix: 16) }
        return ByteString(parts.joined(separator: "."))
    }

    /// The position with this text; nil for anything but the canonical form.
    package static func position(parsing text: ByteString) -> SearchPosition? {
        let most = 4 + SearchScale.countsMax
        let parts = text.utf8.split(
            separator: UInt8(ascii: "."), maxSplits: most, omittingEmptySubsequences: false)
        guard parts.count == 2 || (4...most).contains(parts.count), parts[0].count == 16, parts[1].count == 16,
            let score = number(parts[0]), let number = number(parts[1]),
            // A score is finite and not negative, so its bits are below those of infinity.
            score < Double.infinity.bitPattern
        else { return nil }
        var scale: [UInt64] = []
        for part in parts.dropFirst(2) {
            guard let value = scaleNumber(part) else { return nil }
            scale.append(value)
        }
        guard scale.count >= 2 else { return SearchPosition(scoreBits: score, number: number) }
        return SearchPosition(
            scoreBits: score, number: number,
            scale: SearchScale(notes: scale[0], bytes: scale[1], counts: Array(scale.dropFirst(2))))
    }

    private static func scaleNumber(_ digits: ArraySlice<UInt8>) -> UInt64? {
        guard (1...14).contains(digits.count), digits.count == 1 || digits.first != UInt8(ascii: "0"),
            let value = number(digits), value < SearchScale.end
        else { return nil }
        return value
    }

    private static func digits(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> UInt64? {
        var number: UInt64 = 0
        for byte in digits {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): number = number << 4 | UInt64(byte - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): number = number << 4 | UInt64(byte - UInt8(ascii: "a") + 10)
            default: return nil
            }
        }
        return number
    }
}
