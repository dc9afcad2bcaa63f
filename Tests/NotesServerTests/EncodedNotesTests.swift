import Causality
import Dependents
import NoteText
import NotesModel
import NotesWire
import Testing
import TextMerge

@testable import NotesEngine
@testable import NotesServer

/// Contents of the note in a line of a watch.
@Suite struct EncodedNotesTests {
    /// - Parameter place: position of the open conflict, if any, in each encoding.
    private func state(_ sequence: UInt64, _ text: String, conflictAt place: TextPosition? = nil) -> NoteState {
        let author = Author(user: "ada", label: nil)
        let time = Timestamp(milliseconds: 0)
        let head = Head(
            id: testNoteID, name: nil, version: Version(Dot(ReplicaID(bits: 2), sequence)), vector: VersionVector(), title: "",
            tags: [], created: time, modified: time, author: author, bytes: text.utf8.count, isDeleted: false,
            conflicts: place.map { [conflict(at: $0)] } ?? [])
        let sides = [ConflictSide(dot: Dot(ReplicaID(bits: 2), 1), author: author, modified: time, content: .text([0x61]))]
        let details = head.conflicts.map { ConflictDetail(conflict: $0, base: .text([]), sides: sides) }
        return NoteState(sequence: sequence, head: head, text: Array(text.utf8), conflicts: details)
    }

    private func conflict(at place: TextPosition) -> OpenConflict {
        OpenConflict(id: ConflictID(high: 0, low: 1), kind: .text, sides: [], start: place, end: place)
    }

    private func encode(
        _ state: NoteState, _ include: WatchDetail, base: NoteState? = nil, as encoding: PositionEncoding = .utf8,
        kind: ChangeKind = .edited
    ) -> String {
        var notes = EncodedNotes()
        let changed = ChangeNotification(kind: kind, state: state, include: include, base: base, coalesced: 1, origin: nil)
        return String(decoding: notes.note(of: changed, encoding: encoding).json, as: UTF8.self)
    }

    @Test func metaDetail_excludesText() {
        let json = encode(state(1, "secret"), .meta)
        #expect(!json.contains("secret") && !json.contains(#""text""#) && !json.contains(#""edits""#))
    }

    @Test func textDetail_includesText() {
        #expect(encode(state(1, "a\nb"), .text).hasSuffix(#","text":"a\nb"}"#))
    }

    @Test func left_hasOnlyIDAndVersion() {
        #expect(
            encode(state(1, "x"), .text, kind: .left)
                == #"{"id":"\#(testNoteID)","version":"0000000000000002:1"}"#)
    }

    @Test(arguments: [(PositionEncoding.utf8, 8), (.utf16, 5), (.utf32, 4)])
    func edits_useEncodingOfTheClient(encoding: PositionEncoding, start: Int) {
        let old = "añ😀b" + String(repeating: "x", count: 200)
        let new = "añ😀b!" + String(repeating: "x", count: 200)
        #expect(
            encode(state(2, new), .edits, base: state(1, old), as: encoding)
                .hasSuffix(#","base":"0000000000000002:1","edits":[{"start":\#(start),"end":\#(start),"text":"!"}]}"#))
    }

    @Test func edits_fallBackToText_withoutBaseOrIfShorter() {
        #expect(encode(state(1, "abc"), .edits).hasSuffix(#","text":"abc"}"#))
        #expect(encode(state(2, "abc"), .edits, base: state(1, "xyz")).hasSuffix(#","text":"abc"}"#))
    }

    @Test func conflicts_areFullWithText_inClientEncoding() {
        var notes = EncodedNotes()
        let place = TextPosition(utf8: 3, utf16: 2, utf32: 1)
        let conflicted = state(1, "añ😀b", conflictAt: place)
        for include in [WatchDetail.meta, .text, .edits] {
            for (encoding, offset) in zip(PositionEncoding.allCases, [3, 2, 1]) {
                let changed = ChangeNotification(
                    kind: .conflicted, state: conflicted, include: include, base: nil, coalesced: 1, origin: nil)
                let json = String(decoding: notes.note(of: changed, encoding: encoding).json, as: UTF8.self)
                let range = #""kind":"text","range":{"start":\#(offset),"end":\#(offset)}"#
                #expect(json.contains(range), "\(include) \(encoding)")
                #expect(json.contains(#""sides""#) == (include != .meta))
            }
        }
    }

    @Test func withoutConflicts_encodingsShareOneForm() {
        var notes = EncodedNotes()
        let one = ChangeNotification(kind: .edited, state: state(1, "a"), include: .text, base: nil, coalesced: 1, origin: nil)
        let same = ChangeNotification(kind: .edited, state: state(1, "b"), include: .text, base: nil, coalesced: 1, origin: nil)
        let first = notes.note(of: one, encoding: .utf8)
        #expect(notes.note(of: same, encoding: .utf16) == first)
    }

    @Test func equalForms_areEncodedOnce() {
        var notes = EncodedNotes()
        let one = ChangeNotification(kind: .edited, state: state(1, "a"), include: .text, base: nil, coalesced: 1, origin: nil)
        // The encoder may assume that states of the same note and commit are equal. A different
        // state here shows that the first one was cached.
        let same = ChangeNotification(kind: .edited, state: state(1, "b"), include: .text, base: nil, coalesced: 2, origin: nil)
        let other = ChangeNotification(kind: .edited, state: state(2, "b"), include: .text, base: nil, coalesced: 1, origin: nil)
        let first = notes.note(of: one, encoding: .utf8)
        #expect(notes.note(of: same, encoding: .utf8) == first)
        #expect(notes.note(of: other, encoding: .utf8) != first)
    }
}
