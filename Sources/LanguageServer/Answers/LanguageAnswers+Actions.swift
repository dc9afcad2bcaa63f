import Causality
import Console
import NoteTasks
import NoteText
import NotesClient
import NotesModel
import NotesWire
import StrictJSON
import TextMerge

/// Code actions on a link that means nothing, on a conflict, and on what others did in the note.
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
        var actions = try await conflictActions(first, last, here)
        actions += names.map {
            Action(title: "Create the note \($0)", command: LanguageRequests.createNote, arguments: ["\($0)"])
        }
        actions += try await authorActions(here)
        var writer = JSONWriter()
        writer.array(of: actions) { writer, action in
            writer.object { object in
                object.member("title", action.title)
                guard scene.abilities.hasActionLiterals else { return action.writeCommand(to: &object) }
                object.member("kind", action.kind)
                object.name("command")
                object.object { command in
                    command.member("title", action.title)
                    action.writeCommand(to: &command)
                }
            }
        }
        return writer.bytes
    }

    private struct Action {
        let title: String
        let command: String
        let arguments: [String]
        var kind = "quickfix"

        func writeCommand(to writer: inout JSONWriter) {
            writer.member("command", command)
            writer.name("arguments")
            writer.array(of: arguments) { $0.string($1) }
        }
    }

    // MARK: Conflicts

    private func conflictActions(_ first: Int, _ last: Int, _ here: Here) async throws -> [Action] {
        guard let client = here.client, let found = try await conflicts(here, client) else { return [] }
        return found.places.flatMap { conflict, range -> [Action] in
            guard conflict.kind == .text, range.lowerBound <= last, first <= range.upperBound else { return [] }
            let arguments = [here.document.uri, conflict.id.description]
            let names = conflict.sides.map(\.author.forPeople)
            let keep = Action(title: "Keep both", command: LanguageRequests.resolve, arguments: arguments)
            return [keep]
                + conflict.sides.map { side in
                    let name = side.author.forPeople
                    let isOnly = names.count { $0 == name } == 1
                    let title = "Only \(name)'s" + (isOnly ? "" : ": \(ConflictReport.gist(side.content))")
                    return Action(
                        title: SafeText.line(title), command: LanguageRequests.resolve,
                        arguments: arguments + [side.dot.description])
                }
        }
    }

    /// Resolves a conflict at the version that the document shows. The result is null.
    ///
    /// - Parameter side: the dot of the side to take; nil to keep the text as it is.
    func resolve(_ conflict: String, side: String?, _ here: Here) async throws -> [UInt8] {
        let (client, note) = try await shownNote(here, orElse: "the conflict stays")
        let choice = ConflictChoice(note)
        let conflict = try choice.conflict(conflict)
        let resolution: ConflictResolution =
            if let side {
                .taking(try choice.side(side, of: conflict), in: conflict, of: note.text ?? [])
            } else {
                .keeping([conflict])
            }
        let operation = LanguageOperation(client)
        _ = try await resolution.write(over: note.head, operation.client)
        report(.done("\(resolution.sentence(over: note))\(operation.words())"))
        return Self.null
    }

    /// The note of the document, which must show the note's text.
    private func shownNote(_ here: Here, orElse words: String) async throws -> (NotesClient, NoteObject) {
        guard let client = here.client, let id = here.note else { throw LanguageFault(.requestFailed, "the daemon is away") }
        let note = try await client.note(.id(id))
        guard note.text == here.text.bytes else {
            throw LanguageFault(
                .requestFailed, "the document differs from the note, so \(words); save or reload the document first")
        }
        return (client, note)
    }

    // MARK: Authors

    /// Revisions among which the authors are looked for, and most authors that are offered.
    private static let (recentMax, authorsMax) = (50, 5)

    /// Actions that undo what others did in the note, the newest writer first.
    private func authorActions(_ here: Here) async throws -> [Action] {
        guard let client = here.client, let id = here.note,
            let page = try await Self.unlessMissing({ try await client.history(ReadHistory(id: id, limit: Self.recentMax)) })
        else { return [] }
        var authors: [Author] = []
        for write in page.revisions where Self.isChange(write) && !write.isWithdrawn && !authors.contains(write.author) {
            authors.append(write.author)
        }
        return authors.prefix(Self.authorsMax).map { author in
            var arguments = [here.document.uri, author.user.description]
            if let label = author.label { arguments.append(label.description) }
            let title = SafeText.line("Undo what \(author.forPeople) did in this note")
            return Action(title: title, command: LanguageRequests.undo, arguments: arguments, kind: "source")
        }
    }

    /// Whether a revision is somebody's change of a note that exists, and no undo.
    private static func isChange(_ revision: RevisionSummary) -> Bool {
        revision.withdraws.isEmpty && !revision.isPurge && !revision.parents.isNothing
    }

    /// Undoes all that an author changed in the note of the document, but not that the author created it. The result
    /// is null.
    func undo(by author: Author, _ here: Here) async throws -> [UInt8] {
        let (client, note) = try await shownNote(here, orElse: "nothing is undone")
        let revisions = try await Revisions(client, note.head.id).all().filter { $0.author == author && Self.isChange($0) }
        let operation = LanguageOperation(client)
        guard let done = try await TakeBack.undo(Set(revisions.map(\.dot)), in: note.head.id, operation.client) else {
            throw LanguageFault(.requestFailed, "nothing of what \(SafeText.line(author.forPeople)) did here is left to undo")
        }
        let end = done.outcome.outcome == .conflicted ? "; the note is in conflict" : ""
        report(.done("undid what \(SafeText.line(author.forPeople)) did in \(NoteLabel.of(note.head))\(end)\(operation.words())"))
        return Self.null
    }

    // MARK: Notes

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
