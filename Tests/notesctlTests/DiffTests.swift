import Causality
import NoteTasks
import NoteText
import TestKit
import Testing

@testable import notesctl

struct DiffTests {
    /// The user who typed no version learns which one the diff is about.
    @Test func emptyDiff_saysWhy() throws {
        let dots = [1, 2].map { Dot(ReplicaID(bits: 0x4f1c), $0) }
        func shown(_ dot: Dot, _ name: String?) throws -> NoteAtVersion {
            NoteAtVersion(
                version: Version(dot), text: bytes("a\n"), name: try name.map { try NoteName(ByteString($0)) }, exists: true)
        }
        let (old, new, other) = (try shown(dots[0], "a"), try shown(dots[1], "a"), try shown(dots[1], nil))
        #expect(DiffCommand.sameText(old, new, newestOf: nil) == "the texts are the same")
        #expect(
            DiffCommand.sameText(old, new, newestOf: "a")
                == "the newest revision, \(dots[1]), left the text as it was; `notesctl history a` lists earlier ones")
        #expect(DiffCommand.sameText(old, other, newestOf: "a") == "the texts are the same; the name changed from a to none")
    }
}
