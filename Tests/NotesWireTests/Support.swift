import Foundation
import NotesModel
import NotesWire
import TestKit

/// Test files from other projects; see `Fixtures/CREDITS.md`.
enum Fixture {
    static func bytes(_ path: String) throws -> [UInt8] {
        let url = try root().appendingPathComponent(path)
        return [UInt8](try Data(contentsOf: url))
    }

    /// The texts of the JSON test suite, by name.
    static func jsonSuite() throws -> [TarArchive.Entry] {
        try TarArchive(bytes("JSONTestSuite.tar")).entries
    }

    static func naughtyStrings() throws -> [ByteString] {
        try JSONDocument(parsing: bytes("naughty-strings.json"), depthMax: 2).root.elements.compactMap(\.string)
    }

    private static func root() throws -> URL {
        guard let root = Bundle.module.resourceURL else { throw CocoaError(.fileNoSuchFile) }
        return root.appendingPathComponent("Fixtures")
    }
}

/// A file of the repository, by its path from the root.
func repositoryFile(_ path: String) throws -> [UInt8] {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    return [UInt8](try Data(contentsOf: root.appendingPathComponent(path)))
}

/// A JSON value as a tree, to compare values that were written with those that are read.
indirect enum Tree: Hashable {
    case null
    case bool(Bool)
    case integer(Int64)
    /// The bytes of the number in the text.
    case decimal([UInt8])
    case string([UInt8])
    case array([Tree])
    case object([Member])

    struct Member: Hashable {
        let name: [UInt8]
        let value: Tree
    }

    init(_ value: JSONValue) {
        switch value.kind {
        case .null: self = .null
        case .bool: self = .bool(value.bool == true)
        case .number: self = value.integer.map { .integer($0) } ?? .decimal(Array(value.source))
        case .string: self = .string(value.string?.utf8 ?? [])
        case .array: self = .array(value.elements.map { Tree($0) })
        case .object: self = .object(value.members.map { Member(name: $0.name.utf8, value: Tree($0.value)) })
        }
    }

    init(parsing text: [UInt8], depthMax: Int = 32) throws(JSONFault) {
        self.init(try JSONDocument(parsing: text, depthMax: depthMax).root)
    }

    func write(to writer: inout JSONWriter) {
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

    var text: [UInt8] {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.bytes
    }
}

extension SeededGenerator {
    /// Random valid UTF-8 with characters that are difficult for escapes and encodings.
    mutating func text(lengthMax: Int) -> [UInt8] {
        let pieces = [
            "a", "\"", "\\", "\n", "\r", "\t", "\u{1}", "\u{1F}", "/", "\u{7F}", "é", "€", "😀", "\u{2028}", "\u{FFFF}",
            "e\u{301}", "plain words, ",
        ]
        return (0..<below(lengthMax + 1)).flatMap { _ in Array(pick(pieces).utf8) }
    }

    mutating func tree(depth: Int) -> Tree {
        switch below(depth > 0 ? 7 : 5) {
        case 0: return .null
        case 1: return .bool(chance(0.5))
        case 2: return .integer(chance(0.2) ? pick([.min, .max, 0, -1, 1 << 53]) : Int64(below(2_000)) - 1_000)
        case 3: return .decimal(bytes(pick(["1.0", "-0.5", "1e2", "9223372036854775808", "-1.25E-7", "0e0"])))
        case 4: return .string(text(lengthMax: 12))
        case 5: return .array((0..<below(5)).map { _ in tree(depth: depth - 1) })
        default:
            let members = (0..<below(chance(0.1) ? 40 : 5)).map { index in
                Tree.Member(name: bytes("\(index)") + text(lengthMax: 3), value: tree(depth: depth - 1))
            }
            return .object(members)
        }
    }
}

/// The bytes as a string, for messages of `#expect`.
func string(_ bytes: some Sequence<UInt8>) -> String {
    String(decoding: Array(bytes), as: UTF8.self)
}
