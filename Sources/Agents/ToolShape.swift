import Console
import NoteText
import NotesModel
import NotesWire
import StrictJSON

/// The form of a JSON value in the arguments or the result of a tool. The schema that the server
/// publishes and the check of arguments are made from the same shape.
indirect enum ToolShape: Sendable {
    case text
    case flag
    case integer(ClosedRange<Int>)
    /// One of several words.
    case word([String])
    case list(ToolShape, ClosedRange<Int>)
    case object([ToolField])

    /// Why a value does not have the shape; nil if it does.
    ///
    /// - Parameter path: the place of the value, for the message; empty for the arguments themselves.
    func fault(in value: JSONValue, at path: String) -> String? {
        let subject = path.isEmpty ? "the arguments" : path
        switch self {
        case .text:
            guard let text = value.utf8 else { return "\(subject) must be a string" }
            return text.contains(0) ? "\(subject) has a zero byte, which a note cannot contain" : nil
        case .flag: return value.bool == nil ? "\(subject) must be true or false" : nil
        case .integer(let range):
            guard let number = value.integer, range.contains(Int(number)) else {
                return "\(subject) must be an integer from \(range.lowerBound) to \(range.upperBound)"
            }
            return nil
        case .word(let words):
            guard let word = value.string?.description, words.contains(word) else {
                return "\(subject) must be one of: \(words.joined(separator: ", "))"
            }
            return nil
        case .list(let element, let counts):
            guard value.kind == .array else { return "\(subject) must be an array" }
            var count = 0
            for item in value.elements {
                if let fault = element.fault(in: item, at: "\(path)[\(count)]") { return fault }
                count += 1
            }
            guard counts.contains(count) else {
                return "\(subject) must have from \(counts.lowerBound) to \(counts.upperBound) elements"
            }
            return nil
        case .object(let fields): return Self.fault(in: value, fields, at: path)
        }
    }

    private static func fault(in value: JSONValue, _ fields: [ToolField], at path: String) -> String? {
        guard value.kind == .object else { return "\(path.isEmpty ? "the arguments" : path) must be an object" }
        for member in value.members {
            let name = String(decoding: member.nameUTF8, as: UTF8.self)
            let place = path.isEmpty ? SafeText.line(name) : "\(path).\(SafeText.line(name))"
            guard let field = fields.first(where: { $0.name.utf8.elementsEqual(member.nameUTF8) }) else {
                return "there is no argument \(place); known are: \(fields.map(\.name).joined(separator: ", "))"
            }
            if let fault = field.shape.fault(in: member.value, at: place) { return fault }
        }
        for field in fields where field.isRequired {
            guard value.members.contains(where: { $0.nameUTF8.elementsEqual(field.name.utf8) }) else {
                return "the argument \(path.isEmpty ? field.name : "\(path).\(field.name)") is missing"
            }
        }
        return nil
    }

    /// Writes the members of the JSON Schema of the shape into an object.
    ///
    /// - Parameter isClosed: whether the schema forbids members that it does not describe.
    func writeMembers(to schema: inout JSONWriter, isClosed: Bool) {
        switch self {
        case .text: schema.member("type", "string")
        case .flag: schema.member("type", "boolean")
        case .integer(let range):
            schema.member("type", "integer")
            if range.lowerBound > .min { schema.member("minimum", range.lowerBound) }
            if range.upperBound < .max { schema.member("maximum", range.upperBound) }
        case .word(let words):
            schema.member("type", "string")
            schema.name("enum")
            schema.array(of: words) { $0.string($1) }
        case .list(let element, let counts):
            schema.member("type", "array")
            schema.name("items")
            schema.object { element.writeMembers(to: &$0, isClosed: isClosed) }
            if counts.lowerBound > 0 { schema.member("minItems", counts.lowerBound) }
            if counts.upperBound < .max { schema.member("maxItems", counts.upperBound) }
        case .object(let fields):
            schema.member("type", "object")
            schema.name("properties")
            schema.object { properties in
                for field in fields {
                    properties.name(Array(field.name.utf8))
                    properties.object { property in
                        field.shape.writeMembers(to: &property, isClosed: isClosed)
                        if let about = field.about { property.member("description", about) }
                    }
                }
            }
            let required = fields.filter(\.isRequired)
            if !required.isEmpty {
                schema.name("required")
                schema.array(of: required) { $0.string($1.name) }
            }
            if isClosed { schema.member("additionalProperties", false) }
        }
    }
}

/// A named part of a tool's arguments or result.
struct ToolField: Sendable {
    let name: String
    let shape: ToolShape
    let isRequired: Bool
    /// The description for agents; nil if the name says it all.
    let about: String?

    static func required(_ name: String, _ shape: ToolShape, _ about: String? = nil) -> ToolField {
        ToolField(name: name, shape: shape, isRequired: true, about: about)
    }

    static func optional(_ name: String, _ shape: ToolShape, _ about: String? = nil) -> ToolField {
        ToolField(name: name, shape: shape, isRequired: false, about: about)
    }
}
