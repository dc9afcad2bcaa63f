package import StrictJSON

/// A JSON value as a tree, to compare values that were written with those that are read.
package indirect enum JSONTree: Hashable {
    case null
    case bool(Bool)
    case integer(Int64)
    /// The bytes of the number in the text.
    case decimal([UInt8])
    case string([UInt8])
    case array([JSONTree])
    case object([Member])

    package struct Member: Hashable {
        package let name: [UInt8]
        package let value: JSONTree

        package init(name: [UInt8], value: JSONTree) {
            self.name = name
            self.value = value
        }
    }

    package init(_ value: JSONValue) {
        switch value.kind {
        case .null: self = .null
        case .bool: self = .bool(value.bool == true)
        case .number: self = value.integer.map { .integer($0) } ?? .decimal(Array(value.source))
        case .string: self = .string(value.utf8 ?? [])
        case .array: self = .array(value.elements.map { JSONTree($0) })
        case .object: self = .object(value.members.map { Member(name: $0.nameUTF8, value: JSONTree($0.value)) })
        }
    }

    package init(parsing text: [UInt8], depthMax: Int = 32) throws(JSONFault) {
        self.init(try JSONDocument(parsing: text, depthMax: depthMax).root)
    }

    package func write(to writer: inout JSONWriter) {
        switch self {
        case .null: writer.null()
        case .bool(let bool): writer.bool(bool)
        case .integer(let integer): writer.integer(integer)
        case .decimal(let text): writer.raw(text)
        case .string(let utf8): writer.string(utf8)
        case .array(let elements): writer.array(of: elements) { $1.write(to: &$0) }
        case .object(let members):
            writer.object { object in
                for member in members {
                    object.name(member.name)
                    member.value.write(to: &object)
                }
            }
        }
    }

    package var text: [UInt8] {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.bytes
    }
}

extension SeededGenerator {
    /// Random valid UTF-8 with characters that are difficult for escapes and encodings.
    package mutating func text(lengthMax: Int) -> [UInt8] {
        let pieces = [
            "a", "\"", "\\", "\n", "\r", "\t", "\u{1}", "\u{1F}", "/", "\u{7F}", "é", "€", "😀", "\u{2028}", "\u{FFFF}",
            "e\u{301}", "plain words, ",
        ]
        return (0..<below(lengthMax + 1)).flatMap { _ in Array(pick(pieces).utf8) }
    }

    package mutating func tree(depth: Int) -> JSONTree {
        switch below(depth > 0 ? 7 : 5) {
        case 0: return .null
        case 1: return .bool(chance(0.5))
        case 2: return .integer(chance(0.2) ? pick([.min, .max, 0, -1, 1 << 53]) : Int64(below(2_000)) - 1_000)
        case 3: return .decimal(bytes(pick(["1.0", "-0.5", "1e2", "9223372036854775808", "-1.25E-7", "0e0"])))
        case 4: return .string(text(lengthMax: 12))
        case 5: return .array((0..<below(5)).map { _ in tree(depth: depth - 1) })
        default:
            let members = (0..<below(chance(0.1) ? 40 : 5)).map { index in
                JSONTree.Member(name: bytes("\(index)") + text(lengthMax: 3), value: tree(depth: depth - 1))
            }
            return .object(members)
        }
    }
}
