import NotesModel
import NotesWire

/// A JSON value, taken apart. Text is bytes, since Swift holds strings equal that are not the same.
package indirect enum Value: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int)
    case string([UInt8])
    case array([Value])
    case object([String: Value])
    /// A number with a fraction: nothing here is one.
    case other

    /// Nil where the bytes are not JSON.
    package init?(parsing bytes: [UInt8]) {
        guard let document = try? JSONDocument(parsing: bytes, depthMax: 64) else { return nil }
        self.init(document.root)
    }

    private init(_ value: JSONValue) {
        switch value.kind {
        case .null: self = .null
        case .bool: self = .bool(value.bool ?? false)
        case .number: self = value.integer.map { .integer(Int($0)) } ?? .other
        case .string: self = .string(value.string?.utf8 ?? [])
        case .array: self = .array(value.elements.map { Value($0) })
        case .object:
            var members: [String: Value] = [:]
            for member in value.members { members["\(member.name)"] = Value(member.value) }
            self = .object(members)
        }
    }

    package subscript(name: String) -> Value? {
        guard case .object(let members) = self else { return nil }
        return members[name]
    }

    package var bytes: [UInt8]? {
        guard case .string(let bytes) = self else { return nil }
        return bytes
    }

    /// Of what is never compared but by identity: ids, versions, kinds.
    package var word: String? { bytes.map { String(decoding: $0, as: UTF8.self) } }

    package var number: Int? {
        guard case .integer(let number) = self else { return nil }
        return number
    }

    package var flag: Bool? {
        guard case .bool(let flag) = self else { return nil }
        return flag
    }

    package var elements: [Value] {
        guard case .array(let elements) = self else { return [] }
        return elements
    }

    package var isNull: Bool { self == .null }
}

/// Text as JSON has it.
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

package func quoted(_ text: String) -> String { quoted(Array(text.utf8)) }
