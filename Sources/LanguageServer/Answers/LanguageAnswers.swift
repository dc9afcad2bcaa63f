import Causality
import Console
import NoteTasks
import NoteText
import NotesClient
import NotesModel
import NotesWire
import StrictJSON

/// Answers one request from the open documents and the daemon.
struct LanguageAnswers: Sendable {
    let link: DaemonLink
    let folders: MirroredFolders
    let scene: LanguageScene
    /// Tells the user something.
    var report: @Sendable (LanguageNotice) -> Void = { _ in }

    /// The document of the request with its place and note.
    struct Here: Sendable {
        let document: OpenDocument
        let place: DocumentPlace
        /// Nil while the daemon is away.
        let client: NotesClient?
        /// The document's note; nil if it has none yet, or if the daemon is away and the mirror has not seen the file.
        let note: NoteID?

        var text: PlacedText { document.text }
        /// The name of the note, by the path of its file.
        var name: ByteString? { place.name }
        /// The folder of the note's name.
        var folderOfName: ByteString { place.name.map { LinkPath.folder(of: $0) } ?? ByteString(validUTF8: []) }
    }

    /// The value of `result`, as JSON.
    func answer(_ question: LanguageQuestion) async throws(LanguageFault) -> [UInt8] {
        do {
            return try await result(of: question)
        } catch let fault as LanguageFault {
            throw fault
        } catch is CancellationError {
            throw .cancelled
        } catch ClientError.refused(let error) {
            throw LanguageFault(.requestFailed, error.message)
        } catch {
            throw LanguageFault(.requestFailed, (error as? ExitFailure)?.message ?? "\(error)")
        }
    }

    private func result(of question: LanguageQuestion) async throws -> [UInt8] {
        switch question {
        case .workspaceSymbols(let query): return try await workspaceSymbols(query)
        case .completionItem(let item): return try await resolved(item)
        case .createNote(let name): return try await createNote(name)
        default: break
        }
        guard let document = scene.document, let here = try await here(document) else { return Self.null }
        switch question {
        case .completion(let place): return try await completion(at: place, here)
        case .hover(let place): return try await hover(at: place, here)
        case .definition(let place): return try await definition(at: place, here)
        case .references(let place, let includesDeclaration):
            return try await references(at: place, includesDeclaration: includesDeclaration, here)
        case .documentLinks: return try await documentLinks(here)
        case .documentSymbols: return documentSymbols(here)
        case .prepareRename(let place): return try await prepareRename(at: place, here)
        case .rename(let place, let words): return try await rename(at: place, to: words, here)
        case .resolve(let conflict, let side): return try await resolve(conflict, side: side, here)
        case .undo(let author): return try await undo(by: author, here)
        case .codeActions(let start, let end): return try await codeActions(start, end, here)
        case .workspaceSymbols, .completionItem, .createNote: return Self.null
        }
    }

    static let null = Array("null".utf8)

    /// The place and the note of a document; nil if it is in no mirrored folder.
    func here(_ document: OpenDocument) async throws -> Here? {
        guard let path = document.path, let place = try await folders.place(of: path) else { return nil }
        let client = await link.client
        var note = place.note
        if note == nil, let client, let name = place.name {
            note = try await Self.unlessMissing { try await client.note(.name(name)).head.id }
        }
        return Here(document: document, place: place, client: client, note: note)
    }

    /// The result of a call; nil if the note does not exist, or if the connection was lost meanwhile.
    static func unlessMissing<Value>(_ call: () async throws -> Value) async throws -> Value? {
        do {
            return try await call()
        } catch ClientError.refused(let error) where error.kind == .noteNotFound || error.kind == .invalidName {
            return nil
        } catch let error as ClientError {
            if case .refused = error { throw error }
            return nil
        }
    }

    // MARK: Meanings and files

    /// The notes that links of a document mean, in their order; nil for those that mean none. Without the
    /// daemon, none is known.
    func meanings(of links: some Collection<Link>, _ here: Here) async throws -> [NoteObject?] {
        guard let client = here.client, !links.isEmpty else { return links.map { _ in nil } }
        let kind = await client.linkedKind
        var found: [NoteObject?] = []
        var rest = Array(links)[...]
        while !rest.isEmpty {
            let part = rest.prefix(WireProtocol.resolvedTargetsMax)
            rest = rest.dropFirst(part.count)
            let answer = try await Self.unlessMissing {
                try await client.resolveLinks(ResolveLinks(targets: part.map(LinkTarget.init), from: here.note, kind: kind)).found
            }
            guard let answer else { return links.map { _ in nil } }
            found += answer.map(\.notes.first)
        }
        return found
    }

    /// The document in which a note is open.
    func document(at path: [UInt8]) -> OpenDocument? {
        scene.documents.first { $0.path.map { Array($0.utf8) == path } ?? false }
    }

    /// The URI of a path, as the editor writes it if the document is open.
    func uri(ofPath path: [UInt8]) -> String { document(at: path)?.uri ?? FileURI.text(ofPath: path) }

    /// The text of a note: that of its open document, else that of the daemon.
    func text(of note: Head, at path: [UInt8], at version: Version? = nil, _ client: NotesClient) async throws -> PlacedText {
        if let open = document(at: path) { return open.text }
        let text = try await client.note(.id(note.id), at: version).text ?? []
        return PlacedText(text, here: scene)
    }
}

extension PlacedText {
    /// A text in the unit of the editor.
    init(_ bytes: [UInt8], here scene: LanguageScene) {
        self.init(bytes, scene.documents.first?.text.encoding ?? .utf16)
    }

    /// Writes a range of bytes.
    func write(_ range: Range<Int>, to writer: inout JSONWriter) {
        writer.object { object in
            object.name("start")
            Self.write(place(of: range.lowerBound), to: &object)
            object.name("end")
            Self.write(place(of: range.upperBound), to: &object)
        }
    }

    private static func write(_ place: TextPlace, to writer: inout JSONWriter) {
        writer.object { object in
            object.member("line", place.line)
            object.member("character", place.character)
        }
    }
}

extension Optional {
    /// The result of a function of the value; nil without a value.
    func flatMapAsync<Result>(_ body: (Wrapped) async throws -> Result?) async rethrows -> Result? {
        guard let self else { return nil }
        return try await body(self)
    }
}
