/// Where bytes stop being one JSON text, and why.
package struct JSONFault: Error, Hashable {
    /// Of the first byte that does not belong, from the start of the text; its length where something is missing at the end.
    package let offset: Int
    package let reason: Reason

    package enum Reason: Hashable, Sendable {
        case byteOrderMark
        case unexpectedEnd
        /// Neither white space nor anything that may stand here.
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
        case .byteOrderMark: "the text starts with a byte order mark; leave it out"
        case .unexpectedEnd: "the text ends before its value does"
        case .unexpectedByte(let byte): "byte \(byte) (0x\(String(byte, radix: 16))) cannot stand here"
        case .invalidNumber: "this is not a number as JSON writes them"
        case .controlCharacter: "a control character in a string must be escaped"
        case .invalidEscape: "there is no such escape in JSON"
        case .loneSurrogate: "half a surrogate pair stands for no character"
        case .invalidUTF8: "these bytes are not UTF-8"
        case .duplicateMember: "this object has a member of that name already"
        case .tooDeep(let limit): "values may be nested \(limit) deep"
        case .tooLong(let limit): "a text may have \(limit) bytes"
        }
    }
}
