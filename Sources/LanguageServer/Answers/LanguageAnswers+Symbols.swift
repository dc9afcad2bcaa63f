import NoteTasks
import NoteText
import NotesClient
import NotesModel
import NotesWire
import StrictJSON

/// Headings of a document, and notes as symbols.
extension LanguageAnswers {
    /// Most notes of one search.
    private static let symbolsMax = 100
    /// The kind "string", which editors show for headings of Markdown.
    private static let headingKind = 15
    /// The kind "file".
    private static let noteKind = 1

    func documentSymbols(_ here: Here) -> [UInt8] {
        var writer = JSONWriter()
        let sections = Sections(here.text.bytes).all[...]
        if scene.abilities.nestsSymbols {
            write(sections, here.text, to: &writer)
        } else {
            writer.array(of: Array(sections)) { writer, section in
                writer.object { symbol in
                    Self.writeName(of: section, to: &symbol)
                    symbol.name("location")
                    symbol.object { location in
                        location.member("uri", here.document.uri)
                        location.name("range")
                        here.text.write(section.range, to: &location)
                    }
                }
            }
        }
        return writer.bytes
    }

    /// Writes sections, each with those in it.
    private func write(_ sections: ArraySlice<Sections.Section>, _ text: PlacedText, to writer: inout JSONWriter) {
        writer.array { array in
            var rest = sections
            while let section = rest.popFirst() {
                let inner = rest.prefix { section.range.contains($0.line.lowerBound) }
                rest = rest.dropFirst(inner.count)
                array.object { symbol in
                    Self.writeName(of: section, to: &symbol)
                    symbol.name("range")
                    text.write(section.range, to: &symbol)
                    symbol.name("selectionRange")
                    text.write(section.line, to: &symbol)
                    symbol.name("children")
                    write(inner, text, to: &symbol)
                }
            }
        }
    }

    private static func writeName(of section: Sections.Section, to writer: inout JSONWriter) {
        // Editors refuse an empty name.
        writer.member("name", text: section.title.isEmpty ? Array("#".utf8) : section.title)
        writer.member("kind", headingKind)
    }

    func workspaceSymbols(_ query: [UInt8]) async throws -> [UInt8] {
        guard let client = await link.client, let folder = try await folder() else { return Self.null }
        let words = String(decoding: Headings.trimmed(query[...]), as: UTF8.self)
        var found: [(head: Head, snippet: [UInt8])] = []
        if words.isEmpty {
            let page = try await client.list(ListNotes(limit: Self.symbolsMax, place: ListPlace(startOf: .newest)))
            found = page.notes.map { ($0.head, []) }
        } else {
            // The editor asks while the user types, so the last word may go on. What is no query is words.
            let parsed = try? SearchQuery(
                parsing: ByteString(words + (words.last.map { $0.isLetter || $0.isNumber } ?? false ? "*" : "")))
            let plain = words.split { !$0.isLetter && !$0.isNumber }.map { "\"\($0)\"" }.joined(separator: " ")
            guard let query = try parsed ?? (plain.isEmpty ? nil : SearchQuery(parsing: ByteString(plain))) else {
                return Self.null
            }
            found = try await client.search(SearchNotes(query: query, limit: Self.symbolsMax)).hits.map {
                ($0.note.head, $0.snippet)
            }
        }
        var symbols: [(head: Head, snippet: [UInt8], path: [UInt8])] = []
        for (head, snippet) in found {
            guard let path = await folders.file(of: head, in: folder) else { continue }
            symbols.append((head, snippet, path))
        }
        let start = PlacedText([], here: scene)
        var writer = JSONWriter()
        writer.array(of: symbols) { writer, found in
            writer.object { symbol in
                symbol.member("name", found.head.title.isEmpty ? ByteString(NoteLabel.of(found.head)) : found.head.title)
                symbol.member("kind", Self.noteKind)
                symbol.member("containerName", text: found.snippet.isEmpty ? found.head.name?.bytes.utf8 ?? [] : found.snippet)
                symbol.name("location")
                symbol.object { location in
                    location.member("uri", uri(ofPath: found.path))
                    location.name("range")
                    start.write(0..<0, to: &location)
                }
            }
        }
        return writer.bytes
    }

    /// The mirrored folder of the session: that of an open document, else that of the editor's workspace.
    func folder() async throws -> MirroredFolder? {
        for path in scene.documents.compactMap(\.path) {
            if let place = try await folders.place(of: path) { return place.folder }
        }
        // A file of any name in the folder of the workspace.
        return try await scene.workspace.flatMapAsync { try await folders.place(of: $0 + "/.md")?.folder }
    }
}
