package import NotesModel

/// What is wrong with one place in a request's params.
package struct ParamFault: Error, Hashable, Sendable {
    /// From the request's root, such as `params.edits[3].start`.
    package let path: String
    /// Goes on a sentence that starts with the path.
    package let reason: String
    /// Where in the value, in bytes of its UTF-8, for one that is read like a language.
    package let offset: Int?

    package init(path: String, reason: String, offset: Int? = nil) {
        self.path = path
        self.reason = reason
        self.offset = offset
    }

    /// - Parameter path: of the query.
    package init(_ fault: SearchQueryFault, path: String = "") {
        self.init(path: path, reason: "byte \(fault.offset) \(fault.reason)", offset: fault.offset)
    }

    /// The same fault, seen from one level further out.
    func inside(_ outer: String) -> ParamFault {
        ParamFault(path: outer + Self.joint(before: path) + path, reason: reason, offset: offset)
    }

    /// What stands between a path and the rest of it: nothing before an index. A member may be named `[` something as well.
    static func joint(before path: String) -> String {
        guard !path.isEmpty else { return "" }
        let digits = path.utf8.dropFirst().prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        let isIndex = path.hasPrefix("[") && !digits.isEmpty && path.utf8.dropFirst(1 + digits.count).first == UInt8(ascii: "]")
        return isIndex ? "" : "."
    }

    func inside(element index: Int) -> ParamFault {
        inside("[\(index)]")
    }

    /// A name that a client gave, short enough to be sent back. Cut between characters.
    static func quoted(_ name: ByteString) -> String {
        name.utf8.count <= nameBytesMax
            ? name.description : String(name.description.unicodeScalars.prefix(nameBytesMax / 4)) + "…"
    }

    static let nameBytesMax = 256
}
