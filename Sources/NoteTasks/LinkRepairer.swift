import ArgumentParser
package import Causality
import Console
package import NoteText
package import NotesClient
package import NotesModel
import NotesWire

/// The repair of links around the renamings of one command: it reads the links before the renamings,
/// and saves the notes whose links have to change after them.
package struct LinkRepairer {
    /// The number of notes with affected links above which a command renames nothing.
    static let notesMax = 10_000
    /// The size of the notes with affected links above which a command renames nothing, in bytes.
    static let textBytesMax = 256_000_000

    /// The number of notes that are read before those without affected links are dropped.
    private static let readMax = 64

    private let client: any NotesAPI
    private let renamings: [NoteRenaming]
    private let textBytesMax: Int
    /// Whether a mirror renames, which renames also if links cannot be repaired.
    private let isByMirror: Bool
    /// The texts of notes that a user is editing, which are repaired in place of the daemon's, and not saved.
    private let documents: [NoteID: [UInt8]]
    private var repair: LinkRepair
    /// The notes that were read, and the version that a repair of each is based on.
    private var heads: [NoteID: Head] = [:]
    private var versions: [NoteID: Version] = [:]

    /// Reads the links that mean the notes to be renamed, and those in these notes.
    ///
    /// - Parameter documents: the texts of notes that a user is editing. They are repaired in place of the
    ///   daemon's, and `save(_:)` leaves them out.
    /// - Throws: `ExitFailure` if the daemon cannot answer questions about links now, or if more than
    ///   `notesMax` notes, or notes of more than `textBytesMax` bytes, have such links.
    package init(
        before renamings: [NoteRenaming], _ client: any NotesAPI, textBytesMax: Int = Self.textBytesMax, isByMirror: Bool = false,
        documents: [NoteID: [UInt8]] = [:]
    ) async throws {
        self.client = client
        self.isByMirror = isByMirror
        self.documents = documents
        self.textBytesMax = textBytesMax
        self.renamings = renamings
        repair = LinkRepair(renamings)
        do {
            try await read(renamings.map(\.note), isBefore: true)
            try await read(documents.keys, isBefore: true)
            try await read(linking(to: renamings.map(\.note)), isBefore: true)
            try await read(linking(to: leadingMeanings()), isBefore: true)
            repair.setMeanings(try await answers(to: repair.questionsBefore, repair.folders.before))
        } catch ClientError.refused(let refusal) {
            throw ExitFailure(
                "cannot find the links to repair: \(SafeText.line(refusal.message)); \(adviceBefore)",
                ExitStatus(refusal.kind))
        }
    }

    /// Sets the version of a note after its renaming.
    ///
    /// If another program changed the note before its links were read, the repair stays based on the
    /// version that was read: `version` does not contain that change, and the text does.
    ///
    /// - Parameter base: the version that the renaming is based on.
    package mutating func setVersion(_ version: Version, of note: NoteID, renamedFrom base: Version) {
        if versions[note] == base { versions[note] = version }
    }

    /// Saves the notes whose links have to change, after the renamings, and reports on standard error
    /// how many links were repaired and which were not.
    ///
    /// - Throws: `ExitFailure` if a note cannot be saved.
    package mutating func repair() async throws {
        do {
            let result = try await save(try await repairs())
            report(result)
            if !result.failed.isEmpty {
                throw ExitFailure(
                    "renamed, but \(counted(result.failed.count, "note")) cannot be saved, so some links do not mean their notes")
            }
            if !result.inConflict.isEmpty { throw ExitCode(ExitStatus.inConflict.rawValue) }
        } catch {
            throw explained(error, "renamed, but cannot repair links (`notesctl op undo` undoes the renaming)")
        }
    }

    /// The texts to save after the renamings.
    package mutating func repairs() async throws -> LinkRepairs {
        try await read(linking(to: renamings.map(\.note)), isBefore: false)
        var known: [LinkQuestion: LinkAnswer] = [:]
        while case let questions = repair.questions(after: known), !questions.isEmpty {
            known.merge(try await answers(to: questions, repair.folders.after)) { first, _ in first }
        }
        return repair.repairs(known)
    }

    /// Reads the notes again that have links to repair, so that links stay as they are that another program
    /// has changed meanwhile, and the repair is based on the texts of now. Documents stay as they are.
    ///
    /// - Returns: the number of notes that were deleted meanwhile.
    @discardableResult
    package mutating func readAgain() async throws -> Int {
        let client = client
        var read: [(id: NoteID, note: NoteObject?)] = []
        try await BoundedTaskGroup.run(repair.linkingNotes.filter { documents[$0] == nil }) { id -> NoteObject? in
            do {
                return try await client.note(.id(id))
            } catch ClientError.refused(let refusal) where refusal.kind == .noteNotFound {
                return nil
            }
        } finished: { id, note in
            read.append((id, note))
        }
        var deleted = 0
        for (id, note) in read {
            guard let note, !note.head.isDeleted else {
                repair.setText(nil, of: id)
                deleted += 1
                continue
            }
            if versions[id] != note.head.version { repair.setText(note.text ?? [], of: id) }
            (heads[id], versions[id]) = (note.head, note.head.version)
        }
        return deleted
    }

    /// The places of files that links of the renamed notes mean (`LinkRepair.files`).
    package var files: Set<ByteString> { repair.files }

    /// As `LinkRepair.setAbsentFiles(_:)`.
    package mutating func setAbsentFiles(_ places: Set<ByteString>) { repair.setAbsentFiles(places) }

    // MARK: - Reading

    /// Reads notes that were not read yet. Notes that are deleted meanwhile are left out.
    private mutating func read(_ notes: some Sequence<NoteID>, isBefore: Bool) async throws {
        let new = Set(notes).subtracting(heads.keys).sorted()
        guard heads.count + new.count <= Self.notesMax + renamings.count else {
            throw tooMuch("more than \(Self.notesMax) notes have links to repair", isBefore: isBefore)
        }
        for start in stride(from: 0, to: new.count, by: Self.readMax) {
            try await add(Array(new[start..<min(start + Self.readMax, new.count)]), isBefore: isBefore)
            guard repair.textBytes <= textBytesMax else {
                let size = ByteCount.text(textBytesMax)
                throw tooMuch("the notes with links to repair have more than \(size)", isBefore: isBefore)
            }
        }
    }

    /// What follows if links cannot be found before the renamings.
    private var adviceBefore: String {
        isByMirror
            ? "links to renamed files stay as they are, and `notesctl links --missing` lists those that mean nothing then"
            : "no note was renamed, and `notesctl mv --keep-links` renames without repairing links"
    }

    private func tooMuch(_ reason: String, isBefore: Bool) -> ExitFailure {
        ExitFailure(
            isBefore
                ? "\(reason); \(adviceBefore)"
                : "renamed, but no link was repaired: \(reason); `notesctl op undo` undoes the renaming")
    }

    private mutating func add(_ notes: [NoteID], isBefore: Bool) async throws {
        let client = client
        var read: [NoteObject] = []
        try await BoundedTaskGroup.run(notes) { id -> NoteObject? in
            do {
                return try await client.note(.id(id))
            } catch ClientError.refused(let refusal) where refusal.kind == .noteNotFound {
                return nil
            }
        } finished: { _, note in
            if let note { read.append(note) }
        }
        for note in read.sorted(by: { $0.head.id < $1.head.id }) where !note.head.isDeleted {
            heads[note.head.id] = note.head
            versions[note.head.id] = note.head.version
            let text = documents[note.head.id] ?? note.text ?? []
            if isBefore {
                repair.add(note.head.id, name: note.head.name?.bytes, text: text)
            } else {
                repair.addCapturing(note.head.id, name: note.head.name?.bytes, text: text)
            }
        }
    }

    /// The notes with links that mean one of some notes; none for a note that is deleted meanwhile.
    private func linking(to notes: [NoteID]) async throws -> Set<NoteID> {
        let client = client
        var linking: Set<NoteID> = []
        try await BoundedTaskGroup.run(notes) { id in
            var found: Set<NoteID> = []
            var params = ListIncomingLinks(id: id, limit: WireProtocol.listLimits.upperBound)
            do {
                repeat {
                    let page = try await client.links(to: params)
                    found.formUnion(page.links.map(\.note.head.id))
                    params.after = page.next
                } while params.after != nil && found.count <= Self.notesMax
            } catch ClientError.refused(let refusal) where refusal.kind == .noteNotFound {}
            return found
        } finished: { _, found in
            linking.formUnion(found)
        }
        return linking
    }

    /// The notes that the ids at the start of the new names mean now.
    private func leadingMeanings() async throws -> [NoteID] {
        let targets = Set(repair.leadingIDs.map { LinkTarget(kind: .wiki, decoded: $0) })
        return try await answers(to: Set(targets.map { LinkQuestion(folder: "", target: $0) }), [:])
            .values.compactMap { $0.notes.first?.id }
    }

    /// The daemon's answers to questions about targets.
    ///
    /// - Parameter folders: a note in each folder; without one the folder counts as the root.
    private func answers(
        to questions: Set<LinkQuestion>, _ folders: [ByteString: NoteID]
    ) async throws -> [LinkQuestion: LinkAnswer] {
        var parts: [ArraySlice<LinkQuestion>] = []
        for questions in Dictionary(grouping: questions, by: \.folder).values {
            for start in stride(from: 0, to: questions.count, by: WireProtocol.resolvedTargetsMax) {
                parts.append(questions[start..<min(start + WireProtocol.resolvedTargetsMax, questions.count)])
            }
        }
        let client = client
        let kind = await client.linkedKind
        var answers: [LinkQuestion: LinkAnswer] = [:]
        try await BoundedTaskGroup.run(parts) { part in
            let from = part.first.flatMap { folders[$0.folder] }
            return try await client.resolveLinks(ResolveLinks(targets: part.map(\.target), from: from, kind: kind)).found
        } finished: { part, found in
            for (question, meaning) in zip(part, found) {
                let notes = meaning.notes.map { LinkedNote(id: $0.head.id, name: $0.head.name?.bytes) }
                answers[question] = LinkAnswer(notes: notes, isCut: meaning.more > 0)
            }
        }
        return answers
    }

    // MARK: - Saving

    /// What a repair did.
    package struct Saved {
        /// The number of repaired links.
        package var links = 0
        /// The saved notes.
        package var notes: [NoteID] = []
        /// The notes with conflicts.
        package var inConflict: [String] = []
        /// The notes that cannot be saved, with the reasons.
        package var failed: [String] = []
        let repairs: LinkRepairs
    }

    /// Saves the texts, except those of documents.
    package func save(_ repairs: LinkRepairs) async throws -> Saved {
        var result = Saved(repairs: repairs)
        let (client, versions) = (client, versions)
        try await BoundedTaskGroup.run(repairs.texts.filter { documents[$0.note] == nil }) {
            text -> Result<OutcomeResult, WireError> in
            do {
                return .success(try await client.save(SaveNote(id: text.note, base: versions[text.note], text: text.bytes)))
            } catch ClientError.refused(let refusal) {
                return .failure(refusal)
            }
        } finished: { text, outcome in
            switch outcome {
            case .success(let outcome):
                result.links += text.edits.count
                result.notes.append(text.note)
                if outcome.outcome == .conflicted { result.inConflict.append(label(of: text.note)) }
            case .failure(let refusal): result.failed.append("\(label(of: text.note)): \(SafeText.line(refusal.message))")
            }
        }
        return result
    }

    /// Reports on standard error how many links were repaired, and which were not.
    package func report(_ result: Saved) {
        let repairs = result.repairs
        if !result.notes.isEmpty {
            Output.note("repaired \(counted(result.links, "link")) in \(counted(result.notes.count, "note"))")
        }
        if repairs.filled > 0 {
            let verb = repairs.filled == 1 ? "means" : "mean"
            Output.note("\(counted(repairs.filled, "link")) that meant no note \(verb) a renamed note now")
        }
        if !repairs.unrepaired.isEmpty {
            Output.note("\(counted(repairs.unrepaired.count, "link")) cannot be repaired:")
            Output.explain(repairs.unrepaired.map(line))
        }
        if !result.inConflict.isEmpty {
            Output.note("others changed the same places, so these notes have conflicts:")
            Output.explain(result.inConflict.sorted().map { "  \($0)" })
        }
        Output.explain(result.failed.sorted().map { "  \($0)" })
    }

    private func line(_ link: UnrepairedLink) -> String {
        let meant = link.meant.map { SafeText.line($0.name?.description ?? "\($0.id)") }
        let reason =
            switch link.reason {
            case .noName: "\(meant ?? "the note") has no name now"
            case .noTarget: "a link of this form cannot mean \(meant ?? "the note")"
            case .noPath: "a link of this form cannot lead to the file from here"
            case .tooManyNotes: "too many renamed notes can be meant"
            }
        return "  \(label(of: link.note)): \(SafeText.line(link.target.description)): \(reason)"
    }

    private func label(of note: NoteID) -> String {
        let name = renamings.first { $0.note == note }?.new?.description
        return SafeText.line(name ?? heads[note].map(NoteLabel.of) ?? "\(note)")
    }
}
