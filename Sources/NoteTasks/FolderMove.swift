package import Console
package import NoteText
import NotesClient
package import NotesModel

/// The renaming of all notes below a folder: the notes whose names start with `OLD/` get names that
/// start with `NEW/`.
package struct FolderMove {
    /// The beginnings of the old and of the new names, each with the slash at its end.
    let old, new: String

    package init(old: String, new: String) {
        (self.old, self.new) = (old, new)
    }

    package struct Step: Hashable {
        package let note: NoteID
        package let from: NoteName
        package let to: NoteName
    }

    /// The renamings, in an order in which no note gets a name that a later one still has. All names
    /// change their length by the same number of bytes. So a note whose new name another note has
    /// follows that note if the names are sorted by length, the longest first if names get longer.
    ///
    /// - Parameters:
    ///   - notes: the notes below the old folder.
    ///   - taken: the notes below the new folder.
    /// - Throws: `ExitFailure` if a new name is invalid, or if a note that stays has it.
    /// - Complexity: O(n log n).
    package func steps(_ notes: [Head], taken: [Head]) throws(ExitFailure) -> [Step] {
        let oldBytes = Array(old.utf8)
        var steps: [Step] = []
        for note in notes {
            guard let from = note.name, from.bytes.utf8.starts(with: oldBytes) else { continue }
            let name = ByteString(validUTF8: Array(new.utf8) + from.bytes.utf8.dropFirst(oldBytes.count))
            do { steps.append(Step(note: note.id, from: from, to: try NoteName(name))) } catch {
                throw ExitFailure("\(SafeText.quoted("\(name)")): \(error); no note was renamed", .badData)
            }
        }
        let moved = Set(steps.map(\.note))
        let names = Set(taken.filter { !moved.contains($0.id) }.compactMap(\.name))
        let refused = steps.filter { names.contains($0.to) }
        if let first = refused.first {
            let more = refused.count == 1 ? "" : " and \(counted(refused.count - 1, "more name"))"
            throw ExitFailure(
                "another note has the name \(SafeText.quoted("\(first.to)"))\(more); no note was renamed, so rename or delete "
                    + "\(refused.count == 1 ? "that note" : "those notes") first")
        }
        let isLonger = new.utf8.count > old.utf8.count
        return steps.sorted { left, right in
            let lengths = (left.from.bytes.utf8.count, right.from.bytes.utf8.count)
            if lengths.0 != lengths.1 { return isLonger == (lengths.0 > lengths.1) }
            return left.from < right.from
        }
    }
}
