package import Causality
import Console
package import NoteText
package import NotesClient
package import NotesModel
package import NotesWire
import Suggestions

/// A note as the user names it on the command line: a full id, a name, or the beginning or the end of
/// an id, tried in this order.
package struct NoteReference {
    let text: String

    package init(_ text: String) {
        self.text = text
    }

    /// Fewest hexadecimal digits that are tried as the beginning of an id.
    static let prefixBytesMin = 4
    /// Most candidates that the message lists if a part of an id is not unique.
    private static let candidatesMax = 10

    /// Most deleted notes among which one is looked for by its last name.
    private static let deletedMax = 1_000

    /// Fetches the note with its text.
    ///
    /// - Parameter deleted: whether to return a tombstone too. A deleted note is found by its id, or
    ///   by the name that it had last if no other note has that name.
    /// - Throws: `ExitFailure` if no note matches, several do, or the note is deleted and `deleted`
    ///   is false.
    package func note(_ client: any NotesAPI, deleted: Bool = false) async throws -> NoteObject {
        guard let note = try await found(client, deleted: deleted)?.note else { throw try await notFound(client) }
        if note.head.isDeleted && !deleted { throw isDeleted }
        return note
    }

    /// Fetches the note with its text, for a command that otherwise creates it. Does not look for
    /// deleted notes and similar names, which a message would mention.
    ///
    /// - Returns: nil if no note matches, or if the note is deleted.
    /// - Throws: `ExitFailure` if several notes match.
    package func noteIfAny(_ client: any NotesAPI) async throws -> NoteObject? {
        guard let note = try await found(client, deleted: false)?.note, !note.head.isDeleted else { return nil }
        return note
    }

    private var isDeleted: ExitFailure {
        let typed = text.hasPrefix("-") ? "-- \(Shell.quoted(text))" : Shell.quoted(text)
        return ExitFailure("\(described) is deleted; \(SafeText.quoted("notesctl undo \(typed)")) brings it back", .noNote)
    }

    /// Fetches a note to write it, deleted or not.
    ///
    /// - Returns: the note, and its last name if the text is that and the note is deleted.
    package func noteToRestore(_ client: any NotesAPI) async throws -> (note: NoteObject, lastName: ByteString?) {
        guard let found = try await found(client, deleted: true) else { throw try await notFound(client) }
        return found
    }

    /// Returns nil if no note matches.
    private func found(_ client: any NotesAPI, deleted: Bool) async throws -> (note: NoteObject, lastName: ByteString?)? {
        if let id = NoteID(parsing: text.utf8), let note = try await get(.id(id), client) { return (note, nil) }
        let name = ByteString(text)
        if (try? NoteName(name)) != nil {
            if let note = try await get(.name(name), client) { return (note, nil) }
            if deleted, let note = try await deletedNote(lastNamed: name, client) { return (note, name) }
        }
        guard let id = try await idByPart(client, deleted: deleted), let note = try await get(.id(id), client) else { return nil }
        return (note, nil)
    }

    /// Returns nil if there is no such note.
    private func get(_ subject: GetNote.Key, _ client: any NotesAPI) async throws -> NoteObject? {
        do {
            return try await client.note(subject)
        } catch ClientError.refused(let error) where error.kind == .noteNotFound {
            return nil
        }
    }

    /// The note deleted last among those that had the name when they were deleted; nil if there is
    /// none. A tombstone has no name, so the name is read from the revision before it.
    package func deletedNote(lastNamed name: ByteString, _ client: any NotesAPI) async throws -> NoteObject? {
        var deleted: [NoteObject] = []
        try await client.eachPage(Filter(deleted: true), order: .newest) { page in
            deleted += page
            return deleted.count < Self.deletedMax
        }
        for note in deleted.prefix(Self.deletedMax) {
            let last = try await DeletedNotes.lastRevision(of: note.head.id, client)
            if last?.name?.bytes == name { return try await get(.id(note.head.id), client) }
        }
        return nil
    }

    /// Returns nil if no id has the text as its beginning or its end.
    private func idByPart(_ client: any NotesAPI, deleted: Bool) async throws -> NoteID? {
        let (isBeginning, isEnd) = (Self.isPrefix(text), Self.isEnd(text))
        guard isBeginning || isEnd else { return nil }
        var notes = try await client.listAll()
        if deleted { notes += try await client.listAll(Filter(deleted: true)) }
        let found = notes.filter { note in
            let id = note.head.id.description
            return isBeginning && id.hasPrefix(text) || isEnd && id.hasSuffix(text)
        }
        guard let first = found.first else { return nil }
        guard found.count == 1 else {
            let lines = found.prefix(Self.candidatesMax).map { note in
                "\n  \(note.head.id)  \(SafeText.line(NoteLabel.of(note.head)))"
            }
            let more = found.count > Self.candidatesMax ? "\n  … and \(found.count - Self.candidatesMax) more" : ""
            throw ExitFailure("\(described) matches \(found.count) note ids; give more digits:\(lines.joined())\(more)", .usage)
        }
        return first.head.id
    }

    /// Whether the text can be the beginning of an id. An id is a UUID of version 7 and begins with the milliseconds since
    /// 1970, whose first hexadecimal digit is 0 until the year 2527. A mistyped name such as `cafe` is therefore not looked up
    /// as an id, which would list all notes.
    package static func isPrefix(_ text: String) -> Bool {
        let digits = text.utf8.filter { $0 != UInt8(ascii: "-") }
        return digits.count >= prefixBytesMin && text.utf8.count <= NoteID.textBytes && digits.first == UInt8(ascii: "0")
            && digits.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    /// Whether the text can be the end of an id, as `list` prints it.
    static func isEnd(_ text: String) -> Bool {
        text.utf8.count >= ShortID.digitsMin && text.utf8.count <= NoteID.textBytes
            && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) || $0 == UInt8(ascii: "-") }
    }

    private var described: String { SafeText.quoted(text) }

    /// Most notes whose names are searched for one similar to a mistyped name.
    private static let namesMax = 10_000

    private func notFound(_ client: any NotesAPI) async throws -> ExitFailure {
        var names: [String] = []
        try await client.eachPage { page in
            names += page.compactMap { $0.head.name?.description }
            return names.count < Self.namesMax
        }
        if (try? NoteName(ByteString(text))) != nil, try await deletedNote(lastNamed: ByteString(text), client) != nil {
            return isDeleted
        }
        let question = Suggestions.joint(text, among: names)
        return ExitFailure(
            "there is no note \(described)\(question) `notesctl list` shows all notes", .noNote)
    }
}

