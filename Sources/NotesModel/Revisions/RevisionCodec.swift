package import Causality
import NoteText
import TextMerge

/// The canonical encoding of a revision: exactly one sequence of bytes for each content, on every
/// replica.
///
/// Form 2 is final: a change needs a new form. The fields, in order. Numbers are unsigned LEB128 in their shortest form, a *word* is
/// 8 bytes big-endian, and *bytes* have their count before them.
///
///     form       1 byte
///     note       2 words
///     dot        word (replica), number (counter)
///     parents    count, then each dot and the word of its hash, sorted; the word is 0 in a purge,
///                whose parents are erased
///     flags      1 byte; the bit 128 is 0 until a later form has a second byte
///     name       bytes, if the flags say that the write sets a name other than null
///     edits      count, then each: gap since the previous edit's end, bytes removed, replacement
///     resolves   count, then 2 words each
///     withdraws  count, then each dot, sorted, if the flags say that there are any
///     mark       if the flags say that there is one: 1 byte for the kind (1 purge, 2 floor, 3 carrier);
///                for a floor its dot and the word of its hash; then what it covers: count, then each
///                dot, sorted
///     author     user (bytes), label (bytes, if the flags say that there is one)
///     time       number, zigzag
///     reserved   bytes: empty or `TaggedFields`
package enum RevisionCodec {
    /// The number of the form that this program writes and reads.
    package static let form: UInt8 = 2

    private struct Flags: OptionSet {
        let rawValue: UInt8
        static let found = Flags(rawValue: 1)
        static let tombstone = Flags(rawValue: 2)
        static let setsName = Flags(rawValue: 4)
        static let hasName = Flags(rawValue: 8)
        static let hasLabel = Flags(rawValue: 16)
        static let withdraws = Flags(rawValue: 32)
        static let marked = Flags(rawValue: 64)
        static let all: Flags = [.found, .tombstone, .setsName, .hasName, .hasLabel, .withdraws, .marked]
    }

    /// Encodes a revision.
    ///
    /// - Precondition: the edits are in ascending order and do not overlap.
    /// - Complexity: O(bytes of the revision).
    package static func canonicalBytes(of linked: LinkedRevision) -> [UInt8] {
        bytes(of: linked) { $0.counted($1) }
    }

    /// Encodes a revision for a connection: the head is the canonical bytes without those of the
    /// replacements, whose counts stay; the text is the bytes of the replacements in order. Why: text
    /// in JSON compresses better than text in base64.
    ///
    /// - Precondition: that of `canonicalBytes(of:)`.
    /// - Complexity: O(bytes of the revision).
    package static func wireForm(of linked: LinkedRevision) -> WireRevision {
        var text: [UInt8] = []
        let head = bytes(of: linked) { writer, replacement in
            writer.number(UInt64(replacement.count))
            text += replacement
        }
        return WireRevision(head: head, text: text)
    }

    /// The first bytes of the canonical bytes of all revisions of a note.
    package static func start(of note: NoteID) -> [UInt8] {
        var writer = ByteWriter(capacity: startSize)
        writer.byte(form)
        writer.word(note.high)
        writer.word(note.low)
        return writer.bytes
    }

    /// Number of bytes of `start(of:)`.
    package static let startSize = 17

    /// The dot of a revision, from the beginning of its canonical bytes or of its head; nil if they are
    /// damaged there.
    package static func dot(ofHead head: [UInt8]) -> Dot? {
        var reader = ByteReader(head)
        guard reader.byte() == form, note(&reader) != nil else { return nil }
        return dot(&reader)
    }

    private static func bytes(
        of linked: LinkedRevision, writingReplacement: (inout ByteWriter, [UInt8]) -> Void
    ) -> [UInt8] {
        let revision = linked.content
        var writer = ByteWriter(capacity: revision.edits.reduce(192) { $0 + $1.replacement.count + 8 })
        writer.byte(form)
        writer.word(revision.note.high)
        writer.word(revision.note.low)
        write(revision.dot, to: &writer)
        writer.number(UInt64(revision.parents.dots.count))
        for (parent, hash) in zip(revision.parents.dots, linked.parentHashes) {
            write(parent, to: &writer)
            writer.word(revision.mark?.kind == .purge ? 0 : hash.bits)
        }
        writer.byte(flags(of: revision).rawValue)
        if case .set(let name?) = revision.name { writer.counted(name.bytes.utf8) }
        write(revision.edits, to: &writer, writingReplacement: writingReplacement)
        writer.number(UInt64(revision.resolves.count))
        for conflict in revision.resolves {
            writer.word(conflict.high)
            writer.word(conflict.low)
        }
        if revision.isWithdrawal {
            writer.number(UInt64(revision.withdraws.count))
            for dot in revision.withdraws { write(dot, to: &writer) }
        }
        if let mark = revision.mark { write(mark, to: &writer) }
        writer.counted(revision.author.user.utf8)
        if let label = revision.author.label { writer.counted(label.utf8) }
        writer.signed(revision.time.milliseconds)
        writer.counted(revision.reserved)
        return writer.bytes
    }

    /// The SHA-256 of the canonical bytes, 32 bytes. One dot always denotes one hash.
    package static func hash(of revision: LinkedRevision) -> [UInt8] {
        SHA256.hash(of: canonicalBytes(of: revision))
    }

    /// Decodes canonical bytes.
    ///
    /// - Returns: nil for anything that `canonicalBytes(of:)` does not produce.
    package static func revision(from bytes: [UInt8]) -> LinkedRevision? {
        var reader = ByteReader(bytes)
        guard reader.byte() == form, let revision = body(&reader, readingReplacement: { $0.counted() }), reader.isAtEnd else {
            return nil
        }
        return canonicalBytes(of: revision) == bytes ? revision : nil
    }

    /// Decodes the form of a connection.
    ///
    /// - Returns: nil for anything that `wireForm(of:)` does not produce.
    /// - Complexity: O(bytes of the revision).
    package static func revision(from wire: WireRevision) -> LinkedRevision? {
        var reader = ByteReader(wire.head)
        var text = wire.text[...]
        let revision =
            reader.byte() == form
            ? body(&reader) { reader in
                guard let count = reader.number().flatMap(Int.init(exactly:)), count <= text.count else { return nil }
                defer { text.removeFirst(count) }
                return Array(text.prefix(count))
            } : nil
        guard let revision, reader.isAtEnd, text.isEmpty else { return nil }
        return wireForm(of: revision) == wire ? revision : nil
    }

    private static func flags(of revision: Revision) -> Flags {
        var flags: Flags = []
        if revision.origin == .found { flags.insert(.found) }
        if revision.isTombstone { flags.insert(.tombstone) }
        if case .set(let name) = revision.name {
            flags.insert(.setsName)
            if name != nil { flags.insert(.hasName) }
        }
        if revision.author.label != nil { flags.insert(.hasLabel) }
        if revision.isWithdrawal { flags.insert(.withdraws) }
        if revision.mark != nil { flags.insert(.marked) }
        return flags
    }

    private static func write(_ dot: Dot, to writer: inout ByteWriter) {
        writer.word(dot.replica.bits)
        writer.number(dot.counter)
    }

    private static func write(_ mark: Mark, to writer: inout ByteWriter) {
        switch mark.kind {
        case .purge: writer.byte(1)
        case .floor(let dot, let hash):
            writer.byte(2)
            write(dot, to: &writer)
            writer.word(hash.bits)
        case .carrier: writer.byte(3)
        }
        writer.number(UInt64(mark.covers.count))
        for dot in mark.covers { write(dot, to: &writer) }
    }

    private static func write(
        _ edits: [Edit], to writer: inout ByteWriter, writingReplacement: (inout ByteWriter, [UInt8]) -> Void
    ) {
        writer.number(UInt64(edits.count))
        var end = 0
        for edit in edits {
            writer.number(UInt64(edit.start - end))
            writer.number(UInt64(edit.end - edit.start))
            writingReplacement(&writer, edit.replacement)
            end = edit.end
        }
    }

    private static func body(
        _ reader: inout ByteReader, readingReplacement: (inout ByteReader) -> [UInt8]?
    ) -> LinkedRevision? {
        guard let note = note(&reader), let dot = dot(&reader), let parents = parents(&reader) else { return nil }
        guard let rawFlags = reader.byte() else { return nil }
        let flags = Flags(rawValue: rawFlags)
        guard Flags.all.isSuperset(of: flags), let name = name(flags, &reader), let edits = edits(&reader, readingReplacement),
            let resolves = resolves(&reader), let withdraws = flags.contains(.withdraws) ? dots(&reader) : [],
            withdraws == Set(withdraws).sorted()
        else { return nil }
        var mark: Mark?
        if flags.contains(.marked) {
            mark = Self.mark(&reader)
            guard mark != nil else { return nil }
        }
        guard let user = utf8(&reader) else { return nil }
        var label: ByteString?
        if flags.contains(.hasLabel) {
            label = utf8(&reader)
            guard label != nil else { return nil }
        }
        guard let time = reader.signed(), let reserved = reader.counted(), TaggedFields.isValid(reserved) else { return nil }
        let revision = Revision(
            note: note, dot: dot, parents: parents.version, edits: edits,
            origin: flags.contains(.found) ? .found : .stated, name: name, isTombstone: flags.contains(.tombstone),
            resolves: resolves, withdraws: withdraws, mark: mark, author: Author(user: user, label: label),
            time: Timestamp(milliseconds: time), reserved: reserved)
        return LinkedRevision(revision, parentHashes: parents.hashes)
    }

    private static func parents(_ reader: inout ByteReader) -> (version: Version, hashes: [RevisionHash])? {
        guard let count = reader.count() else { return nil }
        var dots: [Dot] = []
        var hashes: [RevisionHash] = []
        for _ in 0..<count {
            guard let dot = dot(&reader), let hash = reader.word() else { return nil }
            dots.append(dot)
            hashes.append(RevisionHash(bits: hash))
        }
        // A version sorts its dots, and the hashes have the order of the dots.
        let version = Version(dots)
        return version.dots == dots ? (version, hashes) : nil
    }

    private static func note(_ reader: inout ByteReader) -> NoteID? {
        guard let high = reader.word(), let low = reader.word() else { return nil }
        return NoteID(checkedHigh: high, low: low)
    }

    private static func dot(_ reader: inout ByteReader) -> Dot? {
        guard let replica = reader.word(), let counter = reader.number(), counter >= 1, counter <= Dot.counterMax else {
            return nil
        }
        return Dot(ReplicaID(bits: replica), counter)
    }

    private static func dots(_ reader: inout ByteReader) -> [Dot]? {
        guard let count = reader.count() else { return nil }
        var dots: [Dot] = []
        for _ in 0..<count {
            guard let dot = dot(&reader) else { return nil }
            dots.append(dot)
        }
        return dots
    }

    private static func mark(_ reader: inout ByteReader) -> Mark? {
        let kind: Mark.Kind
        switch reader.byte() {
        case 1: kind = .purge
        case 2:
            guard let dot = dot(&reader), let hash = reader.word() else { return nil }
            kind = .floor(dot, RevisionHash(bits: hash))
        case 3: kind = .carrier
        default: return nil
        }
        guard let covers = dots(&reader), covers == Set(covers).sorted() else { return nil }
        return Mark(kind, covers: covers)
    }

    private static func name(_ flags: Flags, _ reader: inout ByteReader) -> NameEdit? {
        guard flags.contains(.setsName) else { return flags.contains(.hasName) ? nil : .unchanged }
        guard flags.contains(.hasName) else { return .set(nil) }
        guard let bytes = utf8(&reader), let name = try? NoteName(bytes) else { return nil }
        return .set(name)
    }

    private static func edits(
        _ reader: inout ByteReader, _ readingReplacement: (inout ByteReader) -> [UInt8]?
    ) -> [Edit]? {
        guard let count = reader.count() else { return nil }
        var edits: [Edit] = []
        var end = 0
        for _ in 0..<count {
            guard let gap = reader.number().flatMap(Int.init(exactly:)),
                let removed = reader.number().flatMap(Int.init(exactly:)),
                let replacement = readingReplacement(&reader)
            else { return nil }
            let (start, startOverflows) = end.addingReportingOverflow(gap)
            let (next, endOverflows) = start.addingReportingOverflow(removed)
            guard !startOverflows, !endOverflows else { return nil }
            edits.append(Edit(start: start, end: next, replacement: replacement))
            end = next
        }
        return edits
    }

    private static func resolves(_ reader: inout ByteReader) -> [ConflictID]? {
        guard let count = reader.count() else { return nil }
        var resolves: [ConflictID] = []
        for _ in 0..<count {
            guard let high = reader.word(), let low = reader.word() else { return nil }
            resolves.append(ConflictID(high: high, low: low))
        }
        return resolves
    }

    private static func utf8(_ reader: inout ByteReader) -> ByteString? {
        reader.counted().flatMap(ByteString.init(checkedUTF8:))
    }
}
