/// The reason why bytes are not one valid JSON text, and the offset of the fault.
package struct JSONFault: Error, Hashable {
    /// Byte offset of the first byte that cannot belong to the text; the text's length if something
    /// is missing at its end.
    package let offset: Int
    /// The rule that the text breaks.
    package let reason: Reason

    /// The rules that a text can break.
    package enum Reason: Hashable, Sendable {
        case byteOrderMark
        case unexpectedEnd
        /// A byte that is neither white space nor allowed at this position.
        case unexpectedByte(UInt8)
        case invalidNumber
        case controlCharacter
        case invalidEscape
        case loneSurrogate
        case invalidUTF8
        case duplicateMember
        case tooDeep(limit: Int)
        case tooLong(limit: Int)
    }

    package init(offset: Int, reason: Reason) {
        self.offset = offset
        self.reason = reason
    }
}

extension JSONFault: CustomStringConvertible {
    package var description: String {
        switch reason {
        case .byteOrderMark: "the text starts with a byte order mark; remove it"
        case .unexpectedEnd: "the text ends before the value is complete"
        case .unexpectedByte(let byte): "unexpected byte \(byte) (0x\(String(byte, radix: 16)))"
        case .invalidNumber: "invalid number"
        case .controlCharacter: "unescaped control character in a string; escape it"
        case .invalidEscape: "invalid escape sequence"
        case .loneSurrogate: "unpaired surrogate; escape the whole surrogate pair"
        case .invalidUTF8: "invalid UTF-8"
        case .duplicateMember: "duplicate member name in this object; remove one of the members"
        case .tooDeep(let limit): "values are nested more than \(limit) levels deep"
        case .tooLong(let limit): "the text exceeds \(limit) bytes"
        }
    }
}
