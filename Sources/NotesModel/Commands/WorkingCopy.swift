package import Causality
package import NoteText
import TextMerge

/// The part of the model that one batch of commands reads and changes.
///
/// A working copy starts empty. `apply` returns `Step.needs` if a command requires data that is
/// missing; the caller supplies it and applies the command again. Apart from that, `apply` is pure,
/// synchronous and deterministic. Discarding a working copy has no effects. After a batch is
/// durable, the caller puts the changed notes into the cache.
///
///     while case .needs(let need) = step { supply(need); step = copy.apply(command, as: write) }
package struct WorkingCopy: Sendable {
    let limits: ModelLimits
    /// The revisions that a note may hold for an undo of it to be short.
    private let shortUndoRevisionsMax: Int
    private var slots: [NoteID: Slot] = [:]
    private var holders: [NoteName: [NoteID]] = [:]

    /// Creates an empty working copy.
    ///
    /// - Parameters:
    ///   - shortUndoRevisionsMax: the revisions that a note may hold for `apply` to undo some of them. If it holds
    ///     more, the step is `Need.time`.
    ///   - capacity: the expected number of notes.
    package init(limits: ModelLimits, shortUndoRevisionsMax: Int = .max, capacity: Int = 0) {
        self.limits = limits
        self.shortUndoRevisionsMax = shortUndoRevisionsMax
        slots.reserveCapacity(capacity)
    }

    /// The result of applying a command.
    package enum Step: Sendable {
        /// The command requires data; supply it and apply the command again.
        case needs(Need)
        /// The command breaks a rule. The working copy did not change.
        case refused(Rejection)
        /// The command is valid and has no effect.
        case unchanged(Outcome)
        /// The command made a revision, which is now part of the working copy.
        case accepted(Accepted)
    }

    /// Data that the caller must supply.
    package enum Need: Hashable, Sendable {
        /// A note, loaded down to a depth.
        case note(NoteID, downTo: LoadDepth)
        /// The committed notes that have the name and are not deleted.
        case holders(of: NoteName)
        /// Time: the caller applies the command to a working copy of its own that has the note down to the
        /// depth, where nobody waits for it.
        case time(NoteID, downTo: LoadDepth)
    }

    /// Whether the note was supplied. If so, only the journal can satisfy a further need for it.
    package func holds(_ id: NoteID) -> Bool {
        slots[id] != nil
    }

    /// The note as changed so far; nil when it does not exist or was not supplied.
    package func note(_ id: NoteID) -> Note? {
        slots[id]?.note
    }

    /// The notes that this batch changed.
    package var changed: [Note] {
        slots.values.compactMap { $0.made.isEmpty ? nil : $0.note }
    }

    /// The notes that came from the cache and did not change.
    package var untouched: [Note] {
        slots.values.compactMap { $0.isCached && $0.made.isEmpty ? $0.note : nil }
    }

    /// The notes that this batch changed but whose merged state is not available, because a
    /// revision was removed. The caller must load them from the journal.
    package var stale: [NoteID] {
        slots.compactMap { $0.value.isStale && !$0.value.made.isEmpty ? $0.key : nil }
    }

    /// Supplies a note from the cache.
    ///
    /// - Precondition: the copy does not hold the note.
    package mutating func supply(cached note: Note) {
        precondition(!holds(note.id), "a cached note must not replace a note that the batch holds")
        slots[note.id] = Slot(cached: note)
    }

    /// Supplies a note that the journal loaded; nil when there is none. The revisions that the
    /// batch made are applied to it again.
    package mutating func supply(loaded note: Note?, for id: NoteID, downTo depth: LoadDepth) {
        slots[id, default: Slot()].supply(note, downTo: depth)
    }

    /// Supplies the committed notes that have a name and are not deleted.
    package mutating func supply(holders: [NoteID], of name: NoteName) {
        self.holders[name] = holders
    }

    /// Applies a command with the given dot, author and time.
    package mutating func apply(_ command: Command, as write: WriteContext) -> Step {
        do throws(Interruption) {
            return switch command {
            case .createNote(let command): try create(command, write)
            case .saveNote(let command): try save(command, write)
            case .editNote(let command): try edit(command, write)
            case .deleteNote(let command): try delete(command, write)
            case .undoNote(let command): try undo(command, write)
            case .purgeNote(let command): try purge(command, write)
            }
        } catch {
            return switch error {
            case .needs(let need): .needs(need)
            case .refused(let rejection): .refused(rejection)
            }
        }
    }

    /// The reason why a command could not be carried out, yet or at all.
    enum Interruption: Error {
        case needs(Need)
        case refused(Rejection)
    }

    /// Whether there is a note with that id.
    func exists(_ id: NoteID) throws(Interruption) -> Bool {
        guard let slot = slots[id] else { throw .needs(.note(id, downTo: .newest)) }
        guard !slot.isStale else { throw .needs(.note(id, downTo: slot.depth(for: .nothing))) }
        return slot.note != nil
    }

    /// The version that a client built on, reduced to its maximal dots, with the note's state
    /// there.
    mutating func base(_ version: Version?, of id: NoteID) throws(Interruption) -> Base {
        if let base = try slots[id]?.base(version, of: id) { return base }
        throw .needs(.note(id, downTo: version.map(LoadDepth.init) ?? .newest))
    }

    /// The given conflicts that are open at the base. Others have no effect and are dropped.
    mutating func open(_ resolves: [ConflictID], of id: NoteID, at base: Base) -> [ConflictID] {
        guard !resolves.isEmpty, let open = slots[id]?.openIDs(at: base.version) else { return [] }
        return open.intersection(resolves).sorted()
    }

    /// Demands time for an undo of a note that holds many revisions.
    func checkLength(of undo: UndoNote) throws(Interruption) {
        guard let slot = slots[undo.id], let note = slot.note, note.graph.count > shortUndoRevisionsMax else { return }
        let named = Set(undo.revisions).sorted()
        throw .needs(.time(undo.id, downTo: slot.depth(for: undo.base ?? note.version, under: named)))
    }

    /// Checks that revisions are in the past of a base and above the note's floor, so that they can
    /// be withdrawn.
    func checkWithdrawable(_ dots: [Dot], of id: NoteID, at base: Base) throws(Interruption) {
        try slots[id]?.checkWithdrawable(dots, of: id, at: base.version)
    }

    /// The state that a command builds on.
    struct Base {
        /// The note's current head.
        let head: Head
        let version: Version
        var text: [UInt8]
        /// The note's current merged text.
        let shown: [UInt8]
        let isDeleted: Bool
        let name: NoteName?
    }

    /// Rejects a name that another note holds, in the store or in this batch. Deleted notes hold no
    /// name.
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

    /// Creates a note from its first revision.
    ///
    /// - Precondition: the caller asked for the note, and there is none.
    mutating func begin(_ revision: Revision) -> Note {
        let note = Note(first: revision)
        slots[revision.note]?.begin(note, revision)
        return note
    }

    /// Appends a revision to its note.
    ///
    /// - Precondition: its parents are those of a `base` that this copy returned.
    mutating func append(_ revision: Revision) {
        slots[revision.note]?.append(revision)
    }

    /// Gives a withdrawal, the newest revision of its note, the dot and the time of another write.
    ///
    /// - Returns: what `apply` would have returned with these.
    /// - Precondition: the dot is of the same replica, and not older than that of the withdrawal.
    package mutating func place(_ accepted: Accepted, as write: WriteContext) -> Accepted {
        let former = accepted.revision
        precondition(write.dot.replica == former.dot.replica && write.dot >= former.dot, "the order of dots stays")
        let revision = former.placed(at: write.dot, time: write.time)
        slots[revision.note]?.renameNewest(to: revision)
        guard let note = note(revision.note) else { preconditionFailure("a note with a revision is loaded") }
        let shown = accepted.outcome.shown.map { Outcome.Merged(note.head, sent: $0.sent, text: $0.text) }
        return Accepted(
            revision: revision, coversAll: accepted.coversAll, text: accepted.text, name: accepted.name,
            conflicts: accepted.conflicts, lastLine: accepted.lastLine, isDeleted: accepted.isDeleted,
            textEdits: accepted.textEdits, shown: accepted.shown, before: accepted.before, after: note.head,
            outcome: Outcome(
                kind: accepted.outcome.kind, dot: revision.dot, version: Version(revision.dot), shown: shown))
    }

    /// Removes the newest revision of a note. The next access to the note needs it from the
    /// journal.
    mutating func takeBack(from id: NoteID) {
        slots[id]?.takeBack()
    }
}

extension LoadDepth {
    /// The depth that a revision with that base requires for its walk.
    package init(base version: Version) {
        self = version.isNothing ? .start : .dots(version)
    }
}
