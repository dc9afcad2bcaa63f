package import Causality

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

    /// A note as it was supplied, nil where there is none, with the revisions that this batch made on it.
    private struct Slot: Sendable {
        var note: Note?
        var made: [Revision] = []
        /// Dots that a journal was asked for: one that is unknown none the less is not this note's.
        var asked: Set<Dot> = []

        /// How far down a version needs the note, where what was made stays on top of it.
        func reach(for version: Version) -> Reach {
            made.contains { $0.parents.isNothing }
                ? .start : .dots(made.reduce(version) { $0.union($1.parents) })
        }
    }

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
        case note(NoteID, reaching: Reach)
        /// The living notes of that name, as committed.
        case holders(of: NoteName)
    }

    /// Whether the note was supplied; if so, a need for it can only be met by reaching further down.
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

    /// - Precondition: the copy does not hold the note.
    package mutating func supply(cached note: Note) {
        precondition(!holds(note.id), "a note that the batch changed is not replaced by an older one")
        slots[note.id] = Slot(note: note)
    }

    /// What a journal has of a note, nil for nothing; what the batch made of it stays on top.
    package mutating func supply(loaded note: Note?, for id: NoteID, reaching reach: Reach) {
        var slot = slots[id] ?? Slot()
        slot.note = note
        if case .dots(let version) = reach { slot.asked.formUnion(version.dots) }
        for revision in slot.made {
            if slot.note == nil {
                slot.note = Note(first: revision, holdsFloor: true)
            } else {
                slot.note?.append(revision, holdsFloor: true)
            }
        }
        slots[id] = slot
    }

    package mutating func supply(holders: [NoteID], of name: NoteName) {
        self.holders[name] = holders
    }

    package mutating func apply(_ command: Command, as write: Write) -> Step {
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

    /// The note of that id; nil where there is none.
    func existing(_ id: NoteID) throws(Interruption) -> Note? {
        guard let slot = slots[id] else { throw .needs(.note(id, reaching: .newest)) }
        return slot.note
    }

    /// What a client builds on: the version, made the antichain of its maximal dots, and what it had been shown there.
    func base(_ version: Version?, of id: NoteID) throws(Interruption) -> Base {
        guard let slot = slots[id] else {
            throw .needs(.note(id, reaching: version.map(Reach.init) ?? .newest))
        }
        guard var note = slot.note else { throw .refused(.noteNotFound) }
        guard let version else { throw .refused(.baseRequired(version: note.version)) }
        if version.isNothing {
            guard note.isWhole else { throw .needs(.note(id, reaching: .start)) }
        } else if !note.knows(version) {
            // Of a note that is held whole, nothing more can come.
            let unasked = !note.isWhole && version.dots.contains { !note.knows(Version($0)) && !slot.asked.contains($0) }
            guard !unasked else { throw .needs(.note(id, reaching: slot.reach(for: version))) }
            throw .refused(.unknownBase(known: note.known(of: version), unknown: note.unknown(of: version)))
        }
        let reduced = note.reduced(version)
        let text = note.text(at: reduced)
        return Base(
            note: note, version: reduced, text: text, isDeleted: note.isDeleted(at: reduced), name: note.name(at: reduced))
    }

    struct Base {
        let note: Note
        let version: Version
        let text: [UInt8]
        let isDeleted: Bool
        let name: NoteName?
    }

    /// Refuses a name that another living note holds, in the store or in this batch.
    func checkFree(_ name: NoteName?, for id: NoteID) throws(Interruption) {
        guard let name else { return }
        guard let committed = holders[name] else { throw .needs(.holders(of: name)) }
        let unchanged = committed.filter { slots[$0]?.made.isEmpty ?? true }
        let changed = slots.values.compactMap { slot in
            slot.made.isEmpty || slot.note?.head.name != name ? nil : slot.note?.id
        }
        if let holder = (unchanged + changed).filter({ $0 != id }).min() { throw .refused(.nameTaken(by: holder)) }
    }

    mutating func adopt(_ note: Note, with revision: Revision) {
        slots[revision.note, default: Slot()].note = note
        slots[revision.note, default: Slot()].made.append(revision)
        // The revision may have raised the note's floor past what was asked for before.
        slots[revision.note, default: Slot()].asked = []
    }
}

extension Reach {
    /// What a revision on that base needs to be walked.
    package init(base version: Version) {
        self = version.isNothing ? .start : .dots(version)
    }
}
