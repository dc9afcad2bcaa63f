import NoteText
import NotesClient
import NotesModel
import NotesWire

/// Finds for each note the shortest target that means it, where the user is typing one.
struct NoteSpelling {
    private let isWiki: Bool
    private let isAngled: Bool
    private let here: LanguageAnswers.Here

    /// How a note is written.
    enum Spelled: Equatable {
        /// The target of the link that was begun.
        case target([UInt8])
        /// Another link in its place, because the begun one cannot mean the note.
        case link([UInt8])
    }

    init(_ context: CompletionContext, _ here: LanguageAnswers.Here) {
        self.here = here
        isWiki = context.kind == .wiki
        isAngled = context.kind == .path(isAngled: true)
    }

    /// The notes that can be written, each with its spelling, in their order.
    func spelled(_ notes: [Head], _ client: NotesClient) async throws -> [(note: Head, spelled: Spelled)] {
        var candidates = notes.map { targets(of: $0) }
        var found: [Int: Spelled] = [:]
        let kind = await client.linkedKind
        while true {
            // One request asks about the best remaining target of each note.
            let asked = notes.indices.compactMap { index in
                found[index] == nil && !candidates[index].isEmpty ? (index: index, written: candidates[index].removeFirst()) : nil
            }
            if asked.isEmpty { break }
            let params = ResolveLinks(targets: asked.map(\.written.target), from: here.note, kind: kind)
            let meanings = try await client.resolveLinks(params).found
            for (asked, meaning) in zip(asked, meanings) where meaning.notes.first?.head.id == notes[asked.index].id {
                found[asked.index] = .target(asked.written.bytes)
            }
        }
        return notes.indices.map { index in
            let note = notes[index]
            return (note, found[index] ?? (isWiki ? .link(Self.idLink(to: note)) : .target(Array("note:\(note.id)".utf8))))
        }
    }

    /// The targets for a note, best first.
    private func targets(of note: Head) -> [LinkSpelling.Written] {
        guard let name = note.name?.bytes else { return [] }
        // The name of a file has its ending already.
        let target = isWiki || note.file != nil ? "x" : "x.md"
        let (sample, rule): (String, LinkRule) =
            isWiki ? ("[[x]]", .tail) : isAngled ? ("[x](<\(target)>)", .relative) : ("[x](\(target))", .relative)
        let text = Array(sample.utf8)
        guard let link = Links.of(text).first else { return [] }
        return LinkSpelling(link, of: text, bodyStart: 0).targets(
            of: rule, isBeforeQuery: false, from: "x", to: name, in: here.folderOfName)
    }

    /// A link that means a note by its id.
    private static func idLink(to note: Head) -> [UInt8] {
        let label = note.title.isEmpty || note.file != nil ? note.name?.bytes.utf8 ?? Array("note".utf8) : note.title.utf8
        let shown = label.flatMap { "[]\\`<*_!".utf8.contains($0) ? [UInt8(ascii: "\\"), $0] : [$0] }
        return [UInt8(ascii: "[")] + shown + Array("](note:\(note.id))".utf8)
    }
}
