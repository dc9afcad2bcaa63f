import Console
import NoteText
import NotesClient
import NotesMethods
import NotesModel
import NotesWire
import StrictJSON

/// Completion.
extension LanguageAnswers {
    /// Most notes that one list offers. A list that may lack some is marked as incomplete.
    private static let notesMax = 50
    /// Most tags of one list.
    private static let tagsMax = 100

    func completion(at place: TextPlace, _ here: Here) async throws -> [UInt8] {
        let offset = here.text.offset(of: place)
        guard let context = CompletionContext(at: offset, in: here.text) else { return Self.null }
        let typed = Array(here.text.bytes[context.range])
        switch context.kind {
        case .wiki, .path: return try await nameList(context, typed, here)
        case .tag: return try await tagList(context, typed, here)
        case .heading(let target, let isWiki): return try await headingList(of: target, isWiki: isWiki, context, here)
        }
    }

    /// Writes a list.
    private static func list(_ items: [CompletionItem], isIncomplete: Bool, _ here: Here) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { list in
            list.member("isIncomplete", isIncomplete)
            list.name("items")
            list.array(of: Array(items.enumerated())) { $1.element.write(number: $1.offset, in: here.text, to: &$0) }
        }
        return writer.bytes
    }

    // MARK: Tags

    private func tagList(_ context: CompletionContext, _ typed: [UInt8], _ here: Here) async throws -> [UInt8] {
        let prefix = Tags.lowercased(ByteString(validUTF8: typed))
        let known = try await here.client.flatMapAsync { client in
            try await Self.unlessMissing {
                try await client.call(.listTags(ListTags(prefix: prefix, limit: Self.tagsMax)), response: TagsResult.self)
            }
        }
        var items = (known?.tags ?? []).map { count in
            CompletionItem(label: count.tag, detail: counted(count.notes, "note"), kind: .keyword, range: context.range)
        }
        let listed = Set(items.map(\.label))
        // The tags of open documents that are not saved yet, without the word that is being typed.
        for document in scene.documents {
            var text = document.text.bytes
            if document.uri == here.document.uri { text.removeSubrange(context.start..<context.range.upperBound) }
            for tag in Tags.of(text)
            where tag.hasPrefix(prefix) && !listed.contains(tag) && !items.contains(where: { $0.label == tag }) {
                items.append(CompletionItem(label: tag, detail: "in an open document", kind: .keyword, range: context.range))
            }
        }
        return Self.list(items, isIncomplete: known == nil || known?.next != nil, here)
    }

    // MARK: Headings

    private func headingList(
        of target: ByteString, isWiki: Bool, _ context: CompletionContext, _ here: Here
    ) async throws -> [UInt8] {
        var text = here.text.bytes
        if !target.isEmpty {
            guard let client = here.client else { return Self.list([], isIncomplete: true, here) }
            let link = Self.link(to: target, isWiki: isWiki)
            guard let note = try await meanings(of: [link], here).first ?? nil else {
                return Self.list([], isIncomplete: false, here)
            }
            let path = await folders.file(of: note.head, in: here.place.folder)
            text = try await self.text(of: note.head, at: path ?? [], client).bytes
        }
        let items = Sections(text).all.map { section in
            let fragment = isWiki ? LinkFragment.wiki(section.title) : LinkFragment.path(section.title)
            return CompletionItem(
                label: ByteString(validUTF8: section.title), detail: String(repeating: "#", count: section.level),
                kind: .reference,
                range: context.range, text: Array((fragment + context.closing).utf8))
        }
        return Self.list(items, isIncomplete: false, here)
    }

    /// A link with a target as it is being typed.
    private static func link(to target: ByteString, isWiki: Bool) -> Link {
        let around: (String, String) = isWiki ? ("[[", "]]") : ("[x](<", ">)")
        let read = Links.of(Array(around.0.utf8) + target.utf8 + Array(around.1.utf8)).first
        return read ?? Link(kind: isWiki ? .wiki : .path, range: 0..<0, target: target)
    }

    // MARK: Names

    private func nameList(_ context: CompletionContext, _ typed: [UInt8], _ here: Here) async throws -> [UInt8] {
        guard let client = here.client,
            let (notes, isCut) = try await Self.unlessMissing({ try await shown(context, typed, here, client) })
        else {
            return Self.list(openNames(context, here), isIncomplete: true, here)
        }
        let own = here.note
        let spelled = try await NoteSpelling(context, here).spelled(notes.filter { $0.id != own }, client)
        var items = spelled.map { note, written in
            CompletionItem(note, written, context, here.text.bytes)
        }
        if case .wiki = context.kind {
            let words = String(decoding: typed, as: UTF8.self).lowercased()
            let missing = try await Self.unlessMissing { try await link.missingTargets(client) } ?? []
            for target in missing where target.kind == .wiki || target.kind == .embed {
                let shown = target.target.description
                // A lost picture cannot become a note.
                guard !Attachments.isAttachment(target.target) else { continue }
                guard words.isEmpty || shown.lowercased().contains(words), !items.contains(where: { $0.label == target.target }),
                    shown != String(decoding: typed, as: UTF8.self)
                else { continue }
                items.append(
                    CompletionItem(
                        label: target.target, detail: "no note yet, \(counted(target.links, "link"))", kind: .reference,
                        range: context.range, text: target.target.utf8 + Array(context.closing.utf8)))
            }
        }
        return Self.list(items, isIncomplete: isCut || !typed.isEmpty, here)
    }

    /// The notes that fit what was typed, and whether there may be more. An image shows files, an embed both kinds.
    private func shown(
        _ context: CompletionContext, _ typed: [UInt8], _ here: Here, _ client: NotesClient
    ) async throws -> (notes: [Head], isCut: Bool) {
        guard context.isShowing(in: here.text.bytes), await client.linkedKind == nil else {
            return try await found(typed, .text, client)
        }
        let files = try await found(typed, .file, client)
        guard case .wiki = context.kind else { return files }
        let texts = try await found(typed, .text, client)
        return (files.notes + texts.notes, files.isCut || texts.isCut)
    }

    /// The notes of a kind that fit what was typed, and whether there may be more.
    private func found(
        _ typed: [UInt8], _ kind: NoteKind, _ client: NotesClient
    ) async throws -> (notes: [Head], isCut: Bool) {
        let text = String(decoding: typed, as: UTF8.self)
        let words = text.split { !$0.isLetter && !$0.isNumber && !$0.isSymbol }.map(String.init)
        // The search refuses a single letter that may go on.
        guard let last = words.last, last.count >= 2, let query = Self.query(words, field: "name:") else {
            return (try await newest(kind, client, having: words), true)
        }
        do {
            let page = try await client.search(SearchNotes(query: query, kind: kind, limit: Self.notesMax))
            var notes = page.hits.map(\.note.head)
            if kind == .text, notes.count < Self.notesMax, let anywhere = Self.query(words, field: "") {
                // Titles are targets, too.
                let hits = try await client.search(SearchNotes(query: anywhere, limit: Self.notesMax)).hits
                let known = Set(notes.map(\.id))
                notes += hits.map(\.note.head).filter { head in
                    let title = head.title.description.lowercased()
                    return !known.contains(head.id) && words.allSatisfy { title.contains($0.lowercased()) }
                }
            }
            return (Array(notes.prefix(Self.notesMax)), true)
        } catch ClientError.refused(let error) where error.kind == .overloaded {
            // The index is being built.
            return (try await newest(kind, client, having: words), true)
        }
    }

    private func newest(_ kind: NoteKind, _ client: NotesClient, having words: [String]) async throws -> [Head] {
        let limit = words.isEmpty ? Self.notesMax : WireProtocol.listLimits.upperBound
        let page = try await client.list(
            ListNotes(filter: Filter(kind: kind), limit: limit, place: ListPlace(startOf: .newest)))
        let fitting = page.notes.map(\.head).filter { head in
            let label = "\(head.name?.description ?? "") \(head.file == nil ? head.title : "")".lowercased()
            return words.allSatisfy { label.contains($0.lowercased()) }
        }
        return Array(fitting.prefix(Self.notesMax))
    }

    /// A query for all words, the last of which may go on; nil if they make no query.
    private static func query(_ words: [String], field: String) -> SearchQuery? {
        let terms = words.map { "\(field)\"\($0)\"" }.joined(separator: " ") + "*"
        return try? SearchQuery(parsing: ByteString(terms))
    }

    /// Without the daemon: the open documents.
    private func openNames(_ context: CompletionContext, _ here: Here) -> [CompletionItem] {
        guard context.kind == .wiki else { return [] }
        let root = here.place.folder.root + [UInt8(ascii: "/")]
        return scene.documents.filter { $0.uri != here.document.uri }.compactMap { document in
            guard let path = document.path.map({ Array($0.utf8) }), path.starts(with: root),
                let name = LinkPath.withoutExtension(ByteString(validUTF8: Array(path.dropFirst(root.count))))
            else { return nil }
            return CompletionItem(
                label: name, detail: "open", kind: .file, range: context.range, text: name.utf8 + Array(context.closing.utf8))
        }
    }
}