/// A version as the user writes it: dots separated by spaces. The replica of each dot may be
/// shortened to its first digits.
package struct VersionReference {
    let text: String

    package init(text: String) {
        self.text = text
    }

    /// Fewest hexadecimal digits of a shortened replica.
    static let replicaDigitsMin = 4

    /// Resolves the text to a version of a note. Reads the note's history only if a dot is
    /// shortened.
    ///
    /// - Throws: `ExitFailure` if the text is not a version, or a shortened dot matches none or
    ///   several of the note's revisions.
    package func version(of note: NoteID, _ client: any NotesAPI) async throws -> Version {
        if let version = Version(parsing: text.utf8) { return version }
        var dots: [Dot] = []
        let known = try await Revisions(client, note).all().map(\.dot)
        for part in text.split(separator: " ") {
            dots.append(try Self.dot(String(part), among: known))
        }
        guard !dots.isEmpty else {
            throw ExitFailure("\(SafeText.quoted(text)) is not a version; `notesctl history` lists versions", .usage)
        }
        return Version(dots)
    }

    /// Resolves a dot, whose replica may be shortened, among known dots.
    ///
    /// - Throws: `ExitFailure` if the text is not a dot, or matches none or several of the known
    ///   dots.
    static func dot(_ text: String, among known: [Dot]) throws(ExitFailure) -> Dot {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].utf8.count >= replicaDigitsMin, let counter = UInt64(parts[1]) else {
            throw ExitFailure(
                "\(SafeText.quoted(text)) is not a version; use the form 9f86d081:12, as shown by `notesctl history`", .usage)
        }
        let found = known.filter { $0.counter == counter && $0.replica.description.hasPrefix(parts[0]) }
        guard let first = found.first else {
            throw ExitFailure("the note has no revision \(SafeText.quoted(text)); see `notesctl history`", .noNote)
        }
        guard found.count == 1 else { throw ExitFailure("\(SafeText.quoted(text)) is ambiguous; give more digits", .usage) }
        return first
    }
}

/// The revisions of a note, fetched page by page, newest first.
package struct Revisions {
    let client: any NotesAPI
    let note: NoteID

    package init(_ client: any NotesAPI, _ note: NoteID) {
        self.client = client
        self.note = note
    }

    /// - Parameter limit: the most revisions to return; nil for all.
    package func all(limit: Int? = nil) async throws -> [RevisionSummary] {
        var revisions: [RevisionSummary] = []
        try await eachPage(limit: limit) { revisions += $0.revisions }
        return revisions
    }

    /// Calls `body` with each page, newest first.
    ///
    /// - Parameter limit: the most revisions in all pages together; nil for all.
    package func eachPage(limit: Int? = nil, _ body: (HistoryResult) throws -> Void) async throws {
        var rest = limit ?? .max
        var before: Dot?
        repeat {
            let wanted = min(rest, WireProtocol.listLimits.upperBound)
            guard wanted > 0 else { break }
            let page = try await client.history(ReadHistory(id: note, limit: wanted, before: before))
            try body(page)
            rest -= page.revisions.count
            before = page.next
        } while before != nil
    }
}
