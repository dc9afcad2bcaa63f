import Causality
import ClientTestKit
import Console
import NoteText
import NotesClient
import NotesModel
import NotesWire
import Testing

@testable import NoteTasks

struct WatchOutputTests {
    /// Parses a line of the daemon as the client does.
    private func change(
        _ note: NoteObject, _ word: ChangeWord, changes: Int = 1, label: ByteString? = "vim"
    ) throws -> NoteChanged {
        let origin = Origin(dependent: DependentID(4), label: label)
        let encoded = word == .left ? EncodedNote(left: note.head) : EncodedNote(note)
        let line = EncodedChange(change: word, note: encoded, changes: changes, origin: origin)
            .line(watch: 1, seq: 1, cursor: Canned.cursor(7))
        guard case .notification(.changed(let change)) = try ServerLine(parsing: line) else {
            throw ScriptedPeer.Silence(doing: "a change")
        }
        return change
    }

    private let time = CalendarTime(year: 2025, month: 1, dayOfMonth: 2, hour: 3, minute: 4, second: 5)

    @Test func line_showsTimeChangeNoteAndAuthor() throws {
        let line = WatchLine(style: Style(isOn: false))
        let edited = try change(Canned.note(1, text: "hello", name: "work/inbox"), .edited, changes: 3)
        #expect(
            line.text(edited, label: "work/inbox", time: time) == "03:04:05  edited      work/inbox  5 B  by vim  (3 changes)")
        let left = try change(Canned.note(1), .left)
        #expect(line.text(left, label: "work/inbox", time: nil) == "          left        work/inbox")
        let hostile = try change(Canned.note(1), .created, label: "\u{1B}[2J")
        #expect(!line.text(hostile, label: "a\u{7}", time: time).unicodeScalars.contains { $0.value < 0x20 })
    }

    @Test func deletedNote_keepsItsLabel() throws {
        var labels = WatchLabels()
        var gone = Canned.note(1)
        gone.head.isDeleted = true
        let first = labels.label(of: .shown(Canned.note(1, name: "work/inbox")))
        let second = labels.label(of: .shown(gone))
        let third = labels.label(of: .shown(gone))
        #expect([first, second, third] == ["work/inbox", "work/inbox", "\(Canned.id(1))"])
    }

    @Test func text_isIndented_andEscaped() {
        #expect(TextBlock.lines(Array("a\nb\n\n".utf8), indent: 4) == ["    a", "    b", "    "])
        #expect(TextBlock.lines(Array("a\u{1B}c".utf8), indent: 4) == ["    a\\x1Bc"])
        #expect(TextBlock.lines(Array("a\nb\nc".utf8), indent: 1, linesMax: 2) == [" a", " … and 2 more lines"])
        #expect(TextBlock.lines(Array("a\nb".utf8), indent: 1, linesMax: 2) == [" a", " b"])
        #expect(TextBlock.lines([], indent: 4) == [])
    }

    @Test func jsonLines_haveTheEventAndItsCursor() throws {
        func text(_ event: WatchEvent) -> String { WatchJSON.object(event).map { String(decoding: $0, as: UTF8.self) } ?? "" }
        let start = WatchStart(cursor: Canned.cursor(3), isReset: false, isResumed: true)
        #expect(text(.started(start)) == #"{"event":"started","cursor":"3.9f86d081884c7d65","resumed":true,"reset":false}"#)
        #expect(text(.interrupted(.closed)) == #"{"event":"interrupted"}"#)
        let gone = PresenceChanged(
            note: Canned.id(1), dependent: DependentID(4), label: "vim", user: UserInfo(uid: 0, name: "ada"), place: nil)
        #expect(
            text(.presence(gone))
                == #"{"event":"presence","note":"\#(Canned.id(1))","dependent":4,"label":"vim","user":{"uid":0,"name":"ada"},"version":null,"selection":null}"#
        )
        let left = try change(Canned.note(1), .left)
        #expect(
            text(.changed(left))
                == #"{"event":"changed","cursor":"7.9f86d081884c7d65","change":"left","note":{"id":"\#(Canned.id(1))","version":"9f86d081884c7d65:1"},"origin":{"dependent":4,"label":"vim"}}"#
        )
    }
}
