package import NoteText
package import NotesModel

/// The text form of a place in a list (`next` and `after` of `note.list` and `revisions.list`), which
/// clients treat as opaque.
///
/// In the order of names, the form is the last note of the page: `<id>` or `<id>/<name>`. In the
/// order of commits, it is the commit before which the next page begins, in decimal.
package enum ListToken {
    /// The text of a place; nil for that of the first page.
    package static func text(_ place: ListPlace) -> ByteString? {
        switch place {
        case .byName(let after): after.map(text)
        case .newest(let before): before.map { ByteString("\($0)") }
        }
    }

    private static func text(_ position: ListPosition) -> ByteString {
        var utf8: [UInt8] = []
        position.id.appendText(to: &utf8)
        if let name = position.name {
            utf8.append(separator)
            utf8.append(contentsOf: name.bytes.utf8)
        }
        return ByteString(validUTF8: utf8)
    }

    /// The place with this text; nil for anything but the canonical form.
    package static func place(parsing text: ByteString) -> ListPlace? {
        if let id = NoteID(parsing: text.utf8.prefix(NoteID.textBytes)) {
            return position(id, text.utf8.dropFirst(NoteID.textBytes)).map { .byName(after: $0) }
        }
        return commit(parsing: text).map { .newest(before: $0) }
    }

    /// The commit with this text; nil for anything but a positive number in its shortest decimal form.
    package static func commit(parsing text: ByteString) -> UInt64? {
        guard text.utf8.count <= commitDigitsMax, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            text.utf8.first != UInt8(ascii: "0")
        else { return nil }
        return UInt64(text.description)
    }

    private static func position(_ id: NoteID, _ rest: ArraySlice<UInt8>) -> ListPosition? {
        guard let first = rest.first else { return ListPosition(name: nil, id: id) }
        guard first == separator, let name = try? NoteName(ByteString(validUTF8: Array(rest.dropFirst()))) else { return nil }
        return ListPosition(name: name, id: id)
    }

    private static let separator = UInt8(ascii: "/")
    /// Digits of the greatest `UInt64`.
    private static let commitDigitsMax = 20
}
