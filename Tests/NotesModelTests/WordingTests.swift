import Causality
import NoteText
import NotesModel
import TestKit
import Testing
import TextMerge

/// Texts and small values that people or stores read.
@Suite struct WordingTests {
    @Test func quarantineReasons_haveDistinctTexts() {
        let sentences = QuarantineReason.allCases.map(\.description)
        #expect(Set(sentences).count == sentences.count && !sentences.contains(""))
        #expect(QuarantineReason.tooLong.description == "its text exceeds the size limit for a note in this store")
    }

    @Test func backupFault_hasItsText() {
        let faults: [BackupFault] = [.path("a"), .full("b"), .denied("c"), .failed("d"), .cancelled]
        #expect(faults.map(\.description) == ["a", "b", "c", "d", "the backup was cancelled"])
    }

    @Test func peerName_isShortAndNotEmpty() {
        #expect(PeerName("laptop")?.bytes == "laptop")
        #expect(PeerName(ByteString(String(repeating: "x", count: 64))) != nil)
        #expect(PeerName("") == nil && PeerName(ByteString(String(repeating: "x", count: 65))) == nil)
    }

    @Test func position_isGivenInEachEncoding() {
        let place = TextPosition(utf8: 4, utf16: 2, utf32: 1)
        #expect(PositionEncoding.allCases.map { place[$0] }.sorted() == [1, 2, 4])
        #expect(place[.utf8] == 4 && place[.utf16] == 2)
    }

    @Test func committedRevision_isNilIfCompacted() {
        let revision = LinkedRevision.onAnyParents(
            Revision(
                note: noteID(1), dot: dot("A1"), parents: .nothing, edits: [], origin: .found, author: ada,
                time: Timestamp(milliseconds: 0)))
        #expect(CommittedRevision.whole(revision).revision == revision)
        let compacted = CompactedRevision(note: noteID(1), dot: dot("A1"), hash: RevisionHash(bits: 0))
        #expect(CommittedRevision.compacted(compacted).revision == nil)
        let stored = StoredQuarantined(number: 1, quarantined: Quarantined(revision: revision, reason: .tooLong))
        #expect(stored.dot == dot("A1"))
    }
}
