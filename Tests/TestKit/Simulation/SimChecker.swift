package import Causality
package import NotesModel
import TextMerge

/// The checker of a simulation. It records what writers were sent and what was acknowledged, and
/// nothing about versions, and derives which tokens each text must contain.
///
/// A dot is an opaque id of an acknowledgement. The checker records independently which
/// acknowledged write arrived at which store, so that a store that loses one cannot deny that it
/// had it.
package struct SimChecker {
    /// The effect of a write on the text that its writer had been sent.
    package struct Entry {
        package let note: NoteID
        package var inserted: Set<Int> = []
        package var removed: Set<Int> = []
        /// The text that the writer of a deletion had been sent.
        package var deleted: Set<Int>?
        /// Whether the writer had been sent a deleted note without its text. The write removes what
        /// the note would show without the deletion, even if the deletion is undone later.
        package var isRestoring = false
        /// The writes that it undid. They and it have no effect on the text, unless another write
        /// undid it.
        package var withdraws: [Dot] = []

        package init(
            note: NoteID, inserted: Set<Int> = [], removed: Set<Int> = [], deleted: Set<Int>? = nil, isRestoring: Bool = false,
            withdraws: [Dot] = []
        ) {
            (self.note, self.inserted, self.removed) = (note, inserted, removed)
            (self.deleted, self.isRestoring, self.withdraws) = (deleted, isRestoring, withdraws)
        }
    }

    private var entries: [Dot: Entry] = [:]
    private var contents: [Dot: Revision] = [:]
    /// The writes that arrived at each store.
    package private(set) var held: [Set<Dot>] = []

    package init() {}

    package mutating func addStore(holding dots: Set<Dot> = []) {
        held.append(dots)
    }

    package mutating func restore(_ store: Int, holding dots: Set<Dot>) {
        held[store] = dots
    }

    package mutating func delivered(_ revisions: [LinkedRevision], to store: Int) {
        held[store].formUnion(revisions.map(\.dot))
    }

    /// - Returns: the fault of the acknowledgement; nil when there is none.
    package mutating func acknowledged(_ entry: Entry, as revision: Revision, by store: Int) -> String? {
        if let other = contents.updateValue(revision, forKey: revision.dot), other != revision {
            return "\(revision.dot) was minted twice"
        }
        entries[revision.dot] = entry
        held[store].insert(revision.dot)
        return nil
    }

    /// The note of an acknowledged write; nil for any other dot.
    package func note(of dot: Dot) -> NoteID? { entries[dot]?.note }

    /// The tokens that writes of a note inserted.
    package func tokens(of note: NoteID, in dots: some Sequence<Dot>) -> Set<Int> {
        dots.reduce(into: []) { if let entry = entries[$1], entry.note == note { $0.formUnion(entry.inserted) } }
    }

    /// The tokens that writes of a note inserted, except some writes.
    package func tokens(of note: NoteID, except dots: Set<Dot>) -> Set<Int> {
        tokens(of: note, in: entries.keys.lazy.filter { !dots.contains($0) })
    }

    /// The fault of a merged text in a store that holds these writes.
    package func fault(in text: [UInt8], isDeleted: Bool, of note: NoteID, holding dots: Set<Dot>) -> String? {
        guard let tokens = SimText.tokens(in: text) else { return "shows a part of a word: \(string(text))" }
        var counts: [Int: Int] = [:]
        var sum = Entry(note: note)
        var deleted: Set<Int>?
        let own = dots.filter { entries[$0]?.note == note }
        let withdrawn = withdrawn(among: own)
        var gone: Set<Int> = []
        for dot in own where !withdrawn.contains(dot) {
            guard let entry = entries[dot] else { continue }
            for token in entry.inserted { counts[token, default: 0] += 1 }
            sum.removed.formUnion(entry.removed)
            if !entry.removed.isEmpty, !mayBeVoid(dot, among: own.subtracting(withdrawn)) { gone.formUnion(entry.removed) }
            if let seen = entry.deleted { deleted = (deleted ?? []).union(seen) }
            sum.isRestoring = sum.isRestoring || entry.isRestoring
        }
        // A token that was sent twice stays until a writer that was sent both copies removes it, even
        // if one copy is undone: the writer may have been sent that one.
        var copies: [Int: Int] = [:]
        for dot in own { for token in entries[dot]?.inserted ?? [] { copies[token, default: 0] += 1 } }
        let sentTwice = Set(copies.filter { $0.value > 1 }.keys)
        let returned = returned(among: own)
        var owed = Set(counts.keys).subtracting(sum.removed)
        if sum.isRestoring {
            let hidden = own.reduce(into: returned) { $0.formUnion(entries[$1]?.deleted ?? []) }
            owed.subtract(hidden)
        }
        let shown = Set(tokens.map(\.number))
        if shown.count != tokens.count { return "shows a word twice: \(string(text))" }
        if isDeleted {
            if !text.isEmpty { return "is deleted and shows \(string(text))" }
            guard let deleted else { return "is deleted, and nobody deleted it" }
            let lost = owed.subtracting(deleted).subtracting(returned)
            return lost.isEmpty ? nil : "is deleted by nobody who was shown \(lost.sorted())"
        }
        let lost = owed.subtracting(shown)
        if !lost.isEmpty { return "lost \(lost.sorted()), shows \(string(text))" }
        let revived = shown.intersection(gone).subtracting(sentTwice)
        if !revived.isEmpty { return "shows \(revived.sorted()) again, which was removed: \(string(text))" }
        let strange = shown.subtracting(counts.keys)
        return strange.isEmpty ? nil : "shows \(strange.sorted()), which nobody wrote there"
    }

    /// Whether a line that a write removed may stay because somebody typed in it: one of some writes states
    /// edits, and neither of the two was shown to the other's writer.
    private func mayBeVoid(_ remover: Dot, among dots: Set<Dot>) -> Bool {
        func wasShown(_ dot: Dot, to other: Dot) -> Bool {
            let past = past(of: other)
            return past.contains(dot) && !withdrawn(among: past).contains(dot)
        }
        return dots.contains { dot in
            guard dot != remover, let revision = contents[dot], revision.origin == .stated, !revision.edits.isEmpty else {
                return false
            }
            return !wasShown(dot, to: remover) && !wasShown(remover, to: dot)
        }
    }

    private func past(of dot: Dot) -> Set<Dot> {
        var past: Set<Dot> = []
        var stack = contents[dot]?.parents.dots ?? []
        while let dot = stack.popLast() {
            if past.insert(dot).inserted { stack += contents[dot]?.parents.dots ?? [] }
        }
        return past
    }

    /// The text that an undo or a redo can have brought back. A writer of a deletion may not have been
    /// sent it, because an undo does not keep a note from being deleted.
    private func returned(among dots: Set<Dot>) -> Set<Int> {
        let named = Set(dots.flatMap { entries[$0]?.withdraws ?? [] })
        return named.intersection(dots).compactMap { entries[$0] }.reduce(into: []) {
            $0.formUnion($1.inserted.union($1.removed))
        }
    }

    /// The writes that are undone by one that is not undone itself.
    private func withdrawn(among dots: Set<Dot>) -> Set<Dot> {
        var undoers: [Dot: [Dot]] = [:]
        for dot in dots { for name in entries[dot]?.withdraws ?? [] { undoers[name, default: []].append(dot) } }
        func isWithdrawn(_ dot: Dot) -> Bool { (undoers[dot] ?? []).contains { !isWithdrawn($0) } }
        return Set(undoers.keys.filter(isWithdrawn))
    }

    private func string(_ text: [UInt8]) -> String {
        String(decoding: text, as: UTF8.self).debugDescription
    }
}
