import Causality
import NotesModel
import NotesStore

/// The contents of the sides of open conflicts, which may lie far below the cached note.
extension NoteCache {
    /// The conflicts that are open at the current version of a note, with the contents of their sides.
    ///
    /// - Parameters:
    ///   - reached: a version that a load for the sides has to include too.
    ///   - from: passed on to a long load.
    /// - Returns: `long` if the note has to be loaded down to the sides first.
    /// - Complexity: O(conflicts) if they were requested before, at this version or one that only
    ///   commits based on everything followed; otherwise that of the texts at the sides' versions.
    mutating func details(
        in note: inout Note, reaching reached: Version = .nothing, from: [UInt8]? = nil
    ) throws(JournalError) -> Loaded<[ConflictDetail]> {
        let version = note.version
        let (details, missing) = try kept(note.head.conflicts, in: &note, at: version)
        guard !missing.isEmpty else { return .ready(details) }
        switch try load(note.id, downTo: .below(under: missing, version.union(reached)), from: from) {
        case .long(let load): return .long(load)
        case .ready(nil): return .ready([])
        case .ready(var deep?): return .ready(try whole(note.head.conflicts, in: &deep, at: deep.reduced(version)))
        }
    }

    /// The conflicts that are open at a recent version of a note, with the contents of their sides; nil
    /// if these or the version are not in memory.
    mutating func keptDetails(
        of conflicts: [OpenConflict], inNote id: NoteID, at version: Version
    ) throws(JournalError) -> [ConflictDetail]? {
        guard var note = take(id) else { return nil }
        defer { handBack([note]) }
        guard note.covers(version) else { return nil }
        let (details, missing) = try kept(conflicts, in: &note, at: note.reduced(version))
        return missing.isEmpty ? details : nil
    }

    /// Whether a line that shows a change has the sides of the note's conflicts without a walk.
    ///
    /// - Complexity: O(open conflicts).
    mutating func hasSides(of conflicts: [OpenConflict], inNote id: NoteID, at version: Version) -> Bool {
        guard !conflicts.isEmpty else { return true }
        let note = value(id)
        return conflicts.allSatisfy { conflict in
            if conflictSides.value(SidesKey(note: id, conflict: conflict.id, version: version)) != nil { return true }
            if sidesForLines[ConflictedState(note: id, version: version)] != nil { return true }
            // The texts of many sides take long.
            guard conflict.sides.count <= max(2, shortWalkRevisionsMax), let note, note.covers(version) else { return false }
            return conflict.sides.allSatisfy { note.knows(Version($0)) }
        }
    }

    /// The state of a note that a line shows, if its text and the sides of its conflicts need a walk; nil
    /// if they do not.
    mutating func stateToRead(of id: NoteID, at sequence: UInt64) throws(JournalError) -> ConflictedState? {
        guard let head = try headToShow(of: id, at: sequence) else { return nil }
        let isReady = hasSides(of: head.conflicts, inNote: id, at: head.version)
        return isReady ? nil : ConflictedState(note: id, version: head.version)
    }

    /// Keeps the sides that a walk has found, for the lines that wait for them.
    mutating func keep(_ details: [ConflictDetail], of state: ConflictedState) {
        if sidesForLines.count >= Self.statesForLinesMax { sidesForLines = [:] }
        sidesForLines[state] = details
        for detail in details {
            let key = SidesKey(note: state.note, conflict: detail.conflict.id, version: state.version)
            conflictSides.insert(ConflictSides(base: detail.base, sides: detail.sides), for: key)
        }
    }

    /// Keeps the sides that a long command has computed together with the note, which is committed now.
    mutating func keepSides(of load: NoteLoad, in note: Note) {
        for detail in load.details {
            let key = SidesKey(note: note.id, conflict: detail.conflict.id, version: note.version)
            conflictSides.insert(ConflictSides(base: detail.base, sides: detail.sides), for: key)
        }
    }

    /// The read of a note at a version; nil if the note does not exist.
    mutating func versionRead(of state: ConflictedState) throws(JournalError) -> VersionRead? {
        guard let head = try newestHead(of: state.note) else { return nil }
        return VersionRead(GetNote(.id(state.note), at: state.version), of: state.note, author: head.author)
    }

    /// The conflicts that are open at a version of a note, with the contents of their sides. Rows
    /// below the note are read at once, however many.
    ///
    /// - Precondition: the note has the version, and it is reduced.
    mutating func detailsAtOnce(
        of conflicts: [OpenConflict], in note: inout Note, at version: Version
    ) throws(JournalError) -> [ConflictDetail] {
        let (details, missing) = try kept(conflicts, in: &note, at: version)
        guard !missing.isEmpty else { return details }
        guard var deep = try loadAtOnce(note.id, downTo: .below(under: missing, version)) else { return [] }
        return try whole(conflicts, in: &deep, at: deep.reduced(version))
    }

