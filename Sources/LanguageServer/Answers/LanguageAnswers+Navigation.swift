import NoteTasks
import NoteText
import NotesClient
import NotesModel
import NotesWire
import StrictJSON

/// A place in a file.
private struct Location: Sendable {
    let path: [UInt8]
    let text: PlacedText
    let range: Range<Int>
}

/// Definitions, links and references.
extension LanguageAnswers {
    /// Most references of one response.
    private static let referencesMax = 1_000
    /// Most links of a document that one request resolves.
    private static let linksMax = 1_000

    // MARK: Definitions

    func definition(at place: TextPlace, _ here: Here) async throws -> [UInt8] {
        guard case .link(let link) = PlaceSubject(at: here.text.offset(of: place), in: here.text),
            let location = try await location(of: link, here)
        else { return Self.null }
        var writer = JSONWriter()
        write(location, to: &writer)
        return writer.bytes
    }

    /// The place that a link means; nil if it means no note of the folder.
    private func location(of link: Link, _ here: Here) async throws -> Location? {
        guard !link.target.isEmpty else {
            guard let range = link.fragment.flatMap({ Sections(here.text.bytes).range(of: $0) }), let path = here.document.path
            else { return nil }
            return Location(path: Array(path.utf8), text: here.text, range: range.line)
        }
        guard let client = here.client, let note = try await meanings(of: [link], here).first ?? nil,
            let path = await folders.file(of: note.head, in: here.place.folder)
        else { return nil }
        guard let fragment = link.fragment, !fragment.isEmpty, note.head.file == nil else {
            return Location(path: path, text: PlacedText([], here: scene), range: 0..<0)
        }
        let text = try await text(of: note.head, at: path, client)
        return Location(path: path, text: text, range: Sections(text.bytes).range(of: fragment)?.line ?? 0..<0)
    }

    private func write(_ location: Location, to writer: inout JSONWriter) {
        writer.object { object in
            object.member("uri", uri(ofPath: location.path))
            object.name("range")
            location.text.write(location.range, to: &object)
        }
    }

    func documentLinks(_ here: Here) async throws -> [UInt8] {
        let links = Links.of(here.text.bytes).filter { !$0.target.isEmpty }.prefix(Self.linksMax)
        let meanings = try await meanings(of: links, here)
        var found: [(range: Range<Int>, uri: String, name: String)] = []
        for (link, meaning) in zip(links, meanings) {
            guard let meaning, let path = await folders.file(of: meaning.head, in: here.place.folder) else { continue }
            found.append((link.range, uri(ofPath: path), NoteLabel.of(meaning.head)))
        }
        var writer = JSONWriter()
        writer.array(of: found) { writer, link in
            writer.object { object in
                object.name("range")
                here.text.write(link.range, to: &object)
                object.member("target", link.uri)
                object.member("tooltip", link.name)
            }
        }
        return writer.bytes
    }

    // MARK: References

    func references(at place: TextPlace, includesDeclaration: Bool, _ here: Here) async throws -> [UInt8] {
        guard let client = here.client else { return Self.null }
        var locations: [Location] = []
        switch PlaceSubject(at: here.text.offset(of: place), in: here.text) {
        case .tag(let tag):
            let filter = Filter(tag: tag)
            let notes = try await client.list(
                ListNotes(filter: filter, limit: Self.referencesMax, place: ListPlace(startOf: .newest))
            ).notes
            for note in notes {
                guard let path = await folders.file(of: note.head, in: here.place.folder) else { continue }
                locations.append(Location(path: path, text: PlacedText([], here: scene), range: 0..<0))
            }
        case .link(let link) where !link.target.isEmpty:
            guard let note = try await meanings(of: [link], here).first ?? nil else { return Self.null }
            if includesDeclaration, let own = try await location(of: link, here) { locations.append(own) }
            locations += try await references(to: note.head.id, fragment: nil, here, client)
        case .heading(let section):
            guard let note = here.note else { return Self.null }
            locations += try await references(to: note, fragment: section, here, client)
        case .link, .nothing:
            guard let note = here.note else { return Self.null }
            locations += try await references(to: note, fragment: nil, here, client)
        }
        var writer = JSONWriter()
        writer.array(of: Array(locations.prefix(Self.referencesMax))) { write($1, to: &$0) }
        return writer.bytes
    }

    /// The links that mean a note, or a section of this document.
    private func references(
        to note: NoteID, fragment section: Sections.Section?, _ here: Here, _ client: NotesClient
    ) async throws -> [Location] {
        let isWanted = { (fragment: ByteString?) in
            guard let section else { return true }
            return fragment.flatMap { Sections(here.text.bytes).range(of: $0) }?.line == section.line
        }
        var locations: [Location] = []
        // Open documents, as the user sees them.
        for document in scene.documents {
            guard let there = try await self.here(document), there.place.folder == here.place.folder, let path = document.path
            else { continue }
            let links = Links.of(document.text.bytes).prefix(Self.linksMax)
            let meanings = try await meanings(of: links.filter { !$0.target.isEmpty }, there)
            var next = meanings.makeIterator()
            for link in links {
                let meaning = link.target.isEmpty ? there.note : (next.next() ?? nil)?.head.id
                guard meaning == note, isWanted(link.fragment), there.note != note || section != nil else { continue }
                locations.append(Location(path: Array(path.utf8), text: document.text, range: link.range))
            }
        }
        // All others, as the daemon has them.
        var params = ListIncomingLinks(id: note, limit: Self.referencesMax)
        var links: [IncomingLinksResult.Link] = []
        repeat {
            let page = try await client.links(to: params)
            links += page.links.filter { isWanted($0.fragment) }
            params.after = page.next
        } while params.after != nil && links.count < Self.referencesMax
        return locations + (try await closed(links, here, client))
    }

    /// The places of links in notes that are not open.
    private func closed(
        _ links: [IncomingLinksResult.Link], _ here: Here, _ client: NotesClient
    ) async throws -> [Location] {
        var paths: [NoteID: [UInt8]] = [:]
        var heads: [Head] = []
        for head in links.map(\.note.head) where paths[head.id] == nil && head.file == nil {
            guard let path = await folders.file(of: head, in: here.place.folder), document(at: path) == nil else { continue }
            paths[head.id] = path
            heads.append(head)
        }
        var texts: [NoteID: PlacedText] = [:]
        let scene = scene
        try await BoundedTaskGroup.run(heads) { head in
            try await Self.unlessMissing { try await client.note(.id(head.id), at: head.version).text }
        } finished: { head, text in
            texts[head.id] = PlacedText(text.flatMap { $0 } ?? [], here: scene)
        }
        return links.compactMap { link in
            guard let path = paths[link.note.head.id], let text = texts[link.note.head.id],
                link.range.upperBound <= text.bytes.count
            else { return nil }
            return Location(path: path, text: text, range: link.range)
        }
    }
}
