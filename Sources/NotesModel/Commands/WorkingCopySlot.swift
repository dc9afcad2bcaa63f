import Causality
import TextMerge

extension WorkingCopy {
    /// A supplied note, nil if there is none, with the revisions that this batch appended to it.
    struct Slot: Sendable {
        private(set) var note: Note?
        private(set) var made: [Revision] = []
        /// The dots for which the journal loaded the note. A dot that is still unknown afterwards
        /// does not belong to the note.
        private var asked: Set<Dot> = []
        /// The revisions below which the journal loaded the note, as far as it could.
        private var askedUnder: Set<Dot> = []
        /// Whether the note came from the cache.
        private(set) var isCached: Bool
        /// Whether a revision was removed. A note cannot forget a revision, so it must be loaded
        /// again.
        private(set) var isStale = false

        init(cached note: Note) {
            self.note = note
            isCached = true
        }

        init() {
            isCached = false
        }

        /// The depth to load for a version, so that the batch's revisions can be applied again on
        /// top.
        ///
        /// - Parameter under: revisions that must be above the loaded note's floor.
        func depth(for version: Version, under: [Dot] = []) -> LoadDepth {
            if made.isEmpty, version.isNothing, under.isEmpty { return .newest }
            if made.contains(where: { $0.parents.isNothing }) { return .start }
            let dots = made.reduce(version) { $0.union($1.parents) }
            let under = under + made.flatMap(\.withdraws)
            return under.isEmpty ? .dots(dots) : .below(under: under, dots)
        }

        mutating func supply(_ loaded: Note?, downTo depth: LoadDepth) {
            note = loaded
            (isCached, isStale) = (false, false)
            // Replace the set: this note may be loaded less far down than the previous one.
            (asked, askedUnder) = ([], [])
            if case .dots(let version) = depth { asked = Set(version.dots) }
            if case .below(let under, let version) = depth { (asked, askedUnder) = (Set(version.dots), Set(under)) }
            for revision in made {
                if note == nil {
                    note = Note(first: revision, holdsFloor: true)
                } else {
                    note?.append(revision, holdsFloor: true)
                }
            }
        }

        mutating func base(_ version: Version?, of id: NoteID) throws(Interruption) -> Base {
            guard !isStale else { throw .needs(.note(id, downTo: depth(for: version ?? .nothing))) }
            var base = try baseWithoutText(version, of: id)
            // Compute the text on the stored note: on a copy, the walk would copy all its state and
            // discard the cached result.
            base.text = note?.text(at: base.version) ?? []
            return base
        }

        private func baseWithoutText(_ version: Version?, of id: NoteID) throws(Interruption) -> Base {
            guard let note else { throw .refused(.noteNotFound) }
            guard let version else { throw .refused(.baseRequired(version: note.version)) }
            let reduced = try reduced(version, of: id, in: note)
            return Base(
                head: note.head, version: reduced, text: [], shown: note.text, isDeleted: note.isDeleted(at: reduced),
                name: note.name(at: reduced))
        }

        private func reduced(_ version: Version, of id: NoteID, in note: Note) throws(Interruption) -> Version {
            var readable = version
            if version.isNothing {
                if note.reachesCompactionFloor { throw .refused(.revisionGone(version, oldest: note.compactionFloor)) }
                guard note.isWhole else { throw .needs(.note(id, downTo: .start)) }
            } else if !note.knows(version) {
                // A note that is held completely cannot gain dots by loading.
                let unasked = !note.isWhole && version.dots.contains { !note.knows(Version($0)) && !asked.contains($0) }
                guard !unasked else { throw .needs(.note(id, downTo: depth(for: version))) }
                guard let rest = note.readable(of: version) else {
                    throw .refused(.revisionGone(version, oldest: note.compactionFloor))
                }
                guard note.knows(rest) else {
                    throw .refused(.unknownBase(known: note.known(of: rest), unknown: note.unknown(of: rest)))
                }
                readable = rest
            }
            return note.reduced(readable)
        }

        func checkWithdrawable(_ dots: [Dot], of id: NoteID, at base: Version) throws(Interruption) {
            guard let note else { throw .refused(.noteNotFound) }
            if !note.canWithdraw(dots), !note.isWhole, !askedUnder.isSuperset(of: dots) {
                throw .needs(.note(id, downTo: depth(for: base, under: dots)))
            }
            let held = Set(note.withdrawable(dots))
            let covered = note.graph.covered(dots, by: base)
            for dot in dots {
                guard held.contains(dot) else {
                    // What the journal cannot load is compacted, or no revision of the note.
                    guard note.reachesCompactionFloor else { throw .refused(.cannotWithdraw(dot, .notInBase)) }
                    throw .refused(.revisionGone(Version(dot), oldest: note.compactionFloor))
                }
                guard covered.contains(dot) else { throw .refused(.cannotWithdraw(dot, .notInBase)) }
                guard let parents = note.graph.parents(of: dot), !parents.isNothing else {
                    throw .refused(.cannotWithdraw(dot, .hasNoParents))
                }
                // Without the write that restored a note, the text from before the deletion may show
                // again. Compaction has removed it if the note was deleted at the compaction floor.
                if note.isCompactedWhileDeleted, note.isDeleted(at: parents) {
                    throw .refused(.revisionGone(Version(dot), oldest: note.compactionFloor))
                }
            }
        }

        mutating func openIDs(at version: Version) -> Set<ConflictID>? {
            note?.openIDs(at: version)
        }

        mutating func begin(_ note: Note, _ revision: Revision) {
            self.note = note
            made.append(revision)
            (asked, askedUnder) = ([], [])
        }

        mutating func append(_ revision: Revision) {
            note?.append(revision)
            made.append(revision)
            // The revision may have raised the floor above the dots that were loaded before.
            (asked, askedUnder) = ([], [])
        }

        mutating func renameNewest(to revision: Revision) {
            made[made.count - 1] = revision
            note?.renameNewest(to: revision)
        }

        mutating func takeBack() {
            made.removeLast()
            note = nil
            isStale = true
        }
    }
}
