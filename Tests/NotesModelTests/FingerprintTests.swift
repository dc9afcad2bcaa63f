import Causality
import NoteText
import NotesModel
import TestKit
import Testing
import TextMerge

/// A write under a used operation name is a retry only if its parameters are the same. The
/// fingerprint decides.
@Suite struct FingerprintTests {
    private static let id = noteID(1)

    private static func create(
        _ id: NoteID = id, chosen: Bool = true, name: ByteString? = "a", text: String = "x", stating times: FileTimes? = nil
    ) -> Command {
        .createNote(CreateNote(id: id, isIDChosen: chosen, name: name, text: bytes(text), times: times))
    }

    private static func undo(stating times: FileTimes?) -> Command {
        .undoNote(UndoNote(id: id, base: version("A1"), revisions: [dot("A1")], times: times))
    }

    private static func times(_ modified: Int64, _ created: Int64? = nil) -> FileTimes {
        FileTimes(
            modified: Timestamp(milliseconds: modified), created: created.map { Timestamp(milliseconds: $0) })
    }

    private static func save(
        _ id: NoteID = id, on base: Version? = version("A1"), text: String? = "x", name: NameRequest = .leave,
        resolves: [ConflictID] = [], stating times: FileTimes? = nil
    ) -> Command {
        .saveNote(SaveNote(id: id, base: base, text: text.map(bytes), name: name, resolves: resolves, times: times))
    }

    private static func edit(
        _ id: NoteID = id, on base: Version? = version("A1"),
        making edits: [PositionedEdit] = [PositionedEdit(start: 0, end: 1, text: [])],
        resolves: [ConflictID] = [], encoding: PositionEncoding = .utf8
    ) -> Command {
        .editNote(EditNote(id: id, base: base, edits: edits, encoding: encoding, resolves: resolves))
    }

    private static func stated(_ start: Int, _ end: Int, _ text: String) -> PositionedEdit {
        PositionedEdit(start: start, end: end, text: bytes(text))
    }

    /// Each command differs in one parameter, or has the same bytes in another parameter.
    private static let different: [Command] = [
        create(), create(noteID(2)), create(chosen: false), create(name: nil), create(name: ""), create(name: "b"),
        create(text: "y"), create(text: ""), create(name: "ax", text: ""), create(chosen: false, name: nil, text: ""),
        save(), save(noteID(2)), save(on: nil), save(on: .nothing), save(on: version("A2")), save(on: version("A1", "A2")),
        save(text: nil), save(text: ""), save(text: "y"), save(name: .clear), save(name: .set("")), save(name: .set("a")),
        save(resolves: [ConflictID(high: 1, low: 2)]), save(resolves: [ConflictID(high: 2, low: 1)]),
        save(resolves: [ConflictID(high: 1, low: 3)]), save(resolves: [ConflictID(high: 3, low: 2)]),
        save(resolves: [ConflictID(high: 1, low: 2), ConflictID(high: 1, low: 2)]),
        create(stating: times(1)), create(stating: times(2)), create(stating: times(1, 1)), create(stating: times(1, 2)),
        save(stating: times(1)), save(stating: times(2)), undo(stating: nil), undo(stating: times(1)), undo(stating: times(2)),
        edit(), edit(noteID(2)), edit(on: nil), edit(on: .nothing), edit(on: version("A2")), edit(making: []),
        edit(making: [stated(0, 1, "x")]), edit(making: [stated(1, 1, "")]), edit(making: [stated(0, 2, "")]),
        edit(making: [stated(-1, 1, "")]),
        edit(making: [stated(0, 1, ""), stated(0, 1, "")]), edit(resolves: [ConflictID(high: 1, low: 2)]),
        .deleteNote(DeleteNote(id: id, base: version("A1"))), .deleteNote(DeleteNote(id: noteID(2), base: version("A1"))),
        .deleteNote(DeleteNote(id: id, base: nil)), .deleteNote(DeleteNote(id: id, base: .nothing)),
    ]

    /// Without a count, the bytes after the edits could be read as another edit.
    @Test func editAndConflictID_haveDifferentFingerprints() {
        let stated = Self.edit(making: [Self.stated(-1, 0, String(repeating: "a", count: 13))])
        let resolving = Self.edit(making: [], resolves: [ConflictID(high: 0x000D_6161_6161_6161, low: 0x6161_6161_6161_6100)])
        #expect(stated.fingerprint != resolving.fingerprint)
    }

    @Test func differentCommands_haveDifferentFingerprints() {
        #expect(Set(Self.different.map(\.fingerprint)).count == Self.different.count)
        #expect(Self.different.allSatisfy { $0.fingerprint.count == 32 && $0.fingerprint == $0.fingerprint })
    }

    /// Fingerprints are stored and compared by later releases, so they must not change: SHA-256 of
    /// a byte for the kind, then of each parameter in turn. 01, no id, a name, a text; 02, id,
    /// base, text, 02 and a name, two conflicts; 03, id, base, two edits, two conflicts; 04, id,
    /// and a base, once given and once missing.
    @Test func form_isFixed() {
        let conflicts = [ConflictID(high: 1, low: 2), ConflictID(high: 3, low: 4)]
        let edits = [Self.stated(0, 1, ""), Self.stated(200, 200, "x")]
        let forms: [(Command, String)] = [
            (
                Self.create(chosen: false, name: "n", text: "t"),
                "32e1bedd7ded0d826abbb6b63c7ff9845f7639e498bd7c06e292aa9bd2b7c3d0"
            ),
            (
                Self.save(text: "x", name: .set("n"), resolves: conflicts),
                "269fc53b3b1a99b4d1cb6304928b25c95feb888883e03a6741afb6908f476385"
            ),
            (Self.edit(making: edits, resolves: conflicts), "bd5e6730bfca84a1daa2454bd752ca956a0074ef58a9815ad0be02d06bd7dcbc"),
            (
                .deleteNote(DeleteNote(id: Self.id, base: version("A1"))),
                "9642240728d6dbc414aeeb804b41dae4547ef147146690f2e026fb2f0d6b19cf"
            ),
            (
                .deleteNote(DeleteNote(id: Self.id, base: nil)),
                "c3d90d97746a60db8c1bb6d6ef55d143a93ca4ca5e22ffb0f45669b778a9071d"
            ),
        ]
        for (command, form) in forms {
            let hex = command.fingerprint.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
            #expect(hex == form, "\(command)")
        }
    }

    @Test func paramCombinations_haveDifferentFingerprints() {
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
                        let stated = edits.map { PositionedEdit(start: $0.0, end: $0.1, text: bytes($0.2)) }
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

    /// Parameters that the client did not choose.
    @Test func generatedIDAndEncoding_areIgnored() {
        #expect(Self.create(chosen: false).fingerprint == Self.create(noteID(2), chosen: false).fingerprint)
        #expect(Self.edit().fingerprint == Self.edit(encoding: .utf16).fingerprint)
    }

    @Test func command_namesItsNote() {
        let commands = [
            Self.create(noteID(3)), Self.save(noteID(3)), Self.edit(noteID(3)),
            .deleteNote(DeleteNote(id: noteID(3), base: nil)),
        ]
        #expect(commands.allSatisfy { $0.note == noteID(3) })
    }
}
