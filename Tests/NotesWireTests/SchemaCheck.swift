import NoteText
import NotesModel
import NotesWire
import StrictJSON

/// The part of JSON Schema that `docs/openrpc.json` uses. It is stricter than the standard: an
/// object must not have members that its schema does not name, because the document must describe
/// everything that the daemon sends.
struct SchemaCheck {
    let document: JSONValue

    /// The violations of the schema in the value; empty if there are none.
    func faults(_ value: JSONValue, _ schema: JSONValue, at path: String = "") -> [String] {
        let schema = resolved(schema)
        if let options = schema["oneOf"] {
            let matching = options.elements.filter { self.faults(value, $0, at: path).isEmpty }
            return matching.count == 1 ? [] : ["\(path) matches \(matching.count) of the options"]
        }
        guard let type = schema["type"]?.string?.description, isOf(type, value) else { return ["\(path) is of another type"] }
        var faults: [String] = []
        if let words = schema["enum"], !words.elements.contains(where: { $0.string == value.string }) {
            faults.append("\(path) is none of the words")
        }
        if let integer = value.integer {
            if let minimum = schema["minimum"]?.integer, integer < minimum { faults.append("\(path) is under \(minimum)") }
            if let maximum = schema["maximum"]?.integer, integer > maximum { faults.append("\(path) is over \(maximum)") }
        }
        if let pattern = schema["pattern"]?.string?.description, let text = value.string?.description {
            let match = try? Regex(pattern).wholeMatch(in: text)
            if match == nil { faults.append("\(path) is not of the form \(pattern)") }
        }
        if let items = schema["items"] {
            for (index, element) in value.elements.enumerated() { faults += self.faults(element, items, at: "\(path)[\(index)]") }
        }
        return value.kind == .object ? faults + objectFaults(value, schema, at: path) : faults
    }

    private func objectFaults(_ value: JSONValue, _ schema: JSONValue, at path: String) -> [String] {
        var faults: [String] = []
        let properties = schema["properties"]
        for member in value.members {
            let described = properties?.members.first { $0.name == member.name }?.value ?? schema["additionalProperties"]
            if let described, described.kind == .object {
                faults += self.faults(member.value, described, at: "\(path).\(member.name)")
            } else if properties != nil {
                faults.append("\(path).\(member.name) is not described")
            }
        }
        for name in schema["required"]?.elements.compactMap(\.string) ?? []
        where !value.members.contains(where: { $0.name == name }) {
            faults.append("\(path).\(name) is missing")
        }
        return faults
    }

    private func isOf(_ type: String, _ value: JSONValue) -> Bool {
        switch type {
        case "null": value.isNull
        case "boolean": value.bool != nil
        case "integer": value.integer != nil
        case "string": value.string != nil
        case "array": value.kind == .array
        case "object": value.kind == .object
        default: false
        }
    }

    /// The schema itself, or the one that it refers to.
    func resolved(_ schema: JSONValue) -> JSONValue {
        guard let reference = schema["$ref"]?.string?.description, let name = reference.split(separator: "/").last else {
            return schema
        }
        let schemas = document["components"]?["schemas"]
        return schemas?.members.first { $0.name.description == name }?.value ?? schema
    }

    /// The example in the schema, or in the one that it refers to.
    func example(_ schema: JSONValue) -> [UInt8]? {
        for place in [schema, resolved(schema)] {
            if let example = place["examples"]?.elements.first(where: { _ in true }) { return Array(example.source) }
        }
        return nil
    }
}
