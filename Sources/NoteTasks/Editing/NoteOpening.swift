package import Causality
import Console
import EditSession
package import NoteText
package import NotesClient
package import NotesModel
package import NotesWire
import TextMerge

/// The text with which an editor goes on.
package struct ResumedText: Sendable {
    /// Versions that the editor has shown.
    package let dots: Set<Dot>
    /// The writer of the text, which ends the label of its writes; nil if they have no such label.
    package let writer: String?
    package let text: [UInt8]
    /// Seconds since the first text was typed that is not known to be durable.
    package let age: Int

    package init(dots: Set<Dot>, writer: String?, text: [UInt8], age: Int) {
        (self.dots, self.writer, self.text, self.age) = (dots, writer, text, age)
    }
}

/// A note that a program opened for editing.
package struct OpenedNote: Sendable {
    package let note: NoteObject
    /// Whether a note that should have been created existed.
    package var existed = false
    /// The part of the text that the daemon has; nil for a first opening.
    package var resumed: ResumedNote?
    /// The draft that another program left, with which this one goes on.
    package var draft: KeptDraft.Left?
    /// The text of a note that the editor created before, and got no response; nil for every other opening.
    package var createdBefore: [UInt8]?
    /// Drafts that the note's new session replaces.
    package var replaced: [KeptDraft.Left] = []
    /// The paths of other drafts of the note.
    package var otherDrafts: [String] = []

    package init(note: NoteObject, existed: Bool = false, resumed: ResumedNote? = nil) {
        (self.note, self.existed, self.resumed) = (note, existed, resumed)
    }
}

package enum ResumedNote: Sendable {
    /// The newest version that has all of the editor's own writes and nothing that the editor has not
    /// shown, its text, and the number of own writes after it that were withdrawn.
    case found(Version, [UInt8], withdrawn: Int)
    /// The daemon does not know the text.
    case parted
}

