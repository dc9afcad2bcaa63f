import Console
import NoteText
import NotesModel
import NotesWire
import StrictJSON

/// Reads requests, and writes what needs only the session.
enum LanguageRequests {
    /// The command that creates a note.
    static let createNote = "notesd.createNote"
    /// The command that resolves a conflict.
    static let resolve = "notesd.resolve"
    /// The command that undoes what an author did in a note.
    static let undo = "notesd.undo"

    /// The question of a request and the document that it is about; nil for an unknown method.
    static func question(
        _ method: String, _ params: JSONValue
    ) throws(LanguageFault) -> (question: LanguageQuestion, uri: String?)? {
        switch method {
        case "textDocument/completion": (.completion(try LanguageParams.position(params)), try LanguageParams.uri(params))
        case "completionItem/resolve": (.completionItem(params), nil)
        case "textDocument/hover": (.hover(try LanguageParams.position(params)), try LanguageParams.uri(params))
        case "textDocument/definition": (.definition(try LanguageParams.position(params)), try LanguageParams.uri(params))
        case "textDocument/references":
            (
                .references(
                    try LanguageParams.position(params),
                    includesDeclaration: params["context"]?["includeDeclaration"]?.bool ?? false),
                try LanguageParams.uri(params)
            )
        case "textDocument/documentLink": (.documentLinks, try LanguageParams.uri(params))
        case "textDocument/documentSymbol": (.documentSymbols, try LanguageParams.uri(params))
        case "workspace/symbol":
            if let query = params["query"]?.utf8 {
                (.workspaceSymbols(query: query), nil)
            } else {
                throw LanguageParams.missing("query")
            }
        case "textDocument/codeAction":
            if let range = params["range"] {
                try codeActions(range, params)
            } else {
                throw LanguageParams.missing("range")
            }
        case "textDocument/prepareRename":
            (.prepareRename(try LanguageParams.position(params)), try LanguageParams.uri(params))
        case "textDocument/rename": try rename(params)
        case "workspace/executeCommand": try command(params)
        default: nil
        }
    }

    private static func codeActions(
        _ range: JSONValue, _ params: JSONValue
    ) throws(LanguageFault) -> (question: LanguageQuestion, uri: String?) {
        let (start, end) = try LanguageParams.range(range)
        return (.codeActions(start: min(start, end), end: max(start, end)), try LanguageParams.uri(params))
    }

    private static func rename(_ params: JSONValue) throws(LanguageFault) -> (question: LanguageQuestion, uri: String?) {
        guard let name = params["newName"]?.utf8 else { throw LanguageParams.missing("newName") }
        return (.rename(try LanguageParams.position(params), to: name), try LanguageParams.uri(params))
    }

    private static func command(_ params: JSONValue) throws(LanguageFault) -> (question: LanguageQuestion, uri: String?) {
        let arguments = params["arguments"]?.elements.map { $0.utf8 } ?? []
        func argument(_ index: Int) throws(LanguageFault) -> [UInt8] {
            guard index < arguments.count, let argument = arguments[index] else { throw LanguageParams.missing("arguments") }
            return argument
        }
        switch params["command"]?.string?.description {
        case createNote: return (.createNote(name: try argument(0)), nil)
        case resolve:
            let side = arguments.count > 2 ? String(decoding: try argument(2), as: UTF8.self) : nil
            let conflict = String(decoding: try argument(1), as: UTF8.self)
            return (.resolve(conflict: conflict, side: side), String(decoding: try argument(0), as: UTF8.self))
        case undo:
            let label = arguments.count > 2 ? ByteString(validUTF8: try argument(2)) : nil
            let author = Author(user: ByteString(validUTF8: try argument(1)), label: label)
            return (.undo(by: author), String(decoding: try argument(0), as: UTF8.self))
        default: throw LanguageFault(.invalidParams, "this server has no such command")
        }
    }

    /// The result of `initialize`.
    static func greeting(_ encoding: PositionEncoding, _ abilities: EditorAbilities) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { result in
            result.name("capabilities")
            result.object { capabilities in
                capabilities.member("positionEncoding", encoding == .utf8 ? "utf-8" : "utf-16")
                capabilities.name("textDocumentSync")
                capabilities.object { sync in
                    sync.member("openClose", true)
                    // Incremental.
                    sync.member("change", 2)
                    sync.member("save", true)
                }
                capabilities.name("completionProvider")
                capabilities.object { completion in
                    completion.name("triggerCharacters")
                    completion.array(of: ["[", "(", "#"]) { $0.string($1) }
                    completion.member("resolveProvider", true)
                }
                capabilities.member("hoverProvider", true)
                capabilities.member("definitionProvider", true)
                capabilities.member("referencesProvider", true)
                capabilities.member("documentSymbolProvider", true)
                capabilities.member("workspaceSymbolProvider", true)
                capabilities.name("renameProvider")
                if abilities.preparesRenames {
                    capabilities.object { $0.member("prepareProvider", true) }
                } else {
                    capabilities.bool(true)
                }
                capabilities.name("documentLinkProvider")
                capabilities.object { $0.member("resolveProvider", false) }
                capabilities.name("codeActionProvider")
                capabilities.object { action in
                    action.name("codeActionKinds")
                    action.array(of: ["quickfix", "source"]) { $0.string($1) }
                }
                capabilities.name("executeCommandProvider")
                capabilities.object { command in
                    command.name("commands")
                    command.array(of: [createNote, resolve, undo]) { $0.string($1) }
                }
            }
            result.name("serverInfo")
            result.object { info in
                info.member("name", "notesctl lsp")
                info.member("version", Program.version)
            }
        }
        return writer.bytes
    }

    /// The notification of the diagnostics of a document.
    static func diagnostics(_ uri: String, version: Int64?, _ json: [UInt8]) -> [UInt8] {
        LanguageLines.notification("textDocument/publishDiagnostics") { params in
            params.member("uri", uri)
            if let version { params.member("version", version) }
            params.member("diagnostics", json: json)
        }
    }
}
