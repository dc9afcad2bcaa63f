import Console
import NoteTasks
import NoteText
import NotesClient
import NotesMethods
import NotesModel
import NotesWire
import StrictJSON

/// The text that an editor shows about a note.
extension LanguageAnswers {
    /// Most lines of a note that are shown.
    private static let linesMax = 40
    /// Most bytes of a note that are shown.
    private static let bytesMax = 16 * 1_024

    func hover(at place: TextPlace, _ here: Here) async throws -> [UInt8] {
        guard let client = here.client else { return Self.null }
        switch PlaceSubject(at: here.text.offset(of: place), in: here.text) {
        case .link(let link):
            let extent = LinkExtent.of(
                link, in: here.text.bytes, line: here.text.range(ofLine: here.text.line(of: link.range.lowerBound)))
            let note = link.target.isEmpty ? here.note : try await meanings(of: [link], here).first??.head.id
            guard let note, let card = try await Self.unlessMissing({ try await card(of: note, link.fragment, client) }) else {
                return Self.null
            }
            return hover(card, extent.lowerBound..<extent.upperBound, here)
        case .tag(let tag):
            let page = try await client.call(.listTags(ListTags(prefix: tag, limit: 1)), response: TagsResult.self)
            guard let count = page.tags.first, count.tag == tag else { return Self.null }
            return hover("#\(tag): \(counted(count.notes, "note"))", nil, here)
        case .heading, .nothing: return Self.null
        }
    }

    private func hover(_ text: String, _ range: Range<Int>?, _ here: Here) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { hover in
            hover.name("contents")
            write(text, to: &hover)
            if let range {
                hover.name("range")
                here.text.write(range, to: &hover)
            }
        }
        return writer.bytes
    }

    private func write(_ text: String, to writer: inout JSONWriter) {
        writer.object { content in
            content.member("kind", scene.abilities.hoversMarkdown ? "markdown" : "plaintext")
            content.member("value", text)
        }
    }

    /// The name, tags, number of links, last change and first lines of a note, or of the section that a
    /// fragment means.
    private func card(of id: NoteID, _ fragment: ByteString?, _ client: NotesClient) async throws -> String {
        let note = try await client.note(.id(id))
        let links = try await client.links(to: ListIncomingLinks(id: id, limit: WireProtocol.listLimits.upperBound))
        var facts = [counted(links.links.count, "link") + (links.next == nil ? "" : " or more") + " here"]
        let age = RelativeTime.ago(note.head.modified, now: Clock.now(), local: Clock.local(note.head.modified))
        facts.append("changed \(age) by \(SafeText.line(note.head.author.forPeople))")
        if let file = note.head.file { facts.insert("\(FileType.of(note.head.name)), \(ByteCount.text(file.bytes))", at: 0) }
        if !note.conflicts.isEmpty { facts.append(counted(note.conflicts.count, "conflict")) }
        if !note.head.tags.isEmpty { facts.append(note.head.tags.map { "#\($0)" }.joined(separator: " ")) }
        var text = (note.text ?? [])[...]
        // The description of a file follows its pointer lines.
        if note.head.file != nil { text = FileContent.blanked(Array(text)).drop { $0 == 0x20 || $0 == 0x0A } }
        if let fragment, let range = Sections(Array(text)).range(of: fragment)?.range { text = text[range] }
        return "\(SafeText.line(NoteLabel.of(note.head))) (\(facts.joined(separator: ", ")))\n\n\(Self.beginning(of: text))"
    }

    private static func beginning(of text: ArraySlice<UInt8>) -> String {
        let lines = text.split(separator: UInt8(ascii: "\n"), maxSplits: linesMax, omittingEmptySubsequences: false)
        let kept = Array(lines.prefix(linesMax).joined(separator: [UInt8(ascii: "\n")]))
        var shown = Array(kept.prefix(bytesMax))
        // The cut is between characters.
        if kept.count > shown.count {
            while let last = shown.last, last & 0xC0 == 0x80 { shown.removeLast() }
            if let last = shown.last, last >= 0xC0 { shown.removeLast() }
        }
        let isCut = lines.count > linesMax && !(lines.last?.isEmpty ?? true) || kept.count > bytesMax
        return SafeText.text(String(decoding: shown, as: UTF8.self)) + (isCut ? "\n\n…" : "")
    }

    /// A completion item with what an editor shows about its note.
    func resolved(_ item: JSONValue) async throws -> [UInt8] {
        guard let word = item["data"]?["note"]?.utf8, let id = NoteID(parsing: word[...]), let client = await link.client,
            let card = try await Self.unlessMissing({ try await card(of: id, nil, client) })
        else { return Array(item.source) }
        var writer = JSONWriter()
        writer.object { object in
            for member in item.members where !member.isNamed("documentation") {
                object.name(member.nameUTF8)
                object.raw(member.value.source)
            }
            object.name("documentation")
            write(card, to: &object)
        }
        return writer.bytes
    }
}
