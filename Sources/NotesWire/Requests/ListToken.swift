package import NotesModel

/// `next` and `after` of a list: the last note that was listed, `<id>` or `<id>/<name>`. Clients hold it as opaque.
package enum ListToken {
    package static func text(_ position: ListPosition) -> ByteString {
        var utf8 = Array(position.id.description.utf8)
        if let name = position.name {
            utf8.append(separator)
            utf8.append(contentsOf: name.bytes.utf8)
        }
        return ByteString(validUTF8: utf8)
    }

    /// Nil for anything but the written form.
    package static func position(parsing text: ByteString) -> ListPosition? {
        guard let id = NoteID(parsing: text.utf8.prefix(NoteID.textBytes)) else { return nil }
        let rest = text.utf8.dropFirst(NoteID.textBytes)
        guard let first = rest.first else { return ListPosition(name: nil, id: id) }
        guard first == separator, let name = try? NoteName(ByteString(validUTF8: Array(rest.dropFirst()))) else { return nil }
        return ListPosition(name: name, id: id)
    }

    private static let separator = UInt8(ascii: "/")
}
