import NoteTasks
import NoteText
import NotesClient
import NotesModel
import NotesWire
import StrictJSON

/// What a user can do with a link that means nothing.
extension LanguageAnswers {
    func codeActions(_ start: TextPlace, _ end: TextPlace, _ here: Here) async throws -> [UInt8] {
        let (first, last) = (here.text.offset(of: start), here.text.offset(of: end))
        let missing = try await missingLinks(here) ?? []
        var names: [ByteString] = []
        for link in missing {
            let line = here.text.range(ofLine: here.text.line(of: link.range.lowerBound))
            let extent = LinkExtent.of(link, in: here.text.bytes, line: line)
            guard extent.lowerBound <= last, first <= extent.upperBound, let name = await newName(of: link, here) else {
                continue
            }
            if !names.contains(name) { names.append(name) }
        }
        var writer = JSONWriter()
        writer.array(of: names) { writer, name in
            let title = "Create the note \(name)"
            writer.object { action in
                action.member("title", title)
                guard scene.abilities.hasActionLiterals else { return Self.writeCommand(name, to: &action) }
                action.member("kind", "quickfix")
                action.name("command")
                action.object { command in
                    command.member("title", title)
                    Self.writeCommand(name, to: &command)
                }
            }
        }
        return writer.bytes
    }

    private static func writeCommand(_ name: ByteString, to writer: inout JSONWriter) {
        writer.member("command", LanguageRequests.createNote)
        writer.name("arguments")
        writer.array(of: [name]) { $0.string($1) }
    }

    /// The name of the note that a link would mean; nil if no note can have it.
    private func newName(of link: Link, _ here: Here) async -> ByteString? {
        guard link.kind != .id else { return nil }
        var name = LinkTarget(link).listed(in: here.folderOfName)
        name = LinkPath.withoutExtension(name) ?? name
        if LinkPath.isRooted(name) { name = ByteString(validUTF8: Array(name.utf8.dropFirst())) }
        name = await folders.name(name, in: here.place.folder)
        return (try? NoteName(name)).map { _ in name }
    }

    /// Creates a note without text. The result is null.
    func createNote(_ name: [UInt8]) async throws -> [UInt8] {
        guard let client = await link.client else { throw LanguageFault(.requestFailed, "the daemon is away") }
        let name = ByteString(validUTF8: name)
        _ = try await client.begin(text: [], name: name, at: Clock.now())
        return Self.null
    }

    /// The file of a note that was created, as soon as the mirror has written it.
    ///
    /// - Returns: nil if the editor cannot show it, or if the mirror does not write it in time.
    func file(ofNew name: [UInt8]) async -> String? {
        guard scene.abilities.showsDocuments, let client = await link.client, let folder = try? await folder(),
            let note = try? await client.note(.name(ByteString(validUTF8: name))).head
        else { return nil }
        for _ in 0..<Self.looks {
            if await folders.hasFile(of: note, in: folder) {
                return await folders.file(of: note, in: folder).map { uri(ofPath: $0) }
            }
            guard (try? await Task.sleep(for: Self.pause)) != nil else { break }
        }
        return nil
    }

    /// How often to look for a file, and the time between two looks.
    private static let (looks, pause) = (60, Duration.milliseconds(50))
}
