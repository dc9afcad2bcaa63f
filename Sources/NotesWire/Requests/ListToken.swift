package import NotesModel

/// The text form of a position in a list (`next` and `after` of `note.list`), which clients treat
/// as opaque.
///
/// The form is the last note of the page: `<id>` or `<id>/<name>`.
package enum ListToken {
    /// The text of a position.
    package static func text(_ position: ListPosition) -> ByteString {
        var utf8 = Array(position.id.description.utf8)
        if let name = position.name {
            utf8.append(separator)
            utf8.append(contentsOf: name.bytes.utf8)
        }
        return ByteString(validUTF8: utf8)
    }

    /// The position with this text; nil for anything but the canonical form.
    package static func position(parsing text: ByteString) -> ListPosition? {
        guard let id = NoteID(parsing: text.utf8.prefix(NoteID.textBytes)) else { return nil }
        let rest = text.utf8.dropFirst(NoteID.textBytes)
        guard let first = rest.first else { return ListPosition(name: nil, id: id) }
        guard first == separator, let name = try? NoteName(ByteString(validUTF8: Array(rest.dropFirst()))) else { return nil }
        return ListPosition(name: name, id: id)
    }

    private static let separator = UInt8(ascii: "/")
}
