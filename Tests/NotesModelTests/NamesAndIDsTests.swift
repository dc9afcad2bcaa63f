import NoteText
import NotesModel
import TestKit
import Testing

@Suite struct NamesAndIDsTests {
    /// The name of an author is the user, the label or its first parts, or what lists show.
    @Test func author_isNamedByItsParts() {
        let author = Author(user: "ada", label: "box/nvim/4711")
        for name in ["ada", "box/nvim/4711", "box/nvim", "box", "ada/box/nvim/4711", "ada/box"] as [ByteString] {
            #expect(author.isNamed(by: name), "\(name)")
        }
        for name in ["", "ad", "ada/", "box/nvi", "nvim", "ada/nvim", "bob/box", "ada/ada"] as [ByteString] {
            #expect(!author.isNamed(by: name), "\(name)")
        }
        #expect(Author(user: "ada", label: nil).isNamed(by: "ada") && !Author(user: "ada", label: nil).isNamed(by: "ada/box"))
    }

    /// Ids sort like their texts and their bytes: by time, then by the random bits.
    @Test(arguments: seeds(50)) func ids_sortByText(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let ids = (0..<20).map { _ in
            NoteID(at: Timestamp(milliseconds: Int64(random.below(3))), random: (UInt64(random.below(3)), random.next()))
        }
        #expect(ids.sorted().map(\.description) == ids.map(\.description).sorted(), "seed \(seed)")
        for id in ids {
            #expect(id.bytes.count == 16 && NoteID(high: id.high, low: id.low) == id, "seed \(seed)")
            let digits = id.bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            #expect(digits == id.description.filter { $0 != "-" }, "seed \(seed)")
        }
    }

    /// Other machines must find the same ids, also with other versions of this program.
    @Test func idsOfNames_areFixed() {
        #expect(NoteID(named: "diary").description == "038859ba-4bb6-7701-ac5b-d9e32e6069bc")
        #expect(NoteID(named: "diary", text: bytes("x\n")) != NoteID(named: "diary", text: bytes("x")))
        #expect(NoteID(named: "diary", text: []) != NoteID(named: "diary"))
        #expect(NoteID(parsing: NoteID(named: "é", text: [0]).description.utf8) == NoteID(named: "é", text: [0]))
    }

    @Test func id_roundTrips() {
        for seed in seeds(100) {
            var random = SeededGenerator(seed: seed)
            let id = NoteID(at: Timestamp(milliseconds: Int64(random.next() >> 16)), random: (random.next(), random.next()))
            #expect(NoteID(parsing: id.description.utf8) == id, "seed \(seed)")
        }
    }

    @Test(arguments: [
        "", "018bcfe5-6800-7000-8000-00000000000", "018bcfe5-6800-7000-8000-0000000000055",
        "018bcfe5-6800-4000-8000-000000000005",
        "018bcfe5-6800-7000-c000-000000000005", "018BCFE5-6800-7000-8000-000000000005", "018bcfe5_6800-7000-8000-000000000005",
        "018bcfe5-6800-7000-8000-00000000000g",
    ])
    func malformedID_isRejected(text: String) {
        #expect(NoteID(parsing: text.utf8) == nil)
    }
}
