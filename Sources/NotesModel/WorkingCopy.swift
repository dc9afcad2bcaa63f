package import Causality
import TextMerge

/// The part of the model that one batch of commands touches.
///
/// It starts empty. A command that needs something that is not here yet says what (`Step.needs`), is supplied with it, and is
/// applied again; otherwise `apply` is pure, synchronous and deterministic. Dropped, the copy leaves no trace; its notes are
/// adopted once their revisions are durable.
///
///     while case .needs(let need) = step { supply(need); step = copy.apply(command, as: write) }
package struct WorkingCopy: Sendable {
    let limits: ModelLimits
    private var slots: [NoteID: Slot] = [:]
    private var holders: [NoteName: [NoteID]] = [:]

    package init(limits: ModelLimits) {
        self.limits = limits
    }

    package enum Step: Sendable {
        case needs(Need)
        case refused(Rejection)
        case unchanged(Outcome)
        case accepted(Accepted)
    }

    package enum Need: Hashable, Sendable {
        case note(NoteID, downTo: LoadDepth)
        /// The living notes of that name, as committed.
        case holders(of: NoteName)
    }

    /// Whether the note was supplied; if so, a need for it can only be met by the journal.
    package func holds(_ id: NoteID) -> Bool {
        slots[id] != nil
    }

    /// The note as it stands in this copy; nil where there is none, or it was not supplied.
    package func note(_ id: NoteID) -> Note? {
        slots[id]?.note
    }

    /// The notes that this batch changed.
    package var changed: [Note] {
        slots.values.compactMap { $0.made.isEmpty ? nil : $0.note }
    }

    /// The notes that were supplied from a cache, and stand as they did there.
    package var untouched: [Note] {
        slots.values.compactMap { $0.isCached && $0.made.isEmpty ? $0.note : nil }
    }

    /// The notes that this batch changed and cannot show: what is left of them has to come from the journal.
    package var stale: [NoteID] {
        slots.compactMap { $0.value.isStale && !$0.value.made.isEmpty ? $0.key : nil }
    }

    /// - Precondition: the copy does not hold the note.
    package mutating func supply(cached note: Note) {
        precondition(!holds(note.id), "a note that the batch changed is not replaced by an older one")
        slots[note.id] = Slot(cached: note)
    }

    /// What a journal has of a note, nil for nothing; what the batch made of it stays on top.
    package mutating func supply(loaded note: Note?, for id: NoteID, downTo depth: LoadDepth) {
        slots[id, default: Slot()].supply(note, downTo: depth)
    }

    package mutating func supply(holders: [NoteID], of name: NoteName) {
        self.holders[name] = holders
    }

    package mutating func apply(_ command: Command, as write: WriteContext) -> Step {
        do throws(Interruption) {
            return switch command {
            case .createNote(let command): try create(command, write)
            case .saveNote(let command): try save(command, write)
            case .editNote(let command): try edit(command, write)
            case .deleteNote(let command): try delete(command, write)
            }
        } catch {
            return switch error {
            case .needs(let need): .needs(need)
            case .refused(let rejection): .refused(rejection)
            }
        }
    }

    /// Why a command could not be carried out, yet or at all.
    enum Interruption: Error {
        case needs(Need)
        case refused(Rejection)
    }

    /// Whether there is a note of that id.
    func exists(_ id: NoteID) throws(Interruption) -> Bool {
        guard let slot = slots[id] else { throw .needs(.note(id, downTo: .newest)) }
        guard !slot.isStale else { throw .needs(.note(id, downTo: slot.depth(for: .nothing))) }
        return slot.note != nil
    }

    /// What a client builds on: the version, made the antichain of its maximal dots, and what it had been shown there.
    mutating func base(_ version: Version?, of id: NoteID) throws(Interruption) -> Base {
        if let base = try slots[id]?.base(version, of: id) { return base }
        throw .needs(.note(id, downTo: version.map(LoadDepth.init) ?? .newest))
    }

    /// Those of the conflicts that are open at the base; the others mean nothing.
    mutating func open(_ resolves: [ConflictID], of id: NoteID, at base: Base) -> [ConflictID] {
        guard !resolves.isEmpty, let open = slots[id]?.openIDs(at: base.version) else { return [] }
        return open.intersection(resolves).sorted()
    }

    struct Base {
        /// What the note is now.
        let head: Head
        let version: Version
        var text: [UInt8]
        /// What the note shows now.
        let shown: [UInt8]
        let isDeleted: Bool
        let name: NoteName?
    }

    /// Refuses a name that another living note holds, in the store or in this batch.
    func checkFree(_ name: NoteName?, for id: NoteID) throws(Interruption) {
        guard let name else { return }
        guard let committed = holders[name] else { throw .needs(.holders(of: name)) }
        if let stale = slots.first(where: { $0.value.isStale && !$0.value.made.isEmpty }) {
            throw .needs(.note(stale.key, downTo: stale.value.depth(for: .nothing)))
        }
        let unchanged = committed.filter { slots[$0]?.made.isEmpty ?? true }
        let changed = slots.values.compactMap { slot in
            slot.made.isEmpty || slot.note?.head.name != name ? nil : slot.note?.id
        }
        if let holder = (unchanged + changed).filter({ $0 != id }).min() { throw .refused(.nameTaken(by: holder)) }
    }

    /// Makes a note of its first revision.
    ///
    /// - Precondition: it was asked for, and there is none.
    mutating func begin(_ revision: Revision) -> Note {
        let note = Note(first: revision)
        slots[revision.note]?.begin(note, revision)
        return note
    }

    /// Adds a revision to its note.
    ///
    /// - Precondition: its parents are those of a `base` that was found in this copy.
    mutating func append(_ revision: Revision) {
        slots[revision.note]?.append(revision)
    }

    /// Takes the newest revision of a note back. The note is needed anew if it is asked for again.
    mutating func takeBack(from id: NoteID) {
        slots[id]?.takeBack()
    }
}

extension LoadDepth {
    /// What a revision on that base needs to be walked.
    package init(base version: Version) {
        self = version.isNothing ? .start : .dots(version)
    }
}
