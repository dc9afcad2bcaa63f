import NoteText
import NotesModel
import NotesWire
import StrictJSON

/// An event that a session receives.
enum LanguageEvent: Sendable {
    case input(ContentFramer.Event)
    case inputEnded
    /// The daemon answers.
    case daemonUp
    case daemonAway(reason: String)
    /// Notes have changed.
    case notesChanged
    /// The answer to a request: the value of `result` as JSON, or a fault.
    case answered(LanguageRequestID, Result<[UInt8], LanguageFault>)
    /// The diagnostics of a version of a document, as JSON; nil if they are not known.
    case checked(uri: String, version: Int64?, [UInt8]?)
    /// A sentence for the user.
    case notice(LanguageNotice)
    /// A file that the user wants to see.
    case shown(uri: String)
    /// A deadline has passed.
    case clock
}

/// A sentence for the user.
enum LanguageNotice: Hashable, Sendable {
    /// Shown once, for whichever document comes first.
    case outside(path: String)
    /// Shown once for each folder.
    case mirrorStopped(folder: String)
    /// The record of the mirror cannot be read; shown once for each reason.
    case noRecord(reason: String)
    /// Shown each time.
    case failed(String)
    /// A sentence about the effect of a command of the user, shown each time.
    case done(String)
}

/// An action that a session returns to its driver.
enum LanguageAction: Sendable {
    case send([UInt8])
    /// Connect to the daemon, for an editor of this name.
    case connect(client: String)
    case ask(LanguageRequestID, LanguageQuestion, LanguageScene)
    case cancel(LanguageRequestID)
    /// Find the diagnostics of the document of the scene, and whether it is in a mirrored folder.
    case check(LanguageScene, isNew: Bool)
    case exit(code: Int32)
}

/// A request of the editor.
enum LanguageQuestion: Sendable {
    case completion(TextPlace)
    /// The item with a note's text.
    case completionItem(JSONValue)
    case hover(TextPlace)
    case definition(TextPlace)
    case references(TextPlace, includesDeclaration: Bool)
    case documentLinks
    case documentSymbols
    case workspaceSymbols(query: [UInt8])
    case codeActions(start: TextPlace, end: TextPlace)
    case createNote(name: [UInt8])
    case prepareRename(TextPlace)
    case rename(TextPlace, to: [UInt8])
    /// Resolve a conflict of the document's note: keep the text, or take the side with this dot.
    case resolve(conflict: String, side: String?)
    /// Undo what an author did in the document's note.
    case undo(by: Author)
}

/// The documents and the abilities of the editor at the time of a request.
struct LanguageScene: Sendable {
    /// The document of the request; for a request about all notes one that is in a mirrored folder, or nil.
    let document: OpenDocument?
    let documents: [OpenDocument]
    /// The folder of the editor's workspace; nil if it has none.
    let workspace: String?
    let abilities: EditorAbilities
}

/// What the editor supports.
struct EditorAbilities: Sendable {
    var showsDocuments = false
    var nestsSymbols = false
    var hasActionLiterals = false
    var hoversMarkdown = false
    /// Whether it applies edits only to the version of a document that they are for.
    var versionsEdits = false
    /// Whether it renames files for the server.
    var renamesFiles = false
    var preparesRenames = false

    init() {}

    init(_ capabilities: JSONValue) {
        let text = capabilities["textDocument"]
        let edits = capabilities["workspace"]?["workspaceEdit"]
        let operations = edits?["resourceOperations"]?.elements.compactMap { $0.string?.description } ?? []
        // Operations on files are possible only beside versioned edits, which Neovim 0.7 does not state.
        versionsEdits = edits?["documentChanges"]?.bool ?? false || !operations.isEmpty
        renamesFiles = operations.contains("rename")
        preparesRenames = text?["rename"]?["prepareSupport"]?.bool ?? false
        showsDocuments = capabilities["window"]?["showDocument"]?["support"]?.bool ?? false
        nestsSymbols = text?["documentSymbol"]?["hierarchicalDocumentSymbolSupport"]?.bool ?? false
        hasActionLiterals = text?["codeAction"]?["codeActionLiteralSupport"] != nil
        hoversMarkdown = text?["hover"]?["contentFormat"]?.elements.contains { $0.utf8 == Array("markdown".utf8) } ?? false
    }
}
