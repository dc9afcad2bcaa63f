package import NoteText

/// A fault in one value of a request or a response.
package struct ParamFault: Error, Hashable, Sendable {
    /// Path of the value from the root of the request, such as `params.edits[3].start`.
    package let path: String
    /// The predicate of a sentence whose subject is the path, such as "is missing; it is required".
    package let reason: String
    /// Byte offset in the UTF-8 of the value, for values with a grammar, such as queries; nil for
    /// others.
    package let offset: Int?

    package init(path: String, reason: String, offset: Int? = nil) {
        self.path = path
        self.reason = reason
        self.offset = offset
    }

    /// The fault of a search query.
    ///
    /// - Parameter path: path of the query.
    package init(_ fault: SearchQueryFault, path: String = "") {
        self.init(path: path, reason: "byte \(fault.offset) \(fault.reason)", offset: fault.offset)
    }

    /// The same fault with its path prefixed by the enclosing member.
    package func inside(_ outer: String) -> ParamFault {
        ParamFault(path: outer + Self.joint(before: path) + path, reason: reason, offset: offset)
    }

    /// The separator before a path: empty before an index such as `[3]`, a dot otherwise.
    ///
    /// A member name may begin with `[` too, so the digits and the closing bracket are checked.
    static func joint(before path: String) -> String {
        guard !path.isEmpty else { return "" }
        let digits = path.utf8.dropFirst().prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        let isIndex = path.hasPrefix("[") && !digits.isEmpty && path.utf8.dropFirst(1 + digits.count).first == UInt8(ascii: "]")
        return isIndex ? "" : "."
    }

    /// The same fault with its path prefixed by an array index.
    func inside(element index: Int) -> ParamFault {
        inside("[\(index)]")
    }

    /// A name from a client, shortened so that it can be sent back. Cut between scalars.
    static func quoted(_ name: ByteString) -> String {
        name.utf8.count <= nameBytesMax
            ? name.description : String(name.description.unicodeScalars.prefix(nameBytesMax / 4)) + "…"
    }

    /// Longest name that is sent back whole, in bytes.
    static let nameBytesMax = 256
}
