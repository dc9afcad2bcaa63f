import NotesEngine
import NotesModel
import NotesWire

/// Cache of encoded `note.changed` lines. Most dependents get the same line for a change, except
/// for its watch, `seq` and cursor.
struct EncodedChanges {
    private struct Key: Hashable {
        /// Sequence of the commit. A commit changes one note.
        let sequence: UInt64
        let form: EncodedNotes.Form
        /// Nil if the line contains no offset, so that it is the same in every encoding.
        let encoding: PositionEncoding?
        let change: ChangeWord
        let changes: Int
        /// Whether the line has an origin. A commit has one origin, but it may no longer be known.
        let isOriginKnown: Bool
    }

    private var notes = EncodedNotes()
    /// Encoded batches of changes, newest last.
    private var sequences: [(of: RenderedChanges, encoding: PositionEncoding, encoded: EncodedChangeSequence)] = []
    private static let sequencesMax = 16
    private var encoded: [Key: EncodedChange] = [:]
    private var bytes = 0

    /// Size of the largest note whose line is cached, in bytes. For longer ones, only the note is
    /// cached, because encoding the line around it costs little compared with copying it.
    private static let noteBytesMax = 16 << 10
    /// Size at which the cache of lines is emptied, in bytes, without notes.
    private static let bytesMax = 1 << 20

    /// The encoded line of a change.
    ///
    /// - Complexity: O(1) if cached; otherwise O(bytes) and that of `EncodedNotes`.
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

    /// The encoded lines of a batch of changes.
    ///
    /// - Complexity: O(1) if cached; otherwise O(bytes), and that of each change.
    mutating func changes(_ shared: RenderedChanges, encoding: PositionEncoding) -> EncodedChangeSequence {
        if let kept = sequences.last(where: { $0.of === shared && $0.encoding == encoding }) { return kept.encoded }
        let encoded = EncodedChangeSequence(
            shared.changes.map { ($0.cursor, change($0.notification, encoding: encoding)) })
        if sequences.count == Self.sequencesMax { sequences.removeFirst() }
        sequences.append((shared, encoding, encoded))
        return encoded
    }

    /// The last changes were encoded for all recipients except lagging ones. Shrinks the cache.
    mutating func deliveryEnded() {
        notes.trim()
    }
}
