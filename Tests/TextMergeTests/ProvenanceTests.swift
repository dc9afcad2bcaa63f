import Causality
import TestKit
import Testing

@testable import TextMerge

/// What an audit compares with the revisions: every inserted byte, and the revisions that removed
/// it.
@Suite struct ProvenanceTests {
    @Test(arguments: seeds(100))
    func bytesWithoutRemovers_areTheText(seed: UInt64) {
        let history = RandomHistory(seed: seed)
        var view = View()
        view.append(contentsOf: history.events)
        guard !view.isDeleted else { return }
        let left = view.provenance.filter { $0.copies.contains { $0.isShown(withdrawn: []) } }
        #expect(left.flatMap(\.bytes) == view.text + (view.hidesLast ? bytes("\n") : []), "seed \(seed)")
    }

    /// Nothing was inserted above the floor; the floor's text has no inserter.
    @Test func provenanceAtFloor_isTheText() {
        let view = View(floor: dot("A1"), text: bytes("one\n"), isDeleted: false, conflicts: [], naming: .cheap)
        #expect(view.provenance.map(\.bytes) == [bytes("one\n")])
        #expect(view.provenance.flatMap(\.copies).map(\.inserter) == [nil])
        #expect(View().provenance.isEmpty)
    }

    /// The texts of the sides are cached, and so are the revisions that their writers had seen.
    @Test func requestedSideTexts_addToMemorySize() throws {
        let base = "one\ntwo\n"
        var view = View()
        view.append(
            contentsOf: [
                .saved("A1", on: "", from: "", to: base), .saved("A2", on: "A1", from: base, to: "one\nTWO\n"),
                .saved("B1", on: "A1", from: base, to: "one\n2\n"), .saved("C1", on: "A1", from: base, to: "one\nII\n"),
            ], holdsFloor: true)
        let before = view.residentBytes
        let conflict = try #require(view.conflicts.first)
        let sides = view.texts(of: conflict)?.sides ?? []
        #expect(sides.count == 3)
        #expect(view.residentBytes > before + sides.reduce(0) { $0 + $1.count })
    }
}
