import Causality
import Console
import NoteTasks
import NoteText
import NotesClient
import NotesModel
import NotesWire

/// Reads or creates the note that an editor opens, and finds the draft that a host left of it.
struct NoteOpening {
    let client: NotesClient
    let takesUpDrafts: Bool

    func open(_ subject: OpenBuffer.Subject, _ resume: ResumedText?) async throws -> OpenedNote {
        let opened: OpenedNote =
            switch subject {
            case .id(let id): OpenedNote(note: try await client.note(.id(id)))
            case .name(let name): try await named(name)
            case .create(let id, let name, let text): try await create(id, name, text)
            }
        return try await resumed(opened, resume)
    }

    /// The note with a name, created from the draft that a host left if it does not exist.
    private func named(_ name: ByteString) async throws -> OpenedNote {
        do {
            return OpenedNote(note: try await client.note(.name(name)))
        } catch ClientError.refused(let error) where error.kind == .noteNotFound {
            for draft in left(of: [.name(name.description)], besides: []) {
                guard let id = draft.created else { continue }
                let opened = try await create(id, name, draft.text)
                draft.remove()
                return opened
            }
            throw ClientError.refused(error)
        }
    }

    /// The note with what its editor has of it, or with the draft that a host left when it ended.
    private func resumed(_ opened: OpenedNote, _ resume: ResumedText?) async throws -> OpenedNote {
        let note = opened.note
        let subjects = [KeptDraft.Subject.note(note.head.id)] + (note.head.name.map { [.name($0.bytes.description)] } ?? [])
        let left = left(of: subjects, besides: note.text ?? [])
        if let resume {
            let found = try await OwnWrites.found(after: resume, in: note, client)
            return OpenedNote(note: note, resumed: found, replaced: left.filter { $0.writer == resume.writer })
        }
        var resumed = opened
        for draft in left {
            if resumed.draft == nil, let writer = draft.writer, let base = try await base(of: draft, note.head.id) {
                let text = ResumedText(dots: base, writer: writer, text: draft.text, age: .max)
                if case let found = try await OwnWrites.found(after: text, in: note, client), case .found = found {
                    (resumed.resumed, resumed.draft, resumed.replaced) = (found, draft, [draft])
                    continue
                }
            }
            resumed.otherDrafts.append(draft.path)
        }
        return resumed
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
        var (first, before): (Dot?, Dot?)
        repeat {
            let page = try await client.history(ReadHistory(id: note, limit: WireProtocol.listLimits.upperBound, before: before))
            (first, before) = (page.revisions.last?.dot ?? first, page.next)
        } while before != nil
        return first.map { [$0] }
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
