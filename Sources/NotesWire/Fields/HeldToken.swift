package import NoteText
package import NotesModel

/// The text form of a place in the holding area (`next` and `after` of `revisions.held`), which clients
/// treat as opaque: the area, a slash and the number of the row.
package enum HeldToken {
    private static let words: [(area: HoldingArea, text: String)] = [(.quarantine, "quarantined/"), (.waiting, "waiting/")]

    /// The text of a place.
    package static func text(_ place: HeldPlace) -> ByteString {
        let area = words.first { $0.area == place.area }?.text ?? ""
        return ByteString("\(area)\(place.number)")
    }

    /// The place with this text; nil for anything but the canonical form.
    package static func place(parsing text: ByteString) -> HeldPlace? {
        guard let area = words.first(where: { text.utf8.starts(with: $0.text.utf8) }) else { return nil }
        let digits = ByteString(validUTF8: Array(text.utf8.dropFirst(area.text.utf8.count)))
        return ListToken.commit(parsing: digits).map { HeldPlace(area.area, after: $0) }
    }
}
