package import Causality
package import NoteText
package import NotesModel
package import TextMerge

/// The beginning of a note on a connection between stores (`NoteBeginning`).
package struct WireBeginning: Hashable, Sendable {
    /// The revision at the floor.
    package var revision: WireRevision
    /// The dots below the floor.
    package var below: DotSet
    /// Those of them that a purge erased.
    package var erased: DotSet
    /// The text at the floor.
    package var text: ByteString
    /// The name at the floor; nil for none.
    package var name: ByteString?
    /// Whether the note is deleted at the floor.
    package var isDeleted: Bool
    /// The register of the last line.
    package var lastLine: LastLineFeed
    /// The time of creation.
    package var created: Timestamp

    package init(
        revision: WireRevision, below: DotSet, erased: DotSet, text: ByteString, name: ByteString?, isDeleted: Bool,
        lastLine: LastLineFeed, created: Timestamp
    ) {
        self.revision = revision
        self.below = below
        self.erased = erased
        self.text = text
        self.name = name
        self.isDeleted = isDeleted
        self.lastLine = lastLine
        self.created = created
    }

    package init(_ beginning: NoteBeginning) {
        self.init(
            revision: RevisionCodec.wireForm(of: beginning.floor), below: beginning.below, erased: beginning.erased,
            text: ByteString(checkedUTF8: beginning.text) ?? "", name: beginning.name?.bytes, isDeleted: beginning.isDeleted,
            lastLine: beginning.lastLine, created: beginning.created)
    }

    /// The size of the revision and the text.
    package var byteCount: Int { revision.byteCount + text.utf8.count }

    /// The beginning; nil if the revision or the name cannot be decoded.
    ///
    /// - Complexity: O(bytes).
    package var beginning: NoteBeginning? {
        guard let floor = RevisionCodec.revision(from: revision) else { return nil }
        var decoded: NoteName?
        if let name {
            do { decoded = try NoteName(name) } catch { return nil }
        }
        return NoteBeginning(
            floor: floor, below: below, erased: erased, text: text.utf8, name: decoded, lastLine: lastLine, isDeleted: isDeleted,
            created: created)
    }
}
