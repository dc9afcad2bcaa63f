package import NotesModel

/// `next` and `after` of a search: the last note that was found, `<score>.<number>`, 16 hexadecimal digits each. Clients hold it as
/// opaque.
package enum SearchToken {
    package static func text(_ position: SearchPosition) -> ByteString {
        ByteString(digits(position.scoreBits) + "." + digits(position.number))
    }

    /// Nil for anything but the written form.
    package static func position(parsing text: ByteString) -> SearchPosition? {
        let utf8 = text.utf8
        guard utf8.count == 33, utf8[16] == UInt8(ascii: "."), let score = number(utf8[..<16]), let number = number(utf8[17...]),
            // A score is a number that is not negative.
            score < Double.infinity.bitPattern
        else { return nil }
        return SearchPosition(scoreBits: score, number: number)
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
