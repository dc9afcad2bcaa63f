package import NoteText
import TextMerge

/// The renaming of one note.
package struct NoteRenaming: Hashable, Sendable {
    package let note: NoteID
    /// The name before; nil for none.
    package let old: ByteString?
    /// The name after; nil for none.
    package let new: ByteString?

    package init(note: NoteID, old: ByteString?, new: ByteString?) {
        self.note = note
        self.old = old
        self.new = new
    }
}

/// A question about what a target means in the notes of a folder.
package struct LinkQuestion: Hashable, Sendable {
    /// The linking note's folder; empty at the root.
    package let folder: ByteString
    package let target: LinkTarget

    package init(folder: ByteString, target: LinkTarget) {
        self.folder = folder
        self.target = target
    }
}

/// The notes that a target can mean, the meaning first.
package struct LinkAnswer: Hashable, Sendable {
    package let notes: [LinkedNote]
    /// Whether further notes are left out.
    package let isCut: Bool

    package init(notes: [LinkedNote], isCut: Bool) {
        self.notes = notes
        self.isCut = isCut
    }
}

/// The repair of links after notes were renamed.
///
/// The owner adds the renamed notes and then those whose links mean one of them
/// (`add(_:name:text:)`), answers `questionsBefore`, and renames. Then it adds the notes whose links
/// mean a renamed note only now (`addCapturing(_:name:text:)`), answers `questions(after:)` until there
/// are none, and writes the texts of `repairs(_:)`.
///
/// After that, every link in these notes that meant a note means it, or `LinkRepairs.unrepaired` has it.
/// A relative link of a renamed note to a file that is no note leads to the same path. Only targets change.
/// A link that still means its note by a rule as strong stays as it is.
package struct LinkRepair: Sendable {
    private let renamings: [NoteID: NoteRenaming]
    /// The keys (`LinkPath.key`) of the links whose meaning the renamings can change.
    private var keys: Set<ByteString>
    private var notes: [LinkingNote] = []
    private var known: Set<NoteID> = []
    /// What the links meant before the renamings.
    private var meanings: [LinkQuestion: Before] = [:]
    /// The places of files that are not there.
    private var absentFiles: Set<ByteString> = []
    /// The size of the texts of the notes with affected links, in bytes.
    package private(set) var textBytes = 0

    /// A note with links that the renamings can affect.
    private struct LinkingNote: Sendable {
        let id: NoteID
        let text: [UInt8]
        let bodyStart: Int
        let folderBefore: ByteString
        let folderAfter: ByteString
        var links: [Reference]
    }

    private struct Reference: Sendable {
        let link: Link
        var before: Before
    }

    /// The meaning of a link before the renamings.
    private enum Before: Sendable {
        case note(LinkedNote)
        case nothing
        case notAsked
        /// The linking note was found after the renamings.
        case derived
    }

    package init(_ renamings: [NoteRenaming]) {
        self.renamings = Dictionary(renamings.map { ($0.note, $0) }) { _, last in last }
        var keys: Set<ByteString> = []
        for name in renamings.flatMap({ [$0.old, $0.new].compactMap { $0 } }) {
            keys.formUnion(NoteLabels(name: name, aliases: [], title: "").keys)
        }
        self.keys = keys
    }

    /// A linking note of each folder, before the renamings and after them.
    package var folders: (before: [ByteString: NoteID], after: [ByteString: NoteID]) {
        var folders: (before: [ByteString: NoteID], after: [ByteString: NoteID]) = ([:], [:])
        for note in notes {
            folders.before[note.folderBefore] = note.id
            folders.after[note.folderAfter] = note.id
        }
        return folders
    }

    // MARK: - Before the renamings

    /// The wiki targets that one of the new names makes ambiguous if they mean a note by the id at the
    /// start of its name. The links that mean that note can be affected.
    package var leadingIDs: [ByteString] {
        Set(renamings.values.compactMap { NoteLabels(name: $0.new, aliases: [], title: "").leadingID }).sorted()
    }

    /// Adds a note as it was before the renamings: first the renamed notes, then others. A note that was
    /// added already is ignored.
    package mutating func add(_ note: NoteID, name: ByteString?, text: [UInt8]) {
        add(note, name: name, text: text, before: .notAsked)
    }

    /// The questions to answer before the renamings.
    package var questionsBefore: Set<LinkQuestion> {
        var questions: Set<LinkQuestion> = []
        for note in notes {
            for reference in note.links {
                questions.insert(LinkQuestion(folder: note.folderBefore, target: LinkTarget(reference.link)))
            }
        }
        return questions
    }

    /// Takes the answers to `questionsBefore`.
    package mutating func setMeanings(_ answers: [LinkQuestion: LinkAnswer]) {
        for index in notes.indices {
            for number in notes[index].links.indices {
                let question = LinkQuestion(
                    folder: notes[index].folderBefore, target: LinkTarget(notes[index].links[number].link))
                guard let answer = answers[question] else { continue }
                let meaning: Before = Self.possible(answer.notes, question).first.map { .note($0) } ?? .nothing
                meanings[question] = meaning
                notes[index].links[number].before = meaning
            }
        }
    }

    // MARK: - After the renamings

    /// Adds a note with links that mean a renamed note only since the renamings. A note that was added
    /// already is ignored.
    package mutating func addCapturing(_ note: NoteID, name: ByteString?, text: [UInt8]) {
        add(note, name: name, text: text, before: .derived)
    }

    /// The notes with affected links.
    package var linkingNotes: [NoteID] { notes.map(\.id) }

    /// Replaces the text of a note that another program changed since it was added. A link that the text
    /// did not have before the renamings stays as it is.
    ///
    /// - Parameter text: the present text; nil if the note is deleted.
    package mutating func setText(_ text: [UInt8]?, of note: NoteID) {
        guard let index = notes.firstIndex(where: { $0.id == note }) else { return }
        let former = notes[index]
        textBytes -= former.text.count
        guard let text else {
            notes.remove(at: index)
            return
        }
        textBytes += text.count
        let links = affectedLinks(of: text, isRenamed: renamings[note] != nil).map { link in
            let question = LinkQuestion(folder: former.folderBefore, target: LinkTarget(link))
            return Reference(link: link, before: meanings[question] ?? .notAsked)
        }
        notes[index] = LinkingNote(
            id: note, text: text, bodyStart: FrontMatter(text)?.end ?? 0, folderBefore: former.folderBefore,
            folderAfter: former.folderAfter, links: links)
    }

    /// The places of the files that links of moved notes mean, which can be files that do not exist.
    package var files: Set<ByteString> {
        Set(notes.flatMap { note in note.links.compactMap { place(of: $0, in: note) } })
    }

    /// Takes the places of `files` that no file has. The links to them stay as they are.
    package mutating func setAbsentFiles(_ places: Set<ByteString>) { absentFiles = places }

    private mutating func add(_ note: NoteID, name: ByteString?, text: [UInt8], before: Before) {
        guard known.insert(note).inserted else { return }
        let renaming = renamings[note]
        // Among notes with the same alias or title, the names decide.
        if renaming != nil { keys.formUnion(NoteLabels(name: nil, text: text).keys) }
        let links = affectedLinks(of: text, isRenamed: renaming != nil)
        guard !links.isEmpty else { return }
        textBytes += text.count
        notes.append(
            LinkingNote(
                id: note, text: text, bodyStart: FrontMatter(text)?.end ?? 0,
                folderBefore: Self.folder(renaming.map(\.old) ?? name), folderAfter: Self.folder(renaming.map(\.new) ?? name),
                links: links.map { Reference(link: $0, before: before) }))
    }

    private func affectedLinks(of text: [UInt8], isRenamed: Bool) -> [Link] {
        Links.of(text).filter { link in
            guard link.kind != .id, !link.target.isEmpty else { return false }
            return isRenamed
                || [link.target, link.targetBeforeQuery].contains { $0.map { keys.contains(LinkPath.key($0)) } == true }
        }
    }

    /// The questions to answer after the renamings, given the answers so far; empty if there are none.
    package func questions(after answers: [LinkQuestion: LinkAnswer]) -> Set<LinkQuestion> {
        var questions: Set<LinkQuestion> = []
        for note in notes {
            for reference in note.links {
                let question = LinkQuestion(folder: note.folderAfter, target: LinkTarget(reference.link))
                guard let answer = answers[question] else {
                    questions.insert(question)
                    continue
                }
                let spellings: [LinkSpelling.Written] =
                    switch state(of: reference, in: note, answer) {
                    case .broken(let goal): self.spellings(of: reference.link, for: goal, in: note)
                    case .moved(let place): self.spellings(of: reference.link, forFile: place, in: note)
                    case .kept, .filled, .unknown: []
                    }
                for written in spellings {
                    questions.insert(LinkQuestion(folder: note.folderAfter, target: written.target))
                }
            }
        }
        return questions.subtracting(answers.keys)
    }

    /// The new texts and the links that cannot be repaired.
    ///
    /// - Parameter answers: those to all `questions(after:)`.
    package func repairs(_ answers: [LinkQuestion: LinkAnswer]) -> LinkRepairs {
        var repairs = LinkRepairs()
        for note in notes {
            var edits: [(range: Range<Int>, bytes: [UInt8])] = []
            var broken: [UnrepairedLink] = []
            for reference in note.links {
                let question = LinkQuestion(folder: note.folderAfter, target: LinkTarget(reference.link))
                guard let answer = answers[question] else { continue }
                let target = reference.link.target
                switch state(of: reference, in: note, answer) {
                case .kept: break
                case .filled: repairs.filled += 1
                case .unknown:
                    broken.append(UnrepairedLink(note: note.id, target: target, meant: nil, reason: .tooManyNotes))
                case .moved(let place):
                    if let bytes = replacement(of: reference.link, forFile: place, in: note, answers) {
                        edits.append((reference.link.range, bytes))
                    } else {
                        broken.append(UnrepairedLink(note: note.id, target: target, meant: nil, reason: .noPath))
                    }
                case .broken(let goal):
                    if let bytes = replacement(of: reference.link, for: goal, in: note, answers) {
                        if bytes != Array(note.text[reference.link.range]) { edits.append((reference.link.range, bytes)) }
                    } else {
                        let reason: UnrepairedLink.Reason = goal.new == nil ? .noName : .noTarget
                        broken.append(
                            UnrepairedLink(
                                note: note.id, target: target, meant: LinkedNote(id: goal.note.id, name: goal.new), reason: reason
                            ))
                    }
                }
            }
            repairs.unrepaired += broken
            guard !edits.isEmpty else { continue }
            repairs.texts.append(Self.text(of: note, edits))
        }
        return repairs
    }

    // MARK: - One link

    /// A note that a link has to mean.
    private struct Goal {
        let note: LinkedNote
        /// The name after the renamings.
        let new: ByteString?
        let rule: LinkRule
        let isBeforeQuery: Bool
    }

    private enum State {
        case kept
        case broken(Goal)
        /// It meant the file at this place, which the note was moved away from.
        case moved(ByteString)
        /// It meant nothing and means a note now.
        case filled
        /// Too many renamed notes have names that it could mean.
        case unknown
    }

    private func state(of reference: Reference, in note: LinkingNote, _ answer: LinkAnswer) -> State {
        let target = LinkTarget(reference.link)
        let now = Self.possible(answer.notes, LinkQuestion(folder: note.folderAfter, target: target))
        let before: LinkedNote
        switch reference.before {
        case .notAsked: return .kept
        case .nothing:
            if let place = place(of: reference, in: note), !absentFiles.contains(place) { return .moved(place) }
            return now.isEmpty ? .kept : .filled
        case .note(let meaning): before = meaning
        case .derived:
            // Before the renamings, the link meant no note that is renamed now, because its note would
            // be known then.
            guard let first = now.first, renamings[first.id] != nil else { return .kept }
            guard let meaning = now.first(where: { renamings[$0.id] == nil }) else { return answer.isCut ? .unknown : .filled }
            before = meaning
        }
        guard let (rule, isBeforeQuery) = target.rule(in: note.folderBefore, findingNoteNamed: before.name) else { return .kept }
        let new = renamings[before.id].map(\.new) ?? before.name
        if now.first?.id == before.id, let present = target.rule(in: note.folderAfter, findingNoteNamed: new)?.rule {
            let isAsStrong = target.kind == .path ? present <= rule : present.isName || !rule.isName
            if isAsStrong { return .kept }
        }
        return .broken(Goal(note: before, new: new, rule: rule, isBeforeQuery: isBeforeQuery))
    }

    /// The place of the file that a link of a moved note meant; nil if it meant none, or leads there still.
    private func place(of reference: Reference, in note: LinkingNote) -> ByteString? {
        guard case .nothing = reference.before, let renaming = renamings[note.id], renaming.old != nil, renaming.new != nil,
            note.folderBefore != note.folderAfter, let place = FilePlace.of(reference.link, in: note.folderBefore),
            FilePlace.of(reference.link, in: note.folderAfter) != place
        else { return nil }
        return place
    }

    private func spellings(of link: Link, forFile place: ByteString, in note: LinkingNote) -> [LinkSpelling.Written] {
        LinkSpelling(link, of: note.text, bodyStart: note.bodyStart).targets(ofFile: place, in: note.folderAfter)
    }

    /// The first spelling that means no note.
    private func replacement(
        of link: Link, forFile place: ByteString, in note: LinkingNote, _ answers: [LinkQuestion: LinkAnswer]
    ) -> [UInt8]? {
        spellings(of: link, forFile: place, in: note).first { written in
            let question = LinkQuestion(folder: note.folderAfter, target: written.target)
            return answers[question].map { Self.possible($0.notes, question).isEmpty } ?? false
        }?.bytes
    }

    private func spellings(of link: Link, for goal: Goal, in note: LinkingNote) -> [LinkSpelling.Written] {
        guard let new = goal.new else { return [] }
        return LinkSpelling(link, of: note.text, bodyStart: note.bodyStart).targets(
            of: goal.rule, isBeforeQuery: goal.isBeforeQuery, from: goal.note.name, to: new, in: note.folderAfter)
    }

    private func replacement(
        of link: Link, for goal: Goal, in note: LinkingNote, _ answers: [LinkQuestion: LinkAnswer]
    ) -> [UInt8]? {
        for written in spellings(of: link, for: goal, in: note) {
            let question = LinkQuestion(folder: note.folderAfter, target: written.target)
            guard let answer = answers[question], let first = Self.possible(answer.notes, question).first,
                first.id == goal.note.id,
                written.target.rule(in: note.folderAfter, findingNoteNamed: first.name)?.rule.isName == true
            else { continue }
            return written.bytes
        }
        return link.kind == .path ? Array("note:\(goal.note.id)".utf8) : nil
    }

    /// The notes of an answer that the target can mean. The daemon takes each `?` for the start of a
    /// query, also one that the text escapes.
    private static func possible(_ notes: [LinkedNote], _ question: LinkQuestion) -> [LinkedNote] {
        guard question.target.kind == .path else { return notes }
        return notes.filter { question.target.rule(in: question.folder, findingNoteNamed: $0.name) != nil }
    }

    private static func folder(_ name: ByteString?) -> ByteString { name.map(LinkPath.folder) ?? "" }

    private static func text(of note: LinkingNote, _ replaced: [(range: Range<Int>, bytes: [UInt8])]) -> LinkRepairs.Text {
        var edited: [UInt8] = []
        var edits: [Edit] = []
        var offset = 0
        for (range, bytes) in replaced where range.lowerBound >= offset {
            edited += note.text[offset..<range.lowerBound] + bytes
            edits.append(Edit(start: range.lowerBound, end: range.upperBound, replacement: bytes))
            offset = range.upperBound
        }
        return LinkRepairs.Text(note: note.id, bytes: edited + note.text[offset...], edits: edits)
    }
}
