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
    }

    private enum Form: Hashable {
        case left
        case meta
        case text
        case edits(since: UInt64, PositionEncoding)
    }

    private var encoded: [Key: EncodedNote] = [:]
    private var bytes = 0

    /// What is kept between deliveries, in bytes.
    static let keptBytesMax = 1 << 20
    /// What is kept within one, in bytes.
    static let deliveryBytesMax = 16 << 20

    /// - Complexity: O(1) for a form that is kept; otherwise that of encoding the note, and of `TextDiff` for edits.
    mutating func note(of changed: ChangedNotice, encoding: PositionEncoding) -> EncodedNote {
        let form = Self.form(of: changed, encoding)
        let key = Key(note: changed.state.head.id, sequence: changed.state.sequence, form: form)
        if let note = encoded[key] { return note }
        let note = Self.encode(changed, as: form)
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

    private static func form(of changed: ChangedNotice, _ encoding: PositionEncoding) -> Form {
        guard changed.kind != .left else { return .left }
        switch changed.include {
        case .meta: return .meta
        case .text: return .text
        case .edits:
            guard let base = changed.base, base.text != nil else { return .text }
            return .edits(since: base.sequence, encoding)
        }
    }

    private static func encode(_ changed: ChangedNotice, as form: Form) -> EncodedNote {
        let head = changed.state.head
        guard form != .left else { return EncodedNote(left: head) }
        guard form != .meta, let text = changed.state.text else { return EncodedNote(NoteObject(head)) }
        if case .edits(_, let encoding) = form, let base = changed.base, let baseText = base.text {
            let edits = LineEncoder.edits(from: baseText, to: text, encoding)
            let note = EncodedNote(NoteObject(head, body: .edits(base: base.head.version, edits)))
            // The text as it stands is never longer than as a JSON string: only where the edits are longer is it worth a look.
            guard edits.reduce(0, { $0 + $1.text.count + editBytes }) > text.count else { return note }
            let whole = EncodedNote(NoteObject(head, body: .text(text)))
            return whole.json.count < note.json.count ? whole : note
        }
        return EncodedNote(NoteObject(head, body: .text(text)))
    }

    /// About what an edit has around its text.
    private static let editBytes = 32
}
