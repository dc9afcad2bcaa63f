import Causality
import NoteText
import NotesModel
import NotesWire
import TestKit
import Testing

@testable import NoteTasks

/// Tests of what `purge` says before and after it.
@Suite struct PurgeTests {
    private func revision(_ name: String, _ milliseconds: Int64, _ user: ByteString) -> RevisionSummary {
        RevisionSummary(
            dot: dot(name), parents: .nothing, author: Author(user: user, label: nil),
            time: Timestamp(milliseconds: milliseconds), bytes: 0, isDeleted: false, name: nil, isStated: false)
    }

    /// Every start of a copy lies in a line that is named, and every named line has one.
    @Test(arguments: seeds(50))
    func lines_areThoseInWhichACopyBegins(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<40 {
            let text = (0..<random.below(40)).map { _ in random.pick(bytes("ab\n")) }
            let secret = (0...random.below(2)).map { _ in random.pick(bytes("ab\n")) }
            let found = SecretSearch.lines(with: secret, in: text)
            // Copies that overlap an earlier one are not counted again, so the oracle skips them.
            var (expected, offset): ([Int], Int) = ([], 0)
            while offset + secret.count <= text.count {
                guard Array(text[offset..<offset + secret.count]) == secret else {
                    offset += 1
                    continue
                }
                expected.append(1 + text[..<offset].filter { $0 == UInt8(ascii: "\n") }.count)
                offset += secret.count
            }
            #expect(found == Set(expected).sorted(), "seed \(seed): \(text) \(secret)")
        }
    }

    @Test func words_nameAtMostTenLines() {
        #expect(SecretSearch.words([3]) == "line 3")
        #expect(SecretSearch.words([1, 4]) == "lines 1, 4")
        #expect(SecretSearch.words(Array(1...12)) == "lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 2 more")
    }

    @Test func summary_hasSpanAndAuthors() {
        let day: Int64 = 86_400_000
        let history = [revision("A2", 2 * day, "grace"), revision("A1", day, "ada")]
        let lines = ErasedPart(history).lines(of: "n", local: CalendarTime.utc)
        #expect(
            lines == [
                "n: erases the texts of 2 revisions from 1970-01-02 00:00:00 to 1970-01-03 00:00:00, by grace, ada",
                "n: keeps what the note shows now",
            ])
        let first = "n: erases the texts of 1 revision of 1970-01-02 00:00:00, by ada"
        #expect(ErasedPart([history[1]]).lines(of: "n", local: CalendarTime.utc).first == first)
    }
}
