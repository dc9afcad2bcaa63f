import Causality
import NotesModel
import TestKit
import Testing
import TextMerge

/// By its fingerprint a write that is sent again is known, and one that only has its `op` is refused.
@Suite struct FingerprintTests {
    /// Stored, and compared with what a later release makes of the same params: SHA-256 of 01, no id, a name, a text.
    @Test func form_isFixed() {
        let command = Command.createNote(CreateNote(id: noteID(1), isIDChosen: false, name: "n", text: bytes("t")))
        let hex = command.fingerprint.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        #expect(hex == "32e1bedd7ded0d826abbb6b63c7ff9845f7639e498bd7c06e292aa9bd2b7c3d0")
    }

    @Test func params_thatDiffer_haveOthers() {
        let (one, other) = (noteID(1), noteID(2))
        let conflicts = [ConflictID(high: 1, low: 2), ConflictID(high: 2, low: 1)]
        var commands: [Command] = []
        for id in [one, other] {
            for name in [nil, "", "a", "ab"] as [ByteString?] {
                for text in ["", "a", "b"] {
                    commands.append(.createNote(CreateNote(id: id, isIDChosen: true, name: name, text: bytes(text))))
                }
            }
            for base in [nil, version("A1"), version("A1", "B2")] {
                commands.append(.deleteNote(DeleteNote(id: id, base: base)))
                for text in [nil, "", "a"] as [String?] {
                    for name in [.leave, .clear, .set(""), .set("a")] as [NameRequest] {
                        for resolves in [[], [conflicts[0]], conflicts] {
                            commands.append(
                                .saveNote(
                                    SaveNote(id: id, base: base, text: text.map { bytes($0) }, name: name, resolves: resolves)))
                        }
                    }
                }
                for edits in [[], [(0, 0, "")], [(0, 1, "")], [(1, 1, "")], [(0, 0, "a")], [(0, 0, "a"), (0, 0, "")]] {
                    for resolves in [[], [conflicts[0]], conflicts] {
                        let stated = edits.map { StatedEdit(start: $0.0, end: $0.1, text: bytes($0.2)) }
                        commands.append(
                            .editNote(EditNote(id: id, base: base, edits: stated, encoding: .utf8, resolves: resolves)))
                    }
                }
            }
        }
        for text in ["", "a", "b"] {
            commands.append(.createNote(CreateNote(id: one, isIDChosen: false, name: nil, text: bytes(text))))
        }
        #expect(Set(commands.map(\.fingerprint)).count == commands.count)
    }

    @Test func whatIsNoParam_makesNoDifference() {
        func create(_ id: NoteID) -> Command { .createNote(CreateNote(id: id, isIDChosen: false, name: "n", text: [])) }
        #expect(create(noteID(1)).fingerprint == create(noteID(2)).fingerprint)
        func edit(_ encoding: PositionEncoding) -> Command {
            .editNote(EditNote(id: noteID(1), base: nil, edits: [], encoding: encoding))
        }
        #expect(edit(.utf8).fingerprint == edit(.utf16).fingerprint)
    }
}
