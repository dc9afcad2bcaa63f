import NotesModel
import NotesWire

/// A line of a watch, as much of it as is judged.
struct WatchLine: Hashable, Sendable {
    enum Event: Hashable, Sendable {
        case changed(Change)
        case synced
        case bookmark
        case reset
    }

    struct Change: Hashable, Sendable {
        var word: ChangeWord
        /// Of the note's id.
        var note: Digest
        /// Of the version as it is written.
        var version: Digest
        var isDeleted: Bool
        /// How many changes the line stands for.
        var changes: Int
        /// The dependent whose change the newest was.
        var origin: UInt64?
        var body: Body
    }

    enum Body: Hashable, Sendable {
        case meta
        case text([UInt8])
        case edits(base: Digest, [PositionedEdit])
    }

    var watch: UInt64
    var seq: UInt64
    /// The commit that the cursor names; 0 in a reset, which has none.
    var cursor: UInt64
    /// Of the run that made it.
    var replica: Digest?
    var event: Event
}

// MARK: - Reading

extension WatchLine {
    private static let start: StaticString = #"{"jsonrpc":"2.0","method":"note.changed","params":{"watch":"#

    /// Reads a line about a note in the form in which the daemon writes it: its members in their order, no space between them.
    /// JSON says that this order means nothing, so nil is no fault: such a line is read as JSON.
    ///
    /// What is sought further on cannot be met inside a string, where its quotes would be escaped.
    ///
    /// - Complexity: O(bytes), most of it in `memchr`. One without optimisation reads 100,000 lines a second so; as JSON, 2,000.
    init?(quickly bytes: UnsafeRawBufferPointer) {
        var scanner = ByteScanner(bytes)
        guard scanner.pass(Self.start), let watch = scanner.number(),
            scanner.pass(#","seq":"#), let seq = scanner.number(),
            scanner.pass(#","cursor":""#), let cursor = scanner.number(),
            scanner.pass("."), let named = scanner.field(before: "\""), let replica = Self.replica(named),
            scanner.pass(#","change":""#), let word = scanner.field(before: "\"").flatMap({ Self.word($0) }), word != .left,
            scanner.pass(#","note":{"id":""#), let note = scanner.field(before: "\""),
            scanner.pass(through: #","version":""#), let version = scanner.field(before: "\""),
            scanner.pass(through: #","deleted":"#)
        else { return nil }
        let isDeleted = scanner.pass("true")
        guard isDeleted || scanner.pass("false"), scanner.pass("}") else { return nil }
        var changes = 1
        if scanner.pass(#","coalesced":"#) {
            guard let count = scanner.number(), count >= 2 else { return nil }
            changes = Int(count)
        }
        var origin: UInt64?
        if scanner.pass(#","origin":{"dependent":"#) {
            origin = scanner.number()
            guard origin != nil, scanner.pass(#","label":"#), scanner.ends(with: "}}}") else { return nil }
        } else {
            guard scanner.pass("}}"), scanner.isAtEnd else { return nil }
        }
        self.init(
            watch: watch, seq: seq, cursor: cursor, replica: Digest(replica),
            event: .changed(
                Change(
                    word: word, note: Digest(note), version: Digest(version), isDeleted: isDeleted, changes: changes,
                    origin: origin, body: .meta)))
    }

    private static let words: [(word: ChangeWord, digest: Digest)] = ChangeWord.allCases.map { ($0, Digest($0.rawValue)) }

    /// Of the commit, before the one that may stand behind it.
    private static func replica(_ named: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        named.count < replicaDigits ? nil : UnsafeRawBufferPointer(rebasing: named[..<replicaDigits])
    }

    private static let replicaDigits = 16

    private static func word(_ bytes: UnsafeRawBufferPointer) -> ChangeWord? {
        let digest = Digest(bytes)
        return words.first { $0.digest == digest }?.word
    }

    /// Reads any line as the client library does; nil for one that is no watch's.
    init?(parsing bytes: UnsafeRawBufferPointer) throws {
        guard case .notification(let notification) = try ServerLine(parsing: Array(bytes)) else { return nil }
        switch notification {
        case .changed(let changed): self.init(changed)
        case .synced(let mark): self.init(mark, .synced)
        case .bookmark(let mark): self.init(mark, .bookmark)
        case .reset(let reset): self.init(watch: reset.watch, seq: reset.seq, cursor: 0, replica: nil, event: .reset)
        default: return nil
        }
    }

    private init(_ mark: WatchMark, _ event: Event) {
        self.init(
            watch: mark.watch, seq: mark.seq, cursor: mark.cursor.commit.sequence,
            replica: Digest("\(mark.cursor.commit.replica)"),
            event: event)
    }

    private init(_ changed: NoteChanged) {
        let change: Change
        switch changed.note {
        case .left(let id, let version):
            change = Change(
                word: changed.change, note: Digest("\(id)"), version: Digest("\(version)"), isDeleted: false,
                changes: changed.changes, origin: changed.origin?.dependent.number, body: .meta)
        case .shown(let note):
            change = Change(
                word: changed.change, note: Digest("\(note.head.id)"), version: Digest("\(note.head.version)"),
                isDeleted: note.head.isDeleted, changes: changed.changes, origin: changed.origin?.dependent.number,
                body: Body(note.body))
        }
        self.init(
            watch: changed.watch, seq: changed.seq, cursor: changed.cursor.commit.sequence,
            replica: Digest("\(changed.cursor.commit.replica)"), event: .changed(change))
    }
}

extension WatchLine.Body {
    fileprivate init(_ body: NoteObject.Body) {
        switch body {
        case .meta: self = .meta
        case .text(let text): self = .text(text)
        case .edits(let base, let edits): self = .edits(base: Digest(base.map { "\($0)" } ?? ""), edits)
        }
    }
}
