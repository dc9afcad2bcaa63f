import NotesModel

/// What is wrong with one place in a request's params.
package struct ParamFault: Error, Hashable, Sendable {
    /// From the request's root, such as `params.edits[3].start`.
    package let path: String
    /// Goes on a sentence that starts with the path.
    package let reason: String

    package init(path: String, reason: String) {
        self.path = path
        self.reason = reason
    }

    /// The same fault, seen from one level further out.
    func inside(_ outer: String) -> ParamFault {
        let joint = path.isEmpty || path.hasPrefix("[") ? "" : "."
        return ParamFault(path: outer + joint + path, reason: reason)
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
