import Causality
import NoteText
import NotesClient
import NotesMethods
import NotesModel
import NotesWire
import Testing

@testable import FolderSync

/// The notes of a running mirror, which come from a watch and from reads.
@Suite struct MirroredNotesTests {
    private static let id = NoteID(at: Timestamp(milliseconds: 0), random: (0, 1))

    private static func note(_ counter: UInt64) -> NoteObject {
        let head = Head(
            id: id, name: nil, version: Version(Dot(ReplicaID(bits: 1), counter)), vector: VersionVector(), title: "", tags: [],
            created: Timestamp(milliseconds: 0), modified: Timestamp(milliseconds: 0), author: Author(user: "ada", label: nil),
            bytes: 0, isDeleted: false)
        return NoteObject(head, .utf8)
    }

    /// A daemon that reads a note, and whose watch reports a change before the response arrives.
    private struct Reader: NotesAPI {
        let notes: MirroredNotes
        let read: UInt64
        let reported: UInt64?

        var hello: HelloResult? { nil }

        func noteID(at time: Timestamp) -> NoteID { MirroredNotesTests.id }

        func close() async {}

        func response<Response: WireResult>(
            to call: Call, as response: Response.Type, progress: (@Sendable (RequestProgress) -> Void)?
        ) async throws -> Response {
            let result = GetResult(note: MirroredNotesTests.note(read))
            if let reported { notes.change(MirroredNotesTests.id, to: MirroredNotesTests.note(reported)) }
            guard let result = result as? Response else { throw ClientError.closed }
            return result
        }
    }

    /// Otherwise the file of the note would never get the reported state.
    @Test func changeReportedDuringARead_stays() async throws {
        let notes = MirroredNotes()
        notes.change(Self.id, to: Self.note(1))
        try await notes.refresh([Self.id], Reader(notes: notes, read: 2, reported: 3))
        #expect(notes.note(Self.id)?.head.version == Self.note(3).head.version)
    }

    @Test func readNote_replacesTheOneBefore() async throws {
        let notes = MirroredNotes()
        for before in [nil, Self.note(1)] {
            notes.change(Self.id, to: before)
            try await notes.refresh([Self.id], Reader(notes: notes, read: 2, reported: nil))
            #expect(notes.note(Self.id)?.head.version == Self.note(2).head.version)
        }
    }
}
