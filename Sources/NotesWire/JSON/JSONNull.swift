import NotesModel

extension JSONValue {
    /// Where the first string with U+0000 stands, such as `params.edits[0].text`; for a member whose name has it, the object it
    /// stands in. Nil where there is none. Nesting is bounded by the document's.
    ///
    /// - Complexity: O(n).
    var pathOfNull: String? {
        switch kind {
        case .string:
            return string?.utf8.contains(0) == true ? "" : nil
        case .array:
            for (index, element) in elements.enumerated() {
                if let path = element.pathOfNull { return "[\(index)]" + Self.joined(path) }
            }
            return nil
        case .object:
            for member in members {
                let name = member.name
                if name.utf8.contains(0) { return "" }
                if let path = member.value.pathOfNull { return ParamFault.quoted(name) + Self.joined(path) }
            }
            return nil
        case .null, .bool, .number:
            return nil
        }
    }

    private static func joined(_ path: String) -> String {
        ParamFault.joint(before: path) + path
    }
}
