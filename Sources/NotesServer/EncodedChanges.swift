import NotesEngine
import NotesModel
import NotesWire

/// `note.changed` lines as they were encoded last: most dependents are told the same of a change, but for their watch, its number and how far
/// that was told.
struct EncodedChanges {
    private struct Key: Hashable {
        /// Of the commit, which is one of one note.
        let sequence: UInt64
        let form: EncodedNotes.Form
        /// Nil where no place in a text is told, and so every encoding's line is the same.
        let encoding: PositionEncoding?
        let change: ChangeWord
        let changes: Int
        /// A commit has one; whether it is still known may differ.
        let isOriginKnown: Bool
    }

    private var notes = EncodedNotes()
    /// Those that are told together, newest last.
    private var sequences: [(of: RenderedChanges, encoding: PositionEncoding, encoded: EncodedChangeSequence)] = []
    private static let sequencesMax = 16
    private var encoded: [Key: EncodedChange] = [:]
    private var bytes = 0

    /// Longer notes are kept alone: around them a line costs little beside copying it.
    private static let noteBytesMax = 16 << 10
    /// What is kept in bytes, besides notes.
    private static let bytesMax = 1 << 20

    /// - Complexity: O(1) for one that is kept; otherwise O(bytes) and that of `EncodedNotes`.
    mutating func change(_ changed: ChangeNotification, encoding: PositionEncoding) -> EncodedChange {
        let form = EncodedNotes.form(of: changed)
        let word = ChangeWord(changed.kind)
        let key = Key(
            sequence: changed.state.sequence, form: form,
            encoding: EncodedNotes.countsPlaces(changed.state, as: form) ? encoding : nil,
            change: word, changes: changed.coalesced, isOriginKnown: changed.origin != nil)
        if let change = encoded[key] { return change }
        let note = notes.note(of: changed, encoding: encoding)
        let change = EncodedChange(change: word, note: note, changes: changed.coalesced, origin: changed.origin)
        guard note.json.count <= Self.noteBytesMax else { return change }
        if bytes > Self.bytesMax {
            encoded = [:]
            bytes = 0
        }
        encoded[key] = change
        bytes += change.byteCount
        return change
    }

    /// What is told together.
    ///
    /// - Complexity: O(1) for what is kept; otherwise O(bytes), and that of each change.
    mutating func changes(_ shared: RenderedChanges, encoding: PositionEncoding) -> EncodedChangeSequence {
        if let kept = sequences.last(where: { $0.of === shared && $0.encoding == encoding }) { return kept.encoded }
        let encoded = EncodedChangeSequence(
            shared.changes.map { ($0.cursor, change($0.notification, encoding: encoding)) })
        if sequences.count == Self.sequencesMax { sequences.removeFirst() }
        sequences.append((shared, encoding, encoded))
        return encoded
    }

    /// All who were told of the last changes have been encoded for, but for those who lag.
    mutating func deliveryEnded() {
        notes.trim()
    }
}
