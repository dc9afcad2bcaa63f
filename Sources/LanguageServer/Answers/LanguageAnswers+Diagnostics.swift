import Console
import NoteTasks
import NoteText
import NotesClient
import NotesModel
import NotesWire
import StrictJSON
import TextMerge

/// Conflicts and links that mean nothing.
extension LanguageAnswers {
    /// Most diagnostics of a document.
    private static let diagnosticsMax = 500
    /// Most links of a document that are checked.
    private static let checkedLinksMax = 2_000

    private enum Severity: Int {
        case warning = 2
        case information = 3
        case hint = 4
    }

    /// The diagnostics of the document of the scene, as JSON.
    ///
    /// - Returns: nil if they are not known, because the daemon is away or the index is being built.
    func diagnostics(_ here: Here) async throws -> [UInt8]? {
        guard let client = here.client else { return nil }
        guard let (reference, conflicts) = try await conflicts(here, client) else { return nil }
        guard let found = try await foundLinks(here) else { return nil }
        var writer = JSONWriter()
        writer.array { array in
            for (conflict, range) in conflicts.prefix(Self.diagnosticsMax) {
                write(conflict, range, reference, here, to: &array)
            }
            let targets = found.compactMap { link, notes in fault(of: link, notes, here).map { (link.range, $0) } }
            for (range, fault) in targets.prefix(Self.diagnosticsMax) {
                array.object { write(range, fault.severity, fault.code, fault.message, here, to: &$0) }
            }
        }
        return writer.bytes
    }

    /// The conflicts of the document's note with their places in the document, which may differ from the note.
    ///
    /// - Returns: also what commands call the note; nil if the conflicts are not known.
    func conflicts(
        _ here: Here, _ client: NotesClient
    ) async throws -> (reference: String, places: [(conflict: ConflictObject, range: Range<Int>)])? {
        guard let id = here.note else { return ("", []) }
        guard let note = try await Self.unlessMissing({ try await client.note(.id(id)) }) else { return nil }
        let reference = NoteLabel.reference(note.head)
        guard !note.conflicts.isEmpty else { return (reference, []) }
        let map = OffsetMap(from: note.text ?? [], to: here.text.bytes)
        return (
            reference, note.conflicts.map { ($0, $0.kind == .text ? map.range($0.range) : here.text.range(ofLine: 0)) }
        )
    }

    /// The diagnostic of a target that is missing or ambiguous; nil for any other.
    private func fault(
        of link: Link, _ found: ResolvedLinksResult.Found, _ here: Here
    ) -> (severity: Severity, code: String, message: String)? {
        guard let meaning = found.notes.first else {
            return (.information, "missing", "no note has the name, alias or title \(link.target)")
        }
        // A target that is a whole name is certain. The end of a name, an alias and a title can be those of several notes.
        func rule(_ note: NoteObject) -> LinkRule? {
            LinkTarget(link).rule(in: here.folderOfName, findingNoteNamed: note.head.name?.bytes)?.rule
        }
        guard let way = rule(meaning), way >= .tail, link.kind != .id else { return nil }
        let others = found.notes.dropFirst().filter { rule($0) == way }
        guard !others.isEmpty else { return nil }
        let names = others.map { NoteLabel.of($0.head) } + (found.more > 0 ? ["\(found.more) more"] : [])
        return (.hint, "ambiguous", "means \(NoteLabel.of(meaning.head)); it can also mean \(names.joined(separator: ", "))")
    }

    /// The links that mean nothing; nil if that is not known.
    func missingLinks(_ here: Here) async throws -> [Link]? {
        try await foundLinks(here)?.filter { $1.notes.isEmpty }.map(\.0)
    }

    /// The links with the notes that they can mean; nil if these are not known.
    private func foundLinks(_ here: Here) async throws -> [(Link, ResolvedLinksResult.Found)]? {
        guard let client = here.client else { return nil }
        let links = Links.of(here.text.bytes).filter { !$0.target.isEmpty }.prefix(Self.checkedLinksMax)
        let kind = await client.linkedKind
        var all: [(Link, ResolvedLinksResult.Found)] = []
        var rest = links[...]
        while !rest.isEmpty {
            let part = rest.prefix(WireProtocol.resolvedTargetsMax)
            rest = rest.dropFirst(part.count)
            do {
                let params = ResolveLinks(targets: part.map(LinkTarget.init), from: here.note, kind: kind)
                let found = try await client.resolveLinks(params).found
                // A picture may be in the folder only.
                all += zip(part, found).filter { !$1.notes.isEmpty || !Attachments.isAttachment($0.target) }
            } catch ClientError.refused(let error) where error.kind == .overloaded {
                return nil
            }
        }
        return all
    }

    private func write(
        _ range: Range<Int>, _ severity: Severity, _ code: String, _ message: String, _ here: Here, to object: inout JSONWriter
    ) {
        object.name("range")
        here.text.write(range, to: &object)
        object.member("severity", severity.rawValue)
        object.member("code", code)
        object.member("source", "notesd")
        object.member("message", SafeText.line(message))
    }

    private func write(
        _ conflict: ConflictObject, _ range: Range<Int>, _ reference: String, _ here: Here, to writer: inout JSONWriter
    ) {
        let writers = conflict.sides.map(\.author.forPeople).uniqued.joined(separator: " and ")
        let what =
            switch conflict.kind {
            case .text: "these lines"
            case .name: "the name"
            case .deletion: "the note, which one of them deleted"
            }
        let message =
            "\(writers) changed \(what) at once; edit the text and save, then `notesctl resolve \(reference)`"
        writer.object { object in
            write(range, .warning, "conflict", message, here, to: &object)
            object.name("relatedInformation")
            object.array(of: conflict.sides) { writer, side in
                writer.object { related in
                    related.name("location")
                    related.object { location in
                        location.member("uri", here.document.uri)
                        location.name("range")
                        here.text.write(range, to: &location)
                    }
                    related.member("message", SafeText.line("\(side.author.forPeople): \(ConflictReport.gist(side.content))"))
                }
            }
        }
    }
}
