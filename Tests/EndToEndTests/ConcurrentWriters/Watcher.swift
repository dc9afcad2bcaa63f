import Causality
import NotesClient
import NotesModel
import NotesWire
import Testing

/// A client that only watches and checks every line against the guarantees of a watch.
struct Watcher {
    struct Known: Sendable {
        var version: Version
        var isDeleted: Bool
        /// The text; nil if the watch does not include texts.
        var text: [UInt8]?
    }

    let client: NotesClient
    let label: String
    let params: WatchNotes
    let encoding: PositionEncoding
    private(set) var known: [NoteID: Known] = [:]
    private(set) var lines = 0
    private(set) var resumptions = 0
    private var seq: UInt64 = 0
    private var sequence: UInt64 = 0
    /// Notes received since the connection was made. The first line about a note may be older than
    /// what is known, if one batch held several notes and the connection broke between them.
    private var told: Set<NoteID> = []

    init(client: NotesClient, label: String, params: WatchNotes, encoding: PositionEncoding) {
        self.client = client
        self.label = label
        self.params = params
        self.encoding = encoding
    }

    /// Watches until a given note arrives, which is written last: then everything committed before
    /// has arrived.
    mutating func run(_ watch: NoteWatch, until last: NoteID) async throws {
        for try await event in watch {
            try await take(event)
            if known[last] != nil { return }
        }
        Issue.record("\(label): the watch ended before the last note")
    }

    private mutating func take(_ event: WatchEvent) async throws {
        if let number = event.seq {
            #expect(number == seq + 1, "\(label): seq has no gap")
            seq = number
            lines += 1
        }
        switch event {
        case .started(let start):
            #expect(!start.isReset, "\(label): a received cursor stays valid for ever")
            if start.isResumed { resumptions += 1 }
            seq = 0
            told = []
            checkCursor(start.cursor, mayStepBack: start.isResumed || seq == 0)
        case .changed(let change):
            checkCursor(change.cursor)
            try await take(change)
        case .synced(let mark), .bookmark(let mark): checkCursor(mark.cursor)
        case .reset: Issue.record("\(label): no watch here is slow")
        case .interrupted, .presence: break
        }
    }

    private mutating func checkCursor(_ cursor: Cursor, mayStepBack: Bool = false) {
        if !mayStepBack { #expect(cursor.commit.sequence >= sequence, "\(label): cursors ascend") }
        sequence = cursor.commit.sequence
    }

    private mutating func take(_ change: NoteChanged) async throws {
        let isFirst = told.insert(change.note.id).inserted
        switch change.note {
        case .left(let id, _): known[id] = nil
        case .shown(let note):
            let id = note.head.id
            if !isFirst { #expect(known[id]?.version != note.head.version, "\(label): the same state is not sent twice") }
            #expect(note.head.isDeleted == (change.change == .deleted), "\(label): a deletion is sent as deleted")
            let text = try await text(of: note, mayBeOlder: isFirst)
            known[id] = Known(version: note.head.version, isDeleted: note.head.isDeleted, text: text)
        }
    }

    private func text(of note: NoteObject, mayBeOlder: Bool) async throws -> [UInt8]? {
        switch note.body {
        case .meta:
            #expect(params.include == .meta || note.head.isDeleted, "\(label): texts are sent")
            return note.head.isDeleted ? [] : nil
        case .text(let text): return text
        case .edits(let base?, let edits):
            let old = known[note.head.id]
            if old?.version == base, let text = old?.text {
                let new = Units.apply(edits, to: text, encoding)
                #expect(new != nil, "\(label): edits fit the text of their base")
                return new
            }
            #expect(mayBeOlder && resumptions > 0, "\(label): edits apply to the text sent before")
            return try await client.note(.id(note.head.id), at: note.head.version).text
        case .edits(nil, _):
            Issue.record("\(label): edits of a watch name their base")
            return nil
        }
    }
}
