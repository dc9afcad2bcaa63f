import NoteText
import NotesModel
import NotesWire
import StrictJSON

/// A document as the editor has it.
struct OpenDocument: Sendable {
    /// The URI as the editor wrote it.
    let uri: String
    /// The absolute path; nil if the document is no file.
    let path: String?
    var version: Int64?
    var text: PlacedText

    /// Applies the changes of `textDocument/didChange`, each to the result of the one before.
    ///
    /// - Throws: a fault if a change is malformed; the text is unknown then.
    mutating func apply(_ changes: JSONValue) throws(LanguageFault) {
        for change in changes.elements {
            guard let replacement = change["text"]?.utf8 else { throw LanguageParams.missing("text") }
            if let range = change["range"] {
                let (start, end) = try LanguageParams.range(range)
                text = text.replacing(start, end, with: replacement)
            } else {
                text = PlacedText(replacement, text.encoding)
            }
        }
    }
}

/// Reads params.
enum LanguageParams {
    static func missing(_ name: String) -> LanguageFault {
        LanguageFault(.invalidParams, "the member \"\(name)\" is missing or has the wrong type")
    }

    /// The URI of the member `textDocument`.
    static func uri(_ params: JSONValue) throws(LanguageFault) -> String {
        guard let uri = params["textDocument"]?["uri"]?.string?.description else { throw missing("textDocument.uri") }
        return uri
    }

    /// The member `position`.
    static func position(_ params: JSONValue) throws(LanguageFault) -> TextPlace {
        guard let position = params["position"] else { throw missing("position") }
        return try place(position)
    }

    static func range(_ value: JSONValue) throws(LanguageFault) -> (start: TextPlace, end: TextPlace) {
        guard let start = value["start"], let end = value["end"] else { throw missing("range") }
        return (try place(start), try place(end))
    }

    private static func place(_ value: JSONValue) throws(LanguageFault) -> TextPlace {
        guard let line = value["line"]?.integer, let character = value["character"]?.integer,
            (0...numberMax).contains(line), (0...numberMax).contains(character)
        else { throw missing("line or character") }
        return TextPlace(line: Int(line), character: Int(character))
    }

    /// Largest number that the protocol calls a `uinteger`.
    private static let numberMax: Int64 = 2_147_483_647
}