    /// The conflicts of a recent version of a note, as above.
    mutating func detailsAtOnce(
        of conflicts: [OpenConflict], inNote id: NoteID, at version: Version
    ) throws(JournalError) -> [ConflictDetail] {
        if let found = sidesForLines[ConflictedState(note: id, version: version)] { return found }
        let kept = conflicts.compactMap { conflict in
            conflictSides.value(SidesKey(note: id, conflict: conflict.id, version: version)).map {
                ConflictDetail(conflict: conflict, base: $0.base, sides: $0.sides)
            }
        }
        if kept.count == conflicts.count { return kept }
        var found = take(id)
        if found == nil { found = try loadAtOnce(id, downTo: .newest) }
        guard var note = found.take() else { return [] }
        defer { handBack([note]) }
        if !note.covers(version), var deep = try loadAtOnce(id, downTo: .dots(version)) {
            return try detailsAtOnce(of: conflicts, in: &deep, at: deep.reduced(version))
        }
        return try detailsAtOnce(of: conflicts, in: &note, at: note.reduced(version))
    }

    /// The conflicts with the contents of their sides, from a note that goes back to all of them.
    private mutating func whole(
        _ conflicts: [OpenConflict], in note: inout Note, at version: Version
    ) throws(JournalError) -> [ConflictDetail] {
        let (details, missing) = try kept(conflicts, in: &note, at: version)
        guard missing.isEmpty else {
            throw .failed("sides of conflicts in note \(note.id) cannot be computed from its revisions")
        }
        return details
    }

    /// The conflicts whose sides are cached or not below the note, and the sides of the others.
    private mutating func kept(
        _ conflicts: [OpenConflict], in note: inout Note, at version: Version
    ) throws(JournalError) -> (details: [ConflictDetail], missing: [Dot]) {
        var details: [ConflictDetail] = []
        var missing: [Dot] = []
        for conflict in conflicts {
            if let found = try sides(of: conflict, in: &note, at: version) {
                details.append(ConflictDetail(conflict: conflict, base: found.base, sides: found.sides))
            } else {
                missing += conflict.sides
            }
        }
        return (details, missing)
    }

    /// The sides of a conflict; nil if they are neither cached nor in the note.
    private mutating func sides(
        of conflict: OpenConflict, in note: inout Note, at version: Version
    ) throws(JournalError) -> ConflictSides? {
        let key = SidesKey(note: note.id, conflict: conflict.id, version: version)
        if let kept = conflictSides.value(key) { return kept }
        if let loaded = loadedSides(key) { return loaded }
        let found = sidesForLines[ConflictedState(note: note.id, version: version)]
        if let detail = found?.first(where: { $0.conflict.id == conflict.id }) {
            return ConflictSides(base: detail.base, sides: detail.sides)
        }
        guard let contents = note.conflictSides(of: conflict, at: version) else { return nil }
        let id = note.id
        let sides = try conflict.sides(with: contents.sides) { dot throws(JournalError) in try writer(of: dot, inNote: id) }
        let read = ConflictSides(base: contents.base, sides: sides)
        conflictSides.insert(read, for: key)
        return read
    }

    /// The author and the time of a revision; nil if it is missing.
    private mutating func writer(of dot: Dot, inNote id: NoteID) throws(JournalError) -> (author: Author, time: Timestamp)? {
        if let known = sideWriters.value(dot) { return known }
        guard let revision = try journal.revision(dot, of: id) else { return nil }
        sideWriters.insert((revision.author, revision.time), for: dot)
        return (revision.author, revision.time)
    }

    /// The sides that a complete long load has computed, even if they do not fit into the cache.
    private func loadedSides(_ key: SidesKey) -> ConflictSides? {
        guard let finished, finished.id == key.note, finished.command == nil, finished.note?.version == key.version else {
            return nil
        }
        return finished.details.first { $0.conflict.id == key.conflict }.map { ConflictSides(base: $0.base, sides: $0.sides) }
    }
}

/// The contents and authors of a conflict's sides.
struct ConflictSides {
    let base: ConflictContent?
    let sides: [ConflictSide]

    /// Whether the last line of the base or of a side is unterminated.
    var endsWithinALine: Bool { base?.endsWithinALine ?? false || sides.contains(where: \.content.endsWithinALine) }

    /// The approximate memory, in bytes.
    var residentBytes: Int { sides.reduce(base?.residentBytes ?? 0) { $0 + $1.content.residentBytes } }
}

extension [OpenConflict] {
    /// The conflicts, without the contents of their sides.
    var withoutSides: [ConflictDetail] { map { ConflictDetail(conflict: $0, base: nil, sides: []) } }
}

extension ConflictContent {
    fileprivate var endsWithinALine: Bool {
        if case .text(let text) = self { text.last != nil && text.last != UInt8(ascii: "\n") } else { false }
    }

    /// The approximate memory, in bytes.
    var residentBytes: Int {
        if case .text(let text) = self { text.count } else { 0 }
    }
}
