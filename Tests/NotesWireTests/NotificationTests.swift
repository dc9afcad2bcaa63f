import Causality
import NoteText
import NotesModel
import NotesWire
import TestKit
import Testing

@Suite struct NotificationTests {
    private let cursor = Cursor(CommitPosition(sequence: 42, replica: replica("A")))

    private func read(_ line: [UInt8]) throws -> ServerNotification? {
        guard line.last == UInt8(ascii: "\n"), case .notification(let notification) = try ServerLine(parsing: line.dropLast())
        else {
            return nil
        }
        return notification
    }

    @Test func changed_isExact() {
        let note = EncodedNote(left: head())
        let alone = EncodedChange(change: .left, note: note, changes: 1, origin: nil)
        #expect(
            string(alone.line(watch: 3, seq: 7, cursor: cursor)) == """
                {"jsonrpc":"2.0","method":"note.changed","params":{"watch":3,"seq":7,"cursor":"42.aaaaaaaaaaaaaaaa","change":"left",\
                "note":{"id":"\(noteID(1))","version":"aaaaaaaaaaaaaaaa:2"}}}\n
                """)
        let coalesced = EncodedChange(
            change: .left, note: note, changes: 2, origin: Origin(dependent: DependentID(9), label: "mac/emacs"))
        #expect(
            string(coalesced.line(watch: .max, seq: 0, cursor: cursor)).hasPrefix(
                #"{"jsonrpc":"2.0","method":"note.changed","params":{"watch":18446744073709551615,"seq":0,"cursor":"42."#))
        #expect(
            string(coalesced.line(watch: 3, seq: 7, cursor: cursor)).hasSuffix(
                "},\"coalesced\":2,\"origin\":{\"dependent\":9,\"label\":\"mac/emacs\"}}}\n"))
    }

    private func head() -> Head {
        let time = Timestamp(milliseconds: 0)
        return Head(
            id: noteID(1), name: nil, version: version("A2"), vector: VersionVector(), title: "", tags: [], created: time,
            modified: time, author: ada, bytes: 0, isDeleted: false)
    }

    @Test func syncedBookmarkAndReset_areExact() {
        let mark = WatchMark(watch: 3, seq: 2, cursor: cursor)
        let params = "\"params\":{\"watch\":3,\"seq\":2,\"cursor\":\"42.aaaaaaaaaaaaaaaa\"}}\n"
        #expect(string(mark.syncedLine()) == "{\"jsonrpc\":\"2.0\",\"method\":\"watch.synced\"," + params)
        #expect(string(mark.bookmarkLine()) == "{\"jsonrpc\":\"2.0\",\"method\":\"watch.bookmark\"," + params)
        #expect(
            string(WatchReset(watch: 1, seq: 2, reason: "outbox_full").line())
                == "{\"jsonrpc\":\"2.0\",\"method\":\"watch.reset\",\"params\":{\"watch\":1,\"seq\":2,\"reason\":\"outbox_full\"}}\n"
        )
        #expect(
            string(SessionClosing(reason: "shutting_down", retryAfterMilliseconds: 1_000).line())
                == "{\"jsonrpc\":\"2.0\",\"method\":\"session.closing\",\"params\":{\"reason\":\"shutting_down\",\"retryAfterMs\":1000}}\n"
        )
    }

    @Test func progress_isExact() {
        let start = #"{"jsonrpc":"2.0","method":"progress","params":"#
        let number = RequestProgress(id: .integer(7), done: 3, total: 12)
        #expect(string(number.line()) == start + #"{"id":7,"done":3,"total":12}}"# + "\n")
        let word = RequestProgress(id: .string("a"), done: 0, total: 0)
        #expect(string(word.line()) == start + #"{"id":"a","done":0,"total":0}}"# + "\n")
    }

    @Test func presence_isExact() {
        let user = UserInfo(uid: 1_000, name: "ada")
        let place = PositionObject(version: version("A2"), selection: Selection(start: 3, end: 7))
        let here = PresenceChanged(note: noteID(1), dependent: DependentID(9), label: "mac/emacs", user: user, place: place)
        #expect(
            string(here.line()) == """
                {"jsonrpc":"2.0","method":"presence.changed","params":{"note":"\(noteID(1))","dependent":9,"label":"mac/emacs",\
                "user":{"uid":1000,"name":"ada"},"version":"aaaaaaaaaaaaaaaa:2","selection":{"start":3,"end":7}}}\n
                """)
        let open = PresenceChanged(
            note: noteID(1), dependent: DependentID(9), label: nil, user: user,
            place: PositionObject(version: .nothing, selection: nil))
        #expect(string(open.line()).hasSuffix(",\"version\":\"\",\"selection\":null}}\n"))
        let gone = PresenceChanged(note: noteID(1), dependent: DependentID(9), label: nil, user: user, place: nil)
        #expect(string(gone.line()).hasSuffix(",\"version\":null,\"selection\":null}}\n"))
    }

    @Test(arguments: seeds(60))
    func notification_roundTrips(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let mark = WatchMark(watch: UInt64(random.below(99)), seq: UInt64(random.below(99)), cursor: random.anyCursor())
        #expect(try read(mark.syncedLine()) == .synced(mark))
        #expect(try read(mark.bookmarkLine()) == .bookmark(mark))
        let reset = WatchReset(watch: mark.watch, seq: mark.seq, reason: random.label())
        #expect(try read(reset.line()) == .reset(reset))
        let progress = random.progress()
        #expect(try read(progress.line()) == .progress(progress))
        let presence = random.presenceChanged()
        #expect(try read(presence.line()) == .presence(presence))
        let closing = SessionClosing(reason: random.label(), retryAfterMilliseconds: random.maybe(random.below(9_999)))
        #expect(try read(closing.line()) == .closing(closing))

        let note = random.note()
        let kind = random.pick(ChangeWord.allCases)
        let changes = 1 + random.below(3)
        let origin = random.maybe(Origin(dependent: DependentID(4), label: random.maybe(random.label())))
        let line = EncodedChange(
            change: kind, note: kind == .left ? EncodedNote(left: note.head) : EncodedNote(note),
            changes: changes, origin: origin
        ).line(watch: mark.watch, seq: mark.seq, cursor: mark.cursor)
        guard case .changed(let changed) = try read(line) else {
            Issue.record("seed \(seed): not read as note.changed")
            return
        }
        #expect(changed.note == (kind == .left ? .left(note.head.id, note.head.version) : .shown(note)), "seed \(seed)")
        #expect(changed.watch == mark.watch && changed.seq == mark.seq && changed.cursor == mark.cursor, "seed \(seed)")
        #expect(changed.change == kind && changed.changes == changes && changed.origin == origin, "seed \(seed)")
    }

    @Test func unknownNotification_isNoFault() throws {
        #expect(
            try read(bytes("{\"jsonrpc\":\"2.0\",\"method\":\"later.on\",\"params\":{\"a\":1}}\n"))
                == .unknown(method: "later.on"))
    }

    @Test(arguments: [
        "", "{}", "[]", "{\"jsonrpc\":\"2.0\",\"id\":1}", "{\"id\":null,\"result\":{}}", "{\"method\":\"note.changed\"}",
    ])
    func malformedServerLine_isAFault(line: String) {
        #expect(throws: ServerLineFault.self) { try ServerLine(parsing: bytes(line)) }
    }
}
