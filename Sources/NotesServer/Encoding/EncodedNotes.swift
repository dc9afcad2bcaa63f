import Dependents
import NotesEngine
import NotesModel
import NotesWire
import TextMerge

/// Cache of the encoded notes in `note.changed` lines, one for each form that dependents request.
///
/// Most dependents get a change in the same delivery. Between deliveries the cache serves only
/// lagging dependents, so little is kept.
struct EncodedNotes {
    /// A note's state at one commit, in one form. Two states of one note and commit are the same.
    private struct Key: Hashable {
        let note: NoteID
        let sequence: UInt64
        let form: Form
        /// Nil if the note contains no offset, so that it is the same in every encoding.
        let encoding: PositionEncoding?
    }

    /// Content of the note in a line.
    enum Form: Hashable {
        /// The id, of a note that left the watch's filter.
        case left
        /// Metadata without the text.
        case meta
        /// Metadata and the text.
        case text
        /// Metadata, and edits from the text at the commit `since`.
        case edits(since: UInt64)
    }

    private var encoded: [Key: EncodedNote] = [:]
    private var bytes = 0

    /// Size of the cache between deliveries, in bytes.
    static let keptBytesMax = 1 << 20
    /// Size of the cache during a delivery, in bytes.
    static let deliveryBytesMax = 16 << 20

    /// The encoded note of a change.
    ///
    /// - Complexity: O(1) if cached; otherwise that of encoding the note, and of `TextDiff` for
    ///   edits.
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

    /// Empties the cache if it is larger than `bytesMax`.
    mutating func trim(to bytesMax: Int = keptBytesMax) {
        guard bytes > bytesMax else { return }
        encoded = [:]
        bytes = 0
    }

    /// Whether the encoded note contains offsets in a text: edits, or conflicts.
    static func countsPlaces(_ state: NoteState, as form: Form) -> Bool {
        switch form {
        case .left: false
        case .edits: true
        case .meta, .text: !state.head.conflicts.isEmpty || !state.conflicts.isEmpty
        }
    }

    /// The form in which a change is sent. Falls back to the whole text if the text of the base is
    /// unknown.
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
            // A text is never longer than its JSON string. Encoding the whole text can be shorter
            // only if the edits are longer than the bare text.
            guard edits.reduce(0, { $0 + $1.text.count + editBytes }) > text.count else { return note }
            let whole = EncodedNote(NoteObject(head, body: .text(text), conflicts: conflicts))
            return whole.json.count < note.json.count ? whole : note
        }
        return EncodedNote(NoteObject(head, body: .text(text), conflicts: conflicts))
    }

    /// Approximate size of an edit without its text, in bytes.
    private static let editBytes = 32
}
