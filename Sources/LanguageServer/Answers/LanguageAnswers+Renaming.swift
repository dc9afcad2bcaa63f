import Causality
import Console
import NoteTasks
import NoteText
import NotesClient
import NotesModel
import NotesWire
import StrictJSON
import TextMerge

/// Renaming of notes and headings, with the links to them.
///
/// Closed notes are changed in the daemon, as one operation. Open documents are changed by the editor.
extension LanguageAnswers {
    /// A note or a heading that the user can rename.
    private enum Renamable {
        case note(Head, Range<Int>)
        case heading(Sections.Section, Range<Int>)
    }

    private func renamable(at place: TextPlace, _ here: Here) async throws -> Renamable? {
        let offset = here.text.offset(of: place)
        switch PlaceSubject(at: offset, in: here.text) {
        case .link(let link):
            // In the fragment and the shown text, the user means these.
            guard link.range.lowerBound <= offset, offset <= link.range.upperBound, !link.target.isEmpty,
                let note = try await meanings(of: [link], here).first ?? nil
            else { return nil }
            return .note(note.head, link.range)
        case .heading(let section):
            return HeadingRename.titleRange(of: section, in: here.text.bytes).map { .heading(section, $0) }
        case .tag, .nothing: return nil
        }
    }

    func prepareRename(at place: TextPlace, _ here: Here) async throws -> [UInt8] {
        guard let renamable = try await renamable(at: place, here) else { return Self.null }
        let (range, words): (Range<Int>, [UInt8]) =
            switch renamable {
            case .note(let note, let range): (range, note.name.map { NewNoteName.lastPart(of: $0.bytes) } ?? [])
            case .heading(_, let range): (range, Array(here.text.bytes[range]))
            }
        var writer = JSONWriter()
        writer.object { object in
            object.name("range")
            here.text.write(range, to: &object)
            object.member("placeholder", text: words)
        }
        return writer.bytes
    }

    func rename(at place: TextPlace, to words: [UInt8], _ here: Here) async throws -> [UInt8] {
        guard let client = here.client else { throw LanguageFault(.requestFailed, "the daemon is away, so nothing was renamed") }
        let renamable = try await renamable(at: place, here)
        // A request that is cancelled now must not end with half of the links.
        let edits = try await Task {
            switch renamable {
            case .note(let note, _): try await rename(note, to: words, here, client)
            case .heading(let section, _): try await rename(section, to: words, here, client)
            case nil: throw LanguageFault(.requestFailed, "put the cursor on the target of a link to a note, or on a heading")
            }
        }.value
        if Task.isCancelled, edits.count > 0 { report(.failed("the rename was cancelled, so open documents keep their links")) }
        return edits.json
    }

    /// The notes of the open documents; none if the editor does not check the versions of edits. Such an editor
    /// gets changes by the files.
    private func openNotes() async throws -> [NoteID: OpenDocument] {
        guard scene.abilities.versionsEdits else { return [:] }
        var open: [NoteID: OpenDocument] = [:]
        for document in scene.documents.sorted(by: { $0.uri < $1.uri }) {
            if let note = try await here(document)?.note, open[note] == nil { open[note] = document }
        }
        return open
    }

    // MARK: Notes

    private func rename(_ note: Head, to words: [UInt8], _ here: Here, _ client: NotesClient) async throws -> DocumentEdits {
        let name = try await NewNoteName.name(words, of: note.name?.bytes) { await folders.name($0, in: here.place.folder) }
        guard name != note.name else { return DocumentEdits() }
        try await NameCheck.refuseBeginningOfID("\(name)", of: note.id, client)
        if let path = await folders.file(of: note, in: here.place.folder), let document = document(at: path) {
            return try await renameFile(of: note, document, to: name, here, client)
        }
        let open = try await openNotes()
        let operation = LanguageOperation(client)
        var repairer = try await LinkRepairer(
            before: [NoteRenaming(note: note.id, old: note.name?.bytes, new: name.bytes)], operation.client,
            documents: open.mapValues(\.text.bytes))
        let outcome = try await operation.client.save(SaveNote(id: note.id, base: note.version, name: .set(name.bytes)))
        repairer.setVersion(outcome.version, of: note.id, renamedFrom: note.version)
        do {
            let deleted = try await repairer.readAgain()
            let repairs = try await repairer.repairs()
            let saved = try await repairer.save(repairs)
            var edits = DocumentEdits()
            for text in repairs.texts {
                if let document = open[text.note] { edits.documents.append((document, text.edits)) }
            }
            var summary = RenameSummary(links: saved.links, notes: saved.notes.count)
            summary.add(edits)
            summary.problems = [
                (deleted, "note is deleted", "notes are deleted"),
                (saved.failed.count, "note cannot be saved", "notes cannot be saved"),
                (saved.inConflict.count, "note is in conflict", "notes are in conflict"),
                (repairs.unrepaired.count, "link cannot be repaired", "links cannot be repaired"),
            ]
            report(.done(summary.sentence(operation)))
            return edits
        } catch {
            throw explained(
                error, "the note is renamed, but links to it cannot be repaired\(operation.words("undoes the renaming"))")
        }
    }

