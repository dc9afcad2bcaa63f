import NoteText
import StrictJSON

extension JSONValue {
    /// Path of the first string that contains U+0000, such as `params.edits[0].text`; nil if there
    /// is none.
    ///
    /// If a member name contains U+0000, this is the path of its object. The recursion is bounded
    /// by the depth limit of the document.
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
