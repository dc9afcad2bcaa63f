import Causality
import NotesModel

/// Knows what writers were shown and what was acknowledged, and nothing of versions: who is owed which words.
///
/// A dot is to it the name of an acknowledgement. It keeps books of its own on which acknowledged write came to which store, so
/// that a store which loses one cannot say that it was never there.
struct SimJudge {
    /// What a write did to the text that its writer had been shown.
    struct Entry {
        let note: NoteID
        var inserted: Set<Int> = []
        var removed: Set<Int> = []
        /// What the writer of a deletion had been shown.
        var deleted: Set<Int>?
        /// Whether the writer had been shown a deleted note and not what lies below: any text that a deletion took may be gone.
        var isRestoring = false
    }

    private var entries: [Dot: Entry] = [:]
    private var contents: [Dot: Revision] = [:]
    /// For each store what came to it.
    private(set) var held: [Set<Dot>] = []

    mutating func addStore(holding dots: Set<Dot> = []) {
        held.append(dots)
    }

    mutating func restore(_ store: Int, holding dots: Set<Dot>) {
        held[store] = dots
    }

    mutating func delivered(_ revisions: [Revision], to store: Int) {
        held[store].formUnion(revisions.map(\.dot))
    }

    /// - Returns: what is wrong with the acknowledgement.
    mutating func acknowledged(_ entry: Entry, as revision: Revision, by store: Int) -> String? {
        if let other = contents.updateValue(revision, forKey: revision.dot), other != revision {
            return "\(revision.dot) was minted twice"
        }
        entries[revision.dot] = entry
        held[store].insert(revision.dot)
        return nil
    }

    /// What is wrong with a text that is shown by one who holds these writes.
    func fault(in text: [UInt8], isDeleted: Bool, of note: NoteID, holding dots: Set<Dot>) -> String? {
        guard let tokens = SimText.tokens(in: text) else { return "shows a part of a word: \(string(text))" }
        var counts: [Int: Int] = [:]
        var sum = Entry(note: note, deleted: [])
        var hasDeletion = false
        for dot in dots {
            guard let entry = entries[dot], entry.note == note else { continue }
            for token in entry.inserted { counts[token, default: 0] += 1 }
            sum.removed.formUnion(entry.removed)
            if let deleted = entry.deleted {
                sum.deleted?.formUnion(deleted)
                hasDeletion = true
            }
            sum.isRestoring = sum.isRestoring || entry.isRestoring
        }
        // One that was sent twice stands there until who was shown both copies removes it.
        let sentTwice = Set(counts.filter { $0.value > 1 }.keys)
        let deleted = sum.deleted ?? []
        let owed = Set(counts.keys).subtracting(sum.removed).subtracting(sum.isRestoring ? deleted : [])
        let shown = Set(tokens.map(\.number))
        if shown.count != tokens.count { return "shows a word twice: \(string(text))" }
        if isDeleted {
            if !text.isEmpty { return "is deleted and shows \(string(text))" }
            if !hasDeletion { return "is deleted, and nobody deleted it" }
            let lost = owed.subtracting(deleted)
            return lost.isEmpty ? nil : "is deleted by nobody who was shown \(lost.sorted())"
        }
        let lost = owed.subtracting(shown)
        if !lost.isEmpty { return "lost \(lost.sorted()), shows \(string(text))" }
        let revived = shown.intersection(sum.removed).subtracting(sentTwice)
        if !revived.isEmpty { return "shows \(revived.sorted()) again, which was removed: \(string(text))" }
        let strange = shown.subtracting(counts.keys)
        return strange.isEmpty ? nil : "shows \(strange.sorted()), which nobody wrote there"
    }

    private func string(_ text: [UInt8]) -> String {
        String(decoding: text, as: UTF8.self).debugDescription
    }
}
