import Causality
import EditSession
import NoteTasks
import NoteText
import NotesModel
import NotesWire
import TextMerge

/// A note that an editor has open: its session, and what the editor knows of the note.
struct HostBuffer {
    /// The number that the editor chose.
    let number: Int
    var session: EditSession
    let lineEnds: LineEnds
    /// The state of the note besides its text, as the editor has it.
    var state: NoteState
    /// The version for which the editor has the places of the conflicts and of the others.
    var placesOf: Version?
    /// The name that the note had last.
    var lastName: ByteString?
    /// Requests that wait: for everything to be durable, and for undo or redo, oldest first.
    var saves: [RequestID] = []
    var steps: [RequestID] = []
    /// The request to close the buffer; `nobody` if the editor has gone, and nil while it is open.
    var closing: Closing?
    /// Whether the undo or redo that is offered found a line that somebody else changed.
    var isBothKept = false
    var hasDraft = false
    /// Whether the user knows that the draft cannot be written.
    var hasToldOfDraft = false
    /// Whether the watch of the note began before.
    var wasWatched = false
    /// The other people in the note.
    var people: [DependentID: Person] = [:]

    enum Closing {
        case request(RequestID)
        case nobody
    }

    struct Person {
        let user: ByteString
        let label: ByteString?
        let place: PositionObject
    }

    /// The state of a note besides its text.
    struct NoteState: Hashable {
        var name: ByteString?
        /// The user who deleted the note; nil if it is not deleted.
        var deletedBy: ByteString?
        var conflicts: [ConflictObject]

        init(_ note: NoteObject) {
            name = note.head.name?.bytes
            deletedBy = note.head.isDeleted ? note.head.author.user : nil
            conflicts = note.conflicts
        }
    }

    init(number: Int, _ note: NoteObject, _ session: EditSession, _ lineEnds: LineEnds) {
        self.number = number
        self.session = session
        self.lineEnds = lineEnds
        state = NoteState(note)
        lastName = state.name
    }

    /// The text that the editor shows.
    var shown: [UInt8] { lineEnds.shown(session.text) }

    // MARK: Changes of the editor

    /// The event for a change of the editor.
    ///
    /// - Throws: `BufferFault` if the change does not fit the text that the session has.
    func event(for change: BufferChange, _ positions: EditorPositions) throws(BufferFault) -> EditEvent {
        guard change.number == session.changes + 1 else {
            throw BufferFault("change \(change.number) came after change \(session.changes)")
        }
        let shown = shown
        let stated: [Edit]
        do throws(ParamFault) {
            stated = try Self.edits(change.content, shown, positions)
        } catch {
            throw BufferFault("\(error.path.isEmpty ? "the text" : error.path) \(error.reason)")
        }
        guard stated.fault(forLength: shown.count) == nil else { throw BufferFault("the edits overlap") }
        let length = positions.count(stated.applied(to: shown))
        guard length == change.length else {
            throw BufferFault("the text has \(length) after change \(change.number), and \(change.length) in the editor")
        }
        let edits = lineEnds.hidden(stated, in: session.text)
        let text = edits.applied(to: session.text)
        var caret = edits.last.map { last in
            last.start + last.replacement.count + edits.dropLast().reduce(0) { $0 + $1.growth }
        }
        if let selection = change.selection {
            caret = try offset(selection.head, in: text, positions, "selection")
        }
        let before = try change.before.map { (place) throws(BufferFault) in
            try offset(place, in: session.text, positions, "before")
        }
        return .changed(edits, caret: caret ?? session.caret, continues: change.joins, before: before)
    }

    private static func edits(
        _ content: BufferChange.Content, _ text: [UInt8], _ positions: EditorPositions
    ) throws(ParamFault) -> [Edit] {
        switch content {
        case .text(let new): return StatedDiff.shortEdits(from: text, to: new)
        case .edits(let stated):
            let offsets: [Int]
            do throws(ParamFault) {
                offsets = try positions.bytes(of: stated.flatMap { [$0.start, $0.end] }, in: text)
            } catch {
                throw error.inside("edits")
            }
            return stated.enumerated().map { index, edit in
                Edit(start: offsets[2 * index], end: offsets[2 * index + 1], replacement: edit.text)
            }
        }
    }

    /// The byte offset of a caret in a text of the note.
    func offset(
        _ place: EditorPlace, in text: [UInt8], _ positions: EditorPositions, _ name: String
    ) throws(BufferFault) -> Int {
        do throws(ParamFault) {
            let offsets = try positions.bytes(of: [place], in: lineEnds.shown(text))
            return lineEnds.hidden(offsets, in: text)[0]
        } catch {
            throw BufferFault("\(name) \(error.reason)")
        }
    }

    /// Ascending byte offsets of the note's text, as positions of the editor.
    func places(of offsets: [Int], _ positions: EditorPositions) -> [EditorPlace] {
        positions.places(ofBytes: lineEnds.shown(offsets, in: session.text), in: shown)
    }

    /// Others in the note, with the two ends of their selections in the text that the editor shows.
    func others(_ positions: EditorPositions) -> [(person: Person, ends: [EditorPlace]?)] {
        people.sorted { $0.key.number < $1.key.number }.map { _, person in
            guard let selection = person.place.selection else { return (person, nil) }
            let version = person.place.version
            let ends = session.places(of: [(version, selection.start), (version, selection.end)])
            return (person, ends.count == 2 ? places(of: [ends[0], max(ends[0], ends[1])], positions) : nil)
        }
    }

    /// The open conflicts, with their ranges in the text that the editor shows, in bytes.
    var conflicts: [(conflict: ConflictObject, range: Range<Int>?)] {
        var ranges = session.conflicts[...]
        let isKnown = ranges.count == state.conflicts.count { $0.kind == .text }
        return state.conflicts.map { ($0, $0.kind == .text && isKnown ? ranges.popFirst() : nil) }
    }
}

/// Why a buffer ends: its text is not the one that the editor shows.
struct BufferFault: Error, Hashable {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}
