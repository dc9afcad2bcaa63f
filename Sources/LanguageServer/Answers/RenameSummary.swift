import Console
import NoteTasks
import NoteText
import NotesClient
import NotesModel

/// The writes of one command of the user, which `notesctl op undo` takes back together.
struct LanguageOperation {
    let client: any NotesAPI
    private let log: OperationLog?

    init(_ client: any NotesAPI) {
        log = OperationLog(command: "lsp")
        self.client = log.map { RecordingClient(client: client, log: $0) } ?? client
    }

    /// A clause that names the command which takes the writes back; empty if none can.
    ///
    /// - Parameter what: the predicate.
    func words(_ what: String = "takes it back") -> String {
        log.map { "; notesctl op undo \($0.operation) \(what)" } ?? ""
    }
}

/// The effect of a rename, in words for the user.
struct RenameSummary {
    /// The number of changed links, and of the notes and documents that have them.
    var links = 0
    var notes = 0
    /// Counts of what failed, each with the words for one and for several.
    var problems: [(count: Int, one: String, several: String)] = []

    mutating func add(_ edits: DocumentEdits) {
        links += edits.count
        notes += edits.documents.count { !$0.edits.isEmpty }
    }

    /// - Parameter operation: nil if only documents are changed, which the editor's undo takes back.
    func sentence(_ operation: LanguageOperation?) -> String {
        let problems = problems.filter { $0.count > 0 }.map { "; \($0.count) \($0.count == 1 ? $0.one : $0.several)" }
        return "\(counted(links, "link")) in \(counted(notes, "note"))\(problems.joined())\(operation?.words() ?? "")"
    }
}

/// The new name of a note, from what the user typed.
enum NewNoteName {
    /// The part of a name that the user renames.
    static func lastPart(of name: ByteString) -> [UInt8] {
        Array(name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).last ?? [])
    }

    /// The name for what the user typed. Without a slash, it is in the folder of the old name; with one, it
    /// begins at the folder of the mirror.
    ///
    /// - Parameter placed: a name at the folder of the mirror, as a name of all notes.
    static func name(
        _ words: [UInt8], of old: ByteString?, _ placed: (ByteString) async -> ByteString
    ) async throws(LanguageFault) -> NoteName {
        var name = ByteString(validUTF8: Array(Headings.trimmed(words[...])))
        name = LinkPath.withoutExtension(name) ?? name
        let slash = UInt8(ascii: "/")
        if name.utf8.contains(slash) {
            name = await placed(ByteString(validUTF8: Array(name.utf8.drop { $0 == slash })))
        } else if let old {
            name = ByteString(validUTF8: old.utf8.dropLast(lastPart(of: old).count) + name.utf8)
        } else {
            name = await placed(name)
        }
        do { return try NoteName(name) } catch {
            throw LanguageFault(.requestFailed, "\(SafeText.quoted(name.description)): \(error)")
        }
    }
}
