import Dependents
import NotesEngine
import NotesModel
import NotesWire
import TextMerge

/// The notes of `note.changed` lines as they were encoded last, one for each form that dependents asked for.
///
/// Most dependents are told of a change in one delivery, so what is kept from one to the next is for those who lag, and small.
struct EncodedNotes {
    /// A note's state at one commit, in one form. Two states of one note and commit are the same.
    private struct Key: Hashable {
        let note: NoteID
        let sequence: UInt64
        let form: Form
        /// Nil where no place in a text is told, and so every encoding's note is the same.
        let encoding: PositionEncoding?
    }

    enum Form: Hashable {
        case left
        case meta
        case text
        case edits(since: UInt64)
    }

    private var encoded: [Key: EncodedNote] = [:]
    private var bytes = 0

    /// What is kept between deliveries, in bytes.
    static let keptBytesMax = 1 << 20
    /// What is kept within one, in bytes.
    static let deliveryBytesMax = 16 << 20

    /// - Complexity: O(1) for a form that is kept; otherwise that of encoding the note, and of `TextDiff` for edits.
    mutating func note(of changed: ChangeNotification, encoding: PositionEncoding) -> EncodedNote {
        let form = Self.form(of: changed)
        let key = Key(
            note: changed.state.head.id, sequence: changed.state.sequence, form: form,
            encoding: Self.countsPlaces(changed.state, as: form) ? encoding : nil)
        if let note = encoded[key] { return note }
        let note = Self.encode(changed, as: form, encoding)
        trim(to: Self.deliveryBytesMax)
        encoded[key] = note
        bytes += note.json.count
        return note
    }

    /// Forgets all where it is more than that.
    mutating func trim(to bytesMax: Int = keptBytesMax) {
        guard bytes > bytesMax else { return }
        encoded = [:]
        bytes = 0
    }

    /// Whether what is said tells places in a text.
    static func countsPlaces(_ state: NoteState, as form: Form) -> Bool {
        switch form {
        case .left: false
        case .edits: true
        case .meta, .text: !state.head.conflicts.isEmpty || !state.conflicts.isEmpty
        }
    }

    static func form(of changed: ChangeNotification) -> Form {
        guard changed.kind != .left else { return .left }
        switch changed.include {
        case .meta: return .meta
        case .text: return .text
        case .edits:
            guard let base = changed.base, base.text != nil else { return .text }
            return .edits(since: base.sequence)
        }
    }

    private static func encode(_ changed: ChangeNotification, as form: Form, _ encoding: PositionEncoding) -> EncodedNote {
        let head = changed.state.head
        guard form != .left else { return EncodedNote(left: head) }
        guard form != .meta, let text = changed.state.text else { return EncodedNote(NoteObject(head, encoding)) }
        let conflicts = changed.state.conflicts.map { ConflictObject($0, encoding) }
        if case .edits = form, let base = changed.base, let baseText = base.text {
            let edits = LineEncoder.edits(from: baseText, to: text, encoding)
            let note = EncodedNote(
                NoteObject(head, body: .edits(base: base.head.version, edits), conflicts: conflicts))
            // The text as it stands is never longer than as a JSON string: only where the edits are longer is it worth a look.
            guard edits.reduce(0, { $0 + $1.text.count + editBytes }) > text.count else { return note }
            let whole = EncodedNote(NoteObject(head, body: .text(text), conflicts: conflicts))
            return whole.json.count < note.json.count ? whole : note
        }
        return EncodedNote(NoteObject(head, body: .text(text), conflicts: conflicts))
    }

    /// About what an edit has around its text.
    private static let editBytes = 32
}