    /// Renames the file of a note that is open. The mirror follows, and repairs the links, as one operation.
    private func renameFile(
        of note: Head, _ document: OpenDocument, to name: NoteName, _ here: Here, _ client: NotesClient
    ) async throws -> DocumentEdits {
        let label = SafeText.line(NoteLabel.of(note))
        guard scene.abilities.renamesFiles else {
            throw LanguageFault(.requestFailed, "\(label) is open, and this editor renames no files for a server; close it first")
        }
        guard try await Self.unlessMissing({ try await client.note(.name(name.bytes)) }) == nil else {
            throw LanguageFault(.requestFailed, "another note has the name \(SafeText.line("\(name)"))")
        }
        var renamed = note
        renamed.name = name
        guard let path = await folders.file(of: renamed, in: here.place.folder) else {
            throw LanguageFault(.requestFailed, "this folder has no notes of that name")
        }
        report(.done("\(label) is open, so the editor renames its file, and the mirror repairs the links"))
        return DocumentEdits(renamedFile: (document.uri, FileURI.text(ofPath: path)))
    }

    // MARK: Headings

    private func rename(
        _ section: Sections.Section, to words: [UInt8], _ here: Here, _ client: NotesClient
    ) async throws -> DocumentEdits {
        guard scene.abilities.versionsEdits else {
            throw LanguageFault(.requestFailed, "this editor cannot check the version of an edit, so edit the heading yourself")
        }
        guard let rename = HeadingRename(section, in: here.text.bytes, to: words) else {
            throw LanguageFault(.requestFailed, "a heading is one line, and not empty")
        }
        let open = try await openNotes()
        let operation = LanguageOperation(client)
        var edits = DocumentEdits()
        var (lost, saved) = (0, 0)
        let others = open.filter { $0.key != here.note }.map(\.value).sorted { $0.uri < $1.uri }
        for document in [here.document] + others {
            let isOwn = document.uri == here.document.uri
            let found = try await fragments(rename, in: document, of: here)
            // A link in the heading itself gets lost with the old title.
            let apart = found.edits.filter { !isOwn || !rename.titleRange.overlaps($0.start..<$0.end) }
            lost += found.lost
            edits.documents.append((document, (apart + (isOwn ? [rename.titleEdit] : [])).sorted { $0.start < $1.start }))
        }
        var summary = RenameSummary()
        summary.add(edits)
        // The heading is no link.
        summary.links -= 1
        if edits.documents[0].edits.count == 1 { summary.notes -= 1 }
        if let note = here.note {
            let closed = try await renameFragments(rename, of: note, except: Set(open.keys), operation.client)
            summary.links += closed.links
            summary.notes += closed.notes
            summary.problems = [
                (closed.deleted, "note is deleted", "notes are deleted"),
                (closed.failed, "note cannot be saved", "notes cannot be saved"),
            ]
            (lost, saved) = (lost + closed.lost, closed.notes)
        }
        summary.problems.append((lost, "link cannot mean the new heading", "links cannot mean the new heading"))
        report(.done(summary.sentence(saved > 0 ? operation : nil)))
        return edits
    }

    /// The edits of fragments in an open document.
    private func fragments(
        _ rename: HeadingRename, in document: OpenDocument, of here: Here
    ) async throws -> (edits: [Edit], lost: Int) {
        guard let there = try await self.here(document) else { return ([], 0) }
        let links = Links.of(document.text.bytes).filter { $0.fragment != nil }
        let isOwn = document.uri == here.document.uri
        var next = try await meanings(of: links.filter { !$0.target.isEmpty }, there).makeIterator()
        let meant = links.filter { link in
            guard !link.target.isEmpty else { return isOwn }
            guard let note = (next.next() ?? nil)?.head.id else { return false }
            return note == here.note
        }
        return rename.edits(of: meant, in: document.text.bytes)
    }

    private struct Closed {
        var (links, notes, lost, deleted, failed) = (0, 0, 0, 0, 0)
    }

    /// Changes the fragments in closed notes, each on the version that has the links.
    private func renameFragments(
        _ rename: HeadingRename, of note: NoteID, except open: Set<NoteID>, _ client: any NotesAPI
    ) async throws -> Closed {
        var linking: [NoteID: (version: Version, ranges: Set<Range<Int>>)] = [:]
        var params = ListIncomingLinks(id: note, limit: WireProtocol.listLimits.upperBound)
        repeat {
            let page = try await client.links(to: params)
            for link in page.links where link.fragment != nil && !open.contains(link.note.head.id) && link.note.head.id != note {
                linking[link.note.head.id, default: (link.note.head.version, [])].ranges.insert(link.range)
            }
            params.after = page.next
        } while params.after != nil
        var closed = Closed()
        let notes = linking
        try await BoundedTaskGroup.run(notes.keys.sorted()) { id -> Change in
            guard let (version, ranges) = notes[id] else { return .none }
            guard let now = try await Self.unlessMissing({ try await client.note(.id(id)) }), !now.head.isDeleted else {
                return .deleted
            }
            let text = try await client.note(.id(id), at: version).text ?? []
            let found = rename.edits(of: Links.of(text).filter { ranges.contains($0.range) }, in: text)
            guard !found.edits.isEmpty else { return .saved(links: 0, lost: found.lost) }
            do {
                _ = try await client.save(SaveNote(id: id, base: version, text: Edit.applying(found.edits, to: text)))
                return .saved(links: found.edits.count, lost: found.lost)
            } catch ClientError.refused {
                return .failed
            }
        } finished: { _, change in
            switch change {
            case .none: break
            case .deleted: closed.deleted += 1
            case .failed: closed.failed += 1
            case .saved(let links, let lost):
                closed.links += links
                closed.notes += links > 0 ? 1 : 0
                closed.lost += lost
            }
        }
        return closed
    }

    private enum Change: Sendable {
        case none
        case deleted
        case failed
        case saved(links: Int, lost: Int)
    }
}
