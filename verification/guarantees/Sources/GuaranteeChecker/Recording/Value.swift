/// A JSON value as a tree. Strings are bytes, because Swift considers strings equal if they are
/// canonically equivalent, even if their bytes differ.
package indirect enum Value: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int)
    case string([UInt8])
    case array([Value])
    /// The members by the UTF-8 of their names.
    case object([[UInt8]: Value])
    /// The text of a number that is not an integer of 64 bits. The protocol uses none.
    case decimal([UInt8])

    /// Parses a value; nil if the bytes are not JSON (`ValueParser`).
    package init?(parsing bytes: [UInt8]) {
        guard let value = ValueParser.value(of: bytes) else { return nil }
        self = value
    }

    /// The member of an object; nil if there is none.
    package subscript(name: String) -> Value? {
        guard case .object(let members) = self else { return nil }
        return members[Array(name.utf8)]
    }

    /// The UTF-8 of a string; nil for other types.
    package var bytes: [UInt8]? {
        guard case .string(let bytes) = self else { return nil }
        return bytes
    }

    /// The string as `String`; nil for other types. For values that are only compared with ASCII:
    /// ids, versions, kinds.
    package var word: String? { bytes.map { String(decoding: $0, as: UTF8.self) } }

    /// The value of an integer; nil for other types.
    package var number: Int? {
        guard case .integer(let number) = self else { return nil }
        return number
    }

    /// The value of a boolean; nil for other types.
    package var flag: Bool? {
        guard case .bool(let flag) = self else { return nil }
        return flag
    }

    /// The elements of an array; empty for other types.
    package var elements: [Value] {
        guard case .array(let elements) = self else { return [] }
        return elements
    }

    /// Whether the value is null.
    package var isNull: Bool { self == .null }
}

/// A text as a JSON string.
package func quoted(_ text: [UInt8]) -> String {
    var result: [UInt8] = [UInt8(ascii: "\"")]
    for byte in text {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): result += [UInt8(ascii: "\\"), byte]
        case UInt8(ascii: "\n"): result += Array("\\n".utf8)
        case 0..<0x20:
            let digits = String(byte, radix: 16)
            result += Array(("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8)
        default: result.append(byte)
        }
    }
    return String(decoding: result + [UInt8(ascii: "\"")], as: UTF8.self)
}

/// A text as a JSON string.
package func quoted(_ text: String) -> String { quoted(Array(text.utf8)) }