/// Reads or creates the note that a program opens, and finds the draft that another program left of it.
package struct NoteOpening {
    private let client: any NotesAPI
    /// Whether it goes on with the drafts of other programs.
    private let takesUpDrafts: Bool

    package enum Subject: Hashable, Sendable {
        case id(NoteID)
        case name(ByteString)
        case create(NoteID, name: ByteString?, text: [UInt8])
    }

    package init(client: any NotesAPI, takesUpDrafts: Bool = true) {
        (self.client, self.takesUpDrafts) = (client, takesUpDrafts)
    }

    package func open(_ subject: Subject, _ resume: ResumedText?) async throws -> OpenedNote {
        let opened: OpenedNote =
            switch subject {
            case .id(let id): OpenedNote(note: try await client.note(.id(id)))
            case .name(let name): try await named(name)
            case .create(let id, let name, let text): try await create(id, name, text)
            }
        if case .create(let id, _, let text) = subject, opened.existed, opened.note.head.id == id,
            let again = try await again(opened.note, text)
        {
            return again
        }
        return try await resumed(opened, resume)
    }

    /// The note with a name, created from the draft that a program left if it does not exist.
    private func named(_ name: ByteString) async throws -> OpenedNote {
        do {
            return OpenedNote(note: try await client.note(.name(name)))
        } catch ClientError.refused(let error) where error.kind == .noteNotFound {
            if let made = try await made(named: name) { return made }
            throw ClientError.refused(error)
        }
    }

    /// The note that another program could not create under a name; nil if none left one.
    package func made(named name: ByteString) async throws -> OpenedNote? {
        for draft in left(of: [.name(name.description)], besides: []) {
            guard let id = draft.created else { continue }
            let opened = try await create(id, name, draft.text)
            draft.remove()
            return opened
        }
        return nil
    }

    /// Saves the text of a draft that another program left, on the version that the program showed, and removes the
    /// draft.
    ///
    /// - Throws: an error that names the file.
    /// - Returns: the outcome, nil without such a draft, and the paths of other drafts.
    package func takeUp(_ note: NoteObject) async throws -> (taken: Outcome.Kind?, others: [String]) {
        let opened = try await resumed(OpenedNote(note: note), nil)
        guard let draft = opened.draft, case .found(let base, let shadow, let withdrawn) = opened.resumed else {
            return (nil, opened.otherDrafts)
        }
        let text = draft.text(for: LineEnds(of: shadow))
        var outcome = Outcome.Kind.unchanged
        if !text.isSame(as: shadow) {
            // Not the name that an editor uses which comes back and sends the text itself.
            let op = EditSession.operation(of: draft.operations(withdrawn: withdrawn), on: base, "-t")
            do {
                outcome = try await client.save(SaveNote(id: note.head.id, base: base, text: text, op: op)).outcome
            } catch {
                throw explained(error, "cannot save the text in \(SafeText.line(draft.path))")
            }
        }
        draft.remove()
        return (outcome, opened.otherDrafts)
    }

    /// The note with what its editor has of it, or with the draft that a program left when it ended.
    private func resumed(_ opened: OpenedNote, _ resume: ResumedText?) async throws -> OpenedNote {
        let note = opened.note
        let subjects = [KeptDraft.Subject.note(note.head.id)] + (note.head.name.map { [.name($0.bytes.description)] } ?? [])
        let left = left(of: subjects, besides: note.text ?? [])
        if let resume {
            let found = try await OwnWrites.found(after: resume, in: note, client)
            var resumed = OpenedNote(note: note, resumed: found)
            resumed.replaced = left.filter { $0.writer != nil && $0.writer == resume.writer }
            return resumed
        }
        var resumed = opened
        for draft in left {
            if resumed.draft == nil, let base = try await base(of: draft, note.head.id) {
                let text = ResumedText(dots: base, writer: draft.writer, text: draft.text, age: .max)
                if case let found = try await OwnWrites.found(after: text, in: note, client), case .found = found {
                    (resumed.resumed, resumed.draft, resumed.replaced) = (found, draft, [draft])
                    continue
                }
            }
            resumed.otherDrafts.append(draft.path)
        }
        return resumed
    }

    /// The note of an editor that created it before and got no response: the text went on from the first version. Nil if the
    /// daemon does not have that any more.
    private func again(_ note: NoteObject, _ text: [UInt8]) async throws -> OpenedNote? {
        guard let first = try await first(of: note.head.id) else { return nil }
        let resume = ResumedText(dots: [first], writer: nil, text: text, age: .max)
        guard case let found = try await OwnWrites.found(after: resume, in: note, client), case .found = found else { return nil }
        var opened = OpenedNote(note: note, resumed: found)
        opened.createdBefore = text
        return opened
    }

    private func left(of subjects: [KeptDraft.Subject], besides text: [UInt8]) -> [KeptDraft.Left] {
        guard takesUpDrafts, let folder = StateFolder.made() else { return [] }
        return KeptDraft.left(of: subjects, besides: text, in: folder)
    }

    /// The versions that a draft is based on: for a new note that was created though no response came, the
    /// first one.
    private func base(of draft: KeptDraft.Left, _ note: NoteID) async throws -> Set<Dot>? {
        if let base = draft.base { return Set(base.dots) }
        guard draft.created == note else { return nil }
        return try await first(of: note).map { [$0] }
    }

    /// The revision that created a note.
    private func first(of note: NoteID) async throws -> Dot? {
        var (first, before): (Dot?, Dot?)
        repeat {
            let page = try await client.history(ReadHistory(id: note, limit: WireProtocol.listLimits.upperBound, before: before))
            (first, before) = (page.revisions.last?.dot ?? first, page.next)
        } while before != nil
        return first
    }

    private func create(_ id: NoteID, _ name: ByteString?, _ text: [UInt8]) async throws -> OpenedNote {
        do {
            _ = try await client.create(text: text, name: name, id: id)
            return OpenedNote(note: try await client.note(.id(id)))
        } catch ClientError.refused(let error) where error.kind == .noteExists {
            for case .id(let other) in error.details {
                return OpenedNote(note: try await client.note(.id(other)), existed: true)
            }
            throw ClientError.refused(error)
        }
    }
}

extension KeptDraft.Left {
    /// Whether it is known what the text is based on.
    package var isKnown: Bool { base != nil || created != nil }

    /// The text with the line ends of the note. It may be the text of an editor that came back while the daemon was
    /// away, and has no CR.
    package func text(for lineEnds: LineEnds) -> [UInt8] {
        text.contains(UInt8(ascii: "\r")) ? text : lineEnds.hidden(text)
    }

    /// The start of the `op` of the writes of the program that left the draft, so that a write which reached the daemon
    /// is not made again; another one after a write that was withdrawn used the name for its base.
    package func operations(withdrawn: Int) -> ByteString {
        let folder = SystemFacts.folder(of: path)
        let writer = writer ?? folder.split(separator: "/").last.map { "\($0)" } ?? ""
        return ByteString(withdrawn == 0 ? writer : "\(writer)w\(withdrawn)")
    }
}

extension Outcome.Kind {
    /// The effect of taking up a draft, in words for the user.
    package var sentence: String {
        "the text of an interrupted edit is in the note"
            + (self == .conflicted ? ", in conflict with what others wrote" : "")
    }
}
