import Causality
import Dependents
import Logging
import NotesModel
import NotesStore
import TextMerge

extension Engine {
    /// Says where a dependent is. Who is concerned is told with the turn (`spreadPresence`).
    func set(_ set: SetPresence, of dependent: DependentID) throws(JournalError) -> Response {
        guard let place = set.place else {
            dependents.place(nil, head: nil, of: dependent)
            return .presenceSet
        }
        switch try noteCache.find(place) {
        case .found(let presence, let head):
            dependents.place(presence, head: head, of: dependent)
            return .presenceSet
        case .refused(let rejection): return .refused(rejection)
        case .outside(let fault): return .failed(.selection(fault))
        }
    }

    /// The same of what was said one after the other, where nobody waits for what becomes of it: the last that can be.
    func setQuietly(_ said: [SetPresence], of dependent: DependentID) throws(JournalError) {
        do throws(JournalError) {
            for set in said.reversed() {
                if case .presenceSet = try self.set(set, of: dependent) { return }
            }
        } catch {
            if case .fatal = error { throw error }
            logger.error(
                "a read failed",
                metadata: ["event": "read-failed", "error": "\(error)", "dependent": "\(dependent.number)"])
        }
    }
}

/// What a place that a client states comes to.
enum ResolvedPresence {
    /// With what the note is now.
    case found(Presence, Head)
    case refused(Rejection)
    case outside(InvalidEdit.Fault)
}

extension NoteCache {
    /// Looks for a place in what is committed.
    ///
    /// - Complexity: O(text) at what the note shows now; at an older version that of its text, read from the store where the note does
    ///   not reach down to it.
    mutating func find(_ place: SetPresence.Position) throws(JournalError) -> ResolvedPresence {
        var taken = take(place.note)
        if taken == nil { taken = try load(place.note, downTo: .newest) }
        guard var note = taken.take() else { return .refused(.noteNotFound) }
        defer { handBack([note]) }
        guard let version = place.version else {
            return .found(Presence(note: note.id, version: .nothing, selection: nil), note.head)
        }
        if note.covers(version) || version.isNothing { return Self.found(place, at: version, in: &note, head: note.head) }
        guard let record = try journal.note(place.note, downTo: .dots(version), asOf: nil) else {
            return .refused(.noteNotFound)
        }
        var deep = Note(record)
        guard let readable = deep.readable(of: version) else { return .refused(.revisionGone(version, oldest: deep.compactionFloor)) }
        guard deep.knows(readable) else {
            return .refused(.unknownBase(known: deep.known(of: readable), unknown: deep.unknown(of: readable)))
        }
        return Self.found(place, at: readable, in: &deep, head: note.head)
    }

    private static func found(
        _ place: SetPresence.Position, at version: Version, in note: inout Note, head: Head
    ) -> ResolvedPresence {
        let version = note.reduced(version)
        guard let stated = place.selection else {
            return .found(Presence(note: note.id, version: version, selection: nil), head)
        }
        let text = note.text(at: version)
        let edits: [Edit]
        do throws(InvalidEdit) {
            edits = try Positions.bytes(
                of: [PositionedEdit(start: stated.start, end: stated.end, text: [])], in: text, encoding: place.encoding)
        } catch {
            return .outside(error.fault)
        }
        let places = Positions.places(ofBytes: edits.flatMap { [$0.start, $0.end] }, in: text)
        guard places.count == 2 else { return .outside(.startAfterEnd) }
        let selection = Presence.Selection(start: places[0], end: places[1])
        return .found(Presence(note: note.id, version: version, selection: selection), head)
    }
}
