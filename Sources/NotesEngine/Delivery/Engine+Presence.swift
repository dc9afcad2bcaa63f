import Causality
import Dependents
import Logging
import NotesModel
import NotesStore
import TextMerge

extension Engine {
    /// Sets the presence of a dependent. Receivers are notified in the same turn
    /// (`spreadPresence`).
    func set(_ set: SetPresence, of dependent: DependentID) throws(JournalError) -> NoteCache.Loaded<Response> {
        guard let place = set.place else {
            dependents.place(nil, head: nil, of: dependent)
            return .ready(.presenceSet)
        }
        switch try noteCache.find(place) {
        case .long(let load): return .long(load)
        case .ready(.found(let presence, let head)):
            dependents.place(presence, head: head, of: dependent)
            return .ready(.presenceSet)
        case .ready(.refused(let rejection)): return .ready(.refused(rejection))
        case .ready(.outside(let fault)): return .ready(.failed(.selection(fault)))
        }
    }

    /// Sets the presence to the last valid one of several that were published without expecting a
    /// response. If the note has to be loaded first, later requests of the dependent wait.
    func applyUnansweredPresence(_ said: [SetPresence], of dependent: DependentID) throws(JournalError) {
        do throws(JournalError) {
            for (index, set) in said.enumerated().reversed() {
                if index < said.count - 1 { longReads.resume(nil, after: 0) }
                switch try self.set(set, of: dependent) {
                case .ready(.presenceSet): return
                case .ready: break
                case .long(let load):
                    // Nobody receives a refusal: the presence stays as it is.
                    _ = postpone(.presence(Array(said[...index]), of: dependent), for: .load(load))
                    return
                }
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
    mutating func find(_ place: SetPresence.Position) throws(JournalError) -> Loaded<ResolvedPresence> {
        if case .long(let load) = try note(place.note) { return .long(load) }
        guard var note = take(place.note) else { return .ready(.refused(.noteNotFound)) }
        defer { handBack([note]) }
        guard let version = place.version else {
            return .ready(.found(Presence(note: note.id, version: .nothing, selection: nil), note.head))
        }
        if note.covers(version) || version.isNothing {
            return .ready(Self.found(place, at: version, in: &note, head: note.head))
        }
        switch try load(place.note, downTo: .dots(version)) {
        case .long(let load): return .long(load)
        case .ready(nil): return .ready(.refused(.noteNotFound))
        case .ready(var deep?):
            guard let readable = deep.readable(of: version) else {
                return .ready(.refused(.revisionGone(version, oldest: deep.compactionFloor)))
            }
            guard deep.knows(readable) else {
                return .ready(
                    .refused(.unknownBase(known: deep.known(of: readable), unknown: deep.unknown(of: readable))))
            }
            return .ready(Self.found(place, at: readable, in: &deep, head: note.head))
        }
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
