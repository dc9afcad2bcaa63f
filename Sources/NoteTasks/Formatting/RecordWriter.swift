import Console
import NoteText
import NotesModel
import NotesWire
import StrictJSON

/// The path of a field, such as `id` or `author.user`.
struct FieldPath: Hashable {
    let parts: [String]

    /// - Throws: `ExitFailure` if a component is empty.
    init(_ text: some StringProtocol) throws(ExitFailure) {
        parts = text.split(separator: ".", omittingEmptySubsequences: false).map { String($0) }
        guard parts.allSatisfy({ !$0.isEmpty }) else {
            throw ExitFailure("\(SafeText.quoted(String(text))) is not a field name; use one such as id or author.user", .usage)
        }
    }

    /// The paths in a comma-separated list.
    static func list(_ text: String) throws(ExitFailure) -> [FieldPath] {
        var paths: [FieldPath] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) { paths.append(try FieldPath(part)) }
        return paths
    }

    var name: String { parts.joined(separator: ".") }

    /// The value at the path; nil if the object has no such field.
    func value(in object: JSONValue) -> JSONValue? {
        parts.reduce(object) { (value: JSONValue?, part) in
            value?.members.first { $0.name.utf8.elementsEqual(part.utf8) }?.value
        }
    }
}

/// Formats objects in the form that the user chose.
package struct RecordWriter {
    enum Form {
        case json
        case fields([FieldPath])
        case template(Template)
    }

    let form: Form
    /// The byte after each record: a line feed, or zero with `--null`.
    let terminator: UInt8
    /// Whether to escape characters that a terminal would interpret.
    let isForTerminal: Bool

    /// The top-level fields that the output needs; empty if it needs all.
    package var fields: [String] {
        switch form {
        case .json: []
        case .fields(let paths): paths.compactMap(\.parts.first)
        case .template(let template): template.fields.compactMap(\.parts.first)
        }
    }

    /// Formats one object.
    ///
    /// - Parameter json: an object in the protocol's JSON.
    package func text(of json: [UInt8]) throws -> [UInt8] {
        let record: [UInt8]
        switch form {
        case .json: record = shown(json: json)
        case .fields(let paths):
            let object = try Self.object(json)
            var writer = JSONWriter()
            writer.object { line in
                for path in paths {
                    line.name(Array(path.name.utf8))
                    if let value = path.value(in: object) { line.raw(value.source) } else { line.null() }
                }
            }
            record = shown(json: writer.bytes)
        case .template(let template):
            let text = template.text(of: try Self.object(json))
            record = isForTerminal ? Array(SafeText.text(String(decoding: text, as: UTF8.self)).utf8) : text
        }
        return record + [terminator]
    }

    private static func object(_ json: [UInt8]) throws -> JSONValue {
        do throws(JSONFault) {
            return try JSONDocument(parsing: json, depthMax: WireProtocol.serverDepthMax).root
        } catch {
            throw ExitFailure("cannot parse the daemon's response: \(error)")
        }
    }

    /// Writes characters that a terminal would interpret as `\u` escapes, which mean the same in
    /// JSON.
    private func shown(json: [UInt8]) -> [UInt8] {
        isForTerminal ? Array(SafeText.json(String(decoding: json, as: UTF8.self)).utf8) : json
    }
}

/// The template of `--format`: text with fields in braces.
///
///     {name}\t{title}     two fields with a tab between them
///     {author.user}       a nested field
///     \n \t \0 \\ \{ \}   a line feed, a tab, a zero byte, and the literal characters
struct Template: Hashable {
    private enum Piece: Hashable {
        case text([UInt8])
        case field(FieldPath)
    }

    private let pieces: [Piece]

    var fields: [FieldPath] {
        pieces.compactMap { if case .field(let path) = $0 { path } else { nil } }
    }

    init(_ text: String) throws(ExitFailure) {
        var pieces: [Piece] = []
        var literal = ""
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\\": literal.unicodeScalars.append(try Self.escaped(rest.popFirst(), in: text))
            case "{":
                guard let close = rest.firstIndex(of: "}") else {
                    throw ExitFailure("--format \(SafeText.quoted(text)): { without a matching }; write \\{ for a brace", .usage)
                }
                if !literal.isEmpty { pieces.append(.text(Array(literal.utf8))) }
                literal = ""
                pieces.append(.field(try FieldPath(String(rest[..<close]))))
                rest = rest[rest.index(after: close)...]
            case "}":
                throw ExitFailure("--format \(SafeText.quoted(text)): } without a matching {; write \\} for a brace", .usage)
            default: literal.unicodeScalars.append(scalar)
            }
        }
        if !literal.isEmpty { pieces.append(.text(Array(literal.utf8))) }
        self.pieces = pieces
    }

    private static func escaped(_ scalar: Unicode.Scalar?, in text: String) throws(ExitFailure) -> Unicode.Scalar {
        switch scalar {
        case "n": return "\n"
        case "t": return "\t"
        case "0": return "\0"
        case "\\", "{", "}": return scalar ?? "\\"
        default:
            throw ExitFailure("--format \(SafeText.quoted(text)): \\ must be followed by one of n t 0 \\ { }", .usage)
        }
    }

    func text(of object: JSONValue) -> [UInt8] {
        pieces.flatMap { piece in
            switch piece {
            case .text(let text): text
            case .field(let path): path.value(in: object).map(Self.plain) ?? []
            }
        }
    }

    /// Formats a value: strings unquoted, null as nothing, arrays of scalars joined with commas,
    /// anything else as JSON.
    private static func plain(_ value: JSONValue) -> [UInt8] {
        switch value.kind {
        case .null: []
        case .string: value.string?.utf8 ?? []
        case .array where value.elements.allSatisfy({ $0.kind != .object && $0.kind != .array }):
            Array(value.elements.map(plain).joined(separator: [UInt8(ascii: ",")]))
        case .bool, .number, .array, .object: Array(value.source)
        }
    }
}
