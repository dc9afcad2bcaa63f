/// One JSON text, checked as a whole: its bytes, and a tape that says where each value lies in them.
///
/// The tape holds one word a scalar and a member's name, two an array or object, in the order of the text. Nothing is copied
/// out of the text until it is asked for, so a document takes at most nine bytes for each byte of a text, however hostile. A
/// class, so that its values cost one reference each.
package final class JSONDocument: Sendable {
    let bytes: [UInt8]
    let tape: [JSONToken]
    /// Whether a string, or a member's name, holds U+0000.
    package let hasNull: Bool

    /// Reads one JSON text as RFC 8259 has it, and stricter where that leaves a choice: UTF-8 only, no byte order mark, no lone
    /// surrogate, no member twice in one object (compared as decoded), arrays and objects nested at most `depthMax` deep.
    ///
    /// - Complexity: O(n), but O(m log m) for the m members of an object that has many.
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

    /// What stands for params that were left out.
    static let emptyObject = JSONDocument()

    private init() {
        bytes = Array("{}".utf8)
        tape = [JSONToken(.openObject, offset: 0, extent: 1), JSONToken(.close, offset: 1, extent: 0)]
        hasNull = false
    }

    package var root: JSONValue { JSONValue(document: self, index: 0) }

    /// Longest text: what a token has bits for.
    package static let bytesMax = JSONToken.extentMax
}

/// A word of the tape.
///
/// For a scalar or a name, `offset` and `extent` say where its bytes are: a literal whole, a string without its quotes. For an
/// opening bracket, `offset` is the bracket's and `extent` the index on the tape of the `close` that ends it.
struct JSONToken: Sendable {
    enum Kind: UInt8 {
        case null, `true`, `false`
        /// No fraction, no exponent; it may still be too large for any type.
        case integer
        case decimal
        case string
        /// Has escapes, so its bytes are not yet those it stands for.
        case escapedString
        case openArray, openObject, close
    }

    private let word: UInt64

    static let extentMax = (1 << 28) - 1

    /// - Precondition: `offset` and `extent` are at most `extentMax`, as those of a text that is no longer are.
    init(_ kind: Kind, offset: Int, extent: Int) {
        word = UInt64(offset) << 32 | UInt64(extent) << 4 | UInt64(kind.rawValue)
    }

    var kind: Kind { Kind(rawValue: UInt8(truncatingIfNeeded: word & 0xF)) ?? .close }
    var offset: Int { Int(word >> 32) }
    var extent: Int { Int(word >> 4 & UInt64(Self.extentMax)) }
    /// Where a scalar's bytes are.
    var range: Range<Int> { offset..<offset + extent }
}
