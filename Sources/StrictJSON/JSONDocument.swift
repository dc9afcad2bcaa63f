/// A validated JSON text: its bytes, and a tape that records where each value is.
///
/// The tape has one word for each scalar and each member name, and two for each array or object, in
/// the order of the text. Values are decoded only when they are read, so a document takes at most
/// nine bytes for each byte of its text, whatever the input. The type is a class so that each of
/// its values costs one reference.
package final class JSONDocument: Sendable {
    let bytes: [UInt8]
    let tape: [JSONToken]
    /// Whether any string or member name contains U+0000.
    package let hasNull: Bool

    /// Reads one JSON text according to RFC 8259.
    ///
    /// Where the RFC leaves a choice, this is the strict one: UTF-8 only, no byte order mark, no
    /// unpaired surrogate, no duplicate member name in an object (names are compared after
    /// decoding), and at most `depthMax` nested arrays and objects.
    ///
    /// - Throws: `JSONFault` at the first byte that breaks a rule.
    /// - Complexity: O(n), plus O(m log m) for an object with m members if m is large.
    package init(parsing bytes: [UInt8], depthMax: Int) throws(JSONFault) {
        guard bytes.count <= Self.bytesMax else {
            throw JSONFault(offset: Self.bytesMax, reason: .tooLong(limit: Self.bytesMax))
        }
        var parser = JSONParser(bytes: bytes, depthMax: depthMax)
        try parser.run()
        self.bytes = bytes
        tape = parser.tape
        hasNull = parser.hasNull
    }

    /// An empty object, such as the params of a request that has none.
    package static let emptyObject = JSONDocument()

    private init() {
        bytes = Array("{}".utf8)
        tape = [JSONToken(.openObject, offset: 0, extent: 1), JSONToken(.close, offset: 1, extent: 0)]
        hasNull = false
    }

    /// The outermost value.
    package var root: JSONValue { JSONValue(document: self, index: 0) }

    /// Whether the decoded string at an index of the tape equals `name`.
    func isName(at index: Int, _ name: StaticString) -> Bool {
        let token = tape[index]
        let expected = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
        if token.kind == .escapedString { return JSONEscape.decode(token.range, of: bytes).elementsEqual(expected) }
        guard token.extent == expected.count else { return false }
        return bytes.withUnsafeBufferPointer { bytes in
            for offset in 0..<expected.count where bytes[token.offset + offset] != expected[offset] { return false }
            return true
        }
    }

    /// Longest text, in bytes: the largest offset that a token can hold.
    package static let bytesMax = JSONToken.extentMax
}

/// A word of the tape.
///
/// For a scalar or a name, `offset` and `extent` are the position and length of its bytes: all of a
/// literal or number, and a string without its quotes. For an opening bracket, `offset` is the
/// position of the bracket and `extent` the index on the tape of the matching `close`.
struct JSONToken: Sendable {
    enum Kind: UInt8 {
        case null, `true`, `false`
        /// A number without fraction and exponent. It may be too large for any type.
        case integer
        case decimal
        case string
        /// A string with escapes, whose bytes must be decoded.
        case escapedString
        case openArray, openObject, close
    }

    private let word: UInt64

    static let extentMax = (1 << 28) - 1

    /// Packs a token into one word.
    ///
    /// - Precondition: `offset` and `extent` are at most `extentMax`.
    init(_ kind: Kind, offset: Int, extent: Int) {
        word = UInt64(offset) << 32 | UInt64(extent) << 4 | UInt64(kind.rawValue)
    }

    var kind: Kind { Kind(rawValue: UInt8(truncatingIfNeeded: word & 0xF)) ?? .close }
    var offset: Int { Int(word >> 32) }
    var extent: Int { Int(word >> 4 & UInt64(Self.extentMax)) }
    /// The bytes of a scalar.
    var range: Range<Int> { offset..<offset + extent }
}
