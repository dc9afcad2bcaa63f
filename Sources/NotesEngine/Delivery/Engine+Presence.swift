import Causality
import Dependents
import Logging
import NotesModel
import NotesStore
import TextMerge

extension Engine {
    /// Sets the presence of a dependent. Receivers are notified in the same turn
    /// (`spreadPresence`).
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

    /// Sets the presence to the last valid one of several that were published without expecting a
    /// response.
    func applyUnansweredPresence(_ said: [SetPresence], of dependent: DependentID) throws(JournalError) {
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

/// The result of checking a position that a client sent.
enum ResolvedPresence {
    /// The position is valid. The head is the note's newest one.
    case found(Presence, Head)
    /// The note or the version does not exist.
    case refused(Rejection)
    /// The selection does not lie in the text.
    case outside(InvalidEdit.Fault)
}

extension NoteCache {
    /// Checks a position against the committed note.
    ///
    /// - Complexity: O(text) at the current version; at an older version that of its text, which
    ///   is read from the store if the cached note does not go back that far.
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
        var deep = Note(record.through(version))
        guard let readable = deep.readable(of: version) else {
            return .refused(.revisionGone(version, oldest: deep.compactionFloor))
        }
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
