import Causality
package import Console
package import NoteText
package import NotesClient
package import NotesModel
package import NotesWire
package import TextMerge

/// The write that resolves conflicts, based on the version that shows them.
package struct ConflictResolution: Hashable {
    /// The new text; nil to keep the merged text.
    package var text: [UInt8]?
    /// The content that a file is to have; nil to keep those that it shows.
    package var file: FileContent?
    package var name = NameRequest.leave
    /// Whether to delete the note; then nothing else is written.
    package var deletes = false
    package var resolves: [ConflictID]

    package init(
        text: [UInt8]? = nil, file: FileContent? = nil, name: NameRequest = .leave, deletes: Bool = false,
        resolves: [ConflictID]
    ) {
        self.text = text
        self.file = file
        self.name = name
        self.deletes = deletes
        self.resolves = resolves
    }

    /// Resolves a conflict in favour of one side.
    ///
    /// - Precondition: the side belongs to the conflict, and its range is within the text.
    package static func taking(_ side: ConflictSide, in conflict: ConflictObject, of text: [UInt8]) -> ConflictResolution {
        var resolution = ConflictResolution(resolves: [conflict.id])
        switch (conflict.kind, side.content) {
        case (.text, .text(let words))
        where FileContent.isFile(text) && !FileContent.named(in: Array(text[conflict.range])).isEmpty:
            resolution.file = FileContent.all(of: text).first { FileContent.named(in: words).contains($0.hash) }
        case (.text, .text(let words)): resolution.text = replacing(conflict.range, by: words, in: text)
        case (.name, .name(let name)): resolution.name = name.map { .set($0.bytes) } ?? .clear
        case (.deletion, .deleted): resolution.deletes = true
        // The side that wrote to the note: the note stays, with its merged text.
        case (.deletion, .text), (.deletion, .name), (.text, _), (.name, _): break
        }
        return resolution
    }

    /// Settles a file that has several contents. All of them are in the version that shows them, so the write removes
    /// the others, and needs no conflict: two restorations of a deleted file leave two contents without one.
    package static func taking(_ content: FileContent, of note: NoteObject) -> ConflictResolution {
        ConflictResolution(file: content, resolves: note.conflicts.filter { $0.kind == .text }.map(\.id))
    }

    /// Resolves conflicts by keeping the note as it is.
    package static func keeping(_ conflicts: [ConflictObject]) -> ConflictResolution {
        ConflictResolution(resolves: conflicts.map(\.id))
    }

    /// Says which side of a note's conflict was taken.
    package func sentence(over note: NoteObject) -> String {
        guard let conflict = note.conflicts.first(where: { $0.id == resolves.first }), self != .keeping([conflict]),
            let side = conflict.sides.firstIndex(where: { self == .taking($0, in: conflict, of: note.text ?? []) })
        else { return "kept the note as it is, and closed the conflict" }
        return "took side \(side + 1)"
    }

    /// Sends the write, based on the version of `head`.
    package func write(over head: Head, _ client: any NotesAPI) async throws -> OutcomeResult {
        if deletes { return try await client.delete(head.id, base: head.version) }
        return try await client.save(
            SaveNote(id: head.id, base: head.version, text: text, file: file, name: name, resolves: resolves))
    }

    package static func replacing(_ range: Range<Int>, by words: [UInt8], in text: [UInt8]) -> [UInt8] {
        Array(text[..<range.lowerBound]) + words + text[range.upperBound...]
    }
}

/// Finds the conflict and the side that the user means.
package struct ConflictChoice {
    let note: NoteObject
    /// The note's label in messages.
    package let label: String

    package init(_ note: NoteObject) {
        self.note = note
        label = SafeText.line(NoteLabel.of(note.head))
    }

    /// - Parameter id: the beginning of a conflict's id; it must be unambiguous.
    package func conflict(_ id: String) throws(ExitFailure) -> ConflictObject {
        let found = note.conflicts.filter { !id.isEmpty && $0.id.description.hasPrefix(id) }
        guard let first = found.first else {
            throw ExitFailure("\(label) has no open conflict \(SafeText.quoted(id)); open conflicts:\(ids)", .usage)
        }
        guard found.count == 1 else {
            throw ExitFailure("\(SafeText.quoted(id)) matches \(found.count) conflicts of \(label); add digits:\(ids)", .usage)
        }
        return first
    }

    /// The note's only conflict.
    ///
    /// - Throws: `ExitFailure` if the note has several, or none.
    package func onlyConflict(for option: String) throws(ExitFailure) -> ConflictObject {
        guard note.conflicts.count == 1, let only = note.conflicts.first else {
            throw ExitFailure("\(label) has \(note.conflicts.count) conflicts, but \(option) resolves one; choose:\(ids)", .usage)
        }
        return only
    }

    /// - Parameter dot: the side's dot, possibly shortened.
    package func side(_ dot: String, of conflict: ConflictObject) throws(ExitFailure) -> ConflictSide {
        let known = conflict.sides.map(\.dot)
        let named = Dot(parsing: dot.utf8)
        let found: Dot
        do throws(ExitFailure) {
            if let named, known.contains(named) { found = named } else { found = try VersionReference.dot(dot, among: known) }
        } catch {
            throw noSide(dot, conflict.sides)
        }
        guard let side = conflict.sides.first(where: { $0.dot == found }) else { throw noSide(dot, conflict.sides) }
        return side
    }

    private func noSide(_ dot: String, _ known: [ConflictSide]) -> ExitFailure {
        let sides = ConflictReport.dots(of: known, ShortDots(known.map(\.dot))).joined(separator: " and ")
        return ExitFailure("\(SafeText.quoted(dot)) is not a side of the conflict; its sides are \(sides)", .usage)
    }

    /// The options that select each open conflict, one per line.
    private var ids: String {
        let short = ShortConflicts(note.conflicts)
        let text = note.text ?? []
        let lines = note.conflicts.map { "\n  --conflict \(short.text($0.id))  \(ConflictReport.place($0, in: text))" }
        return lines.isEmpty ? " none" : lines.joined()
    }
}
