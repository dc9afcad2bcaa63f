import Causality
import TestKit
import Testing

@testable import TextMerge

/// What random histories seldom produce: parts of one byte, and conflicts from below the floor at
/// the ends of the text.
@Suite struct WalkEdgeTests {
    /// Few branches that keep no text, so that every query moves one.
    private func view(_ events: [Event]) -> View {
        var limits = WalkLimits()
        (limits.branches, limits.branchText) = (2, 0)
        var view = View(limits: limits, naming: naming)
        view.append(contentsOf: events, holdsFloor: true)
        return view
    }

    private let naming = ConflictNaming { bytes in
        bytes.reduce(into: [UInt8](repeating: 0, count: 16)) { $0[Int($1) % 16] &+= $1 }
    }

    /// Twins are one hunk with two inserters: each part of it has a copy of both.
    @Test(arguments: ["\nb\n", "x\ny\nz\n", "a\n"])
    func dividedEqualInsertion_keepsBothCopies(text: String) {
        var view = view([
            .saved("A1", on: "", from: "", to: text), .saved("B1", on: "", from: "", to: text),
            .stated("C1", on: "A1", Edit(0, 1, "")),
            .stated("C2", on: "C1", Edit(text.utf8.count - 2, text.utf8.count - 1, "")),
        ])
        let inner = String(text.dropFirst().dropLast())
        for _ in 0..<2 {
            for (names, shown) in [("B1", text), ("A1", text), ("C1", String(text.dropFirst())), ("C2", inner), ("A1 B1", text)] {
                #expect(string(view.text(at: seen(names))) == shown, "at \(names)")
                #expect(view.text(at: .nothing).isEmpty)
            }
        }
        #expect(string(view.text) == text, "B wrote it too, and nobody who saw that removed anything")
    }

    /// Whether the merged text is built anew or spliced.
    @Test(arguments: [0, 16])
    func equalInsertionAfterRemoval_isShown(splices: Int) {
        var limits = WalkLimits()
        limits.splices = splices
        var view = View(limits: limits, naming: naming)
        let events: [Event] = [
            .saved("A1", on: "", from: "", to: "one\n"), .saved("A2", on: "A1", from: "one\n", to: ""),
            .saved("B1", on: "", from: "", to: "one\n"),
        ]
        for (event, shown) in zip(events, ["one\n", "", "one\n"]) {
            view.append(contentsOf: [event], holdsFloor: true)
            #expect(string(view.text) == shown, "with \(event.dot)")
        }
    }

    /// The ranges of conflicts that are kept at a critical version stay where they are while others
    /// write elsewhere.
    @Test(arguments: [0..<4, 0..<0, 4..<8, 8..<12, 0..<12, 12..<12])
    func conflictsBelowFloor_keepTheirPlace(range: Range<Int>) {
        let kept = Conflict(id: ConflictID(high: 1, low: 1), kind: .text, sides: [dot("A1"), dot("B1")], range: range)
        var view = View(
            floor: dot("A2"), text: bytes("one\ntwo\nsix\n"), isDeleted: false,
            conflicts: [KeptConflict(kept, own: range.isEmpty ? [] : [range])], naming: naming)
        #expect(view.conflicts.map(\.range) == [range])
        // Both at once, with an event that touches no range: a renaming.
        let renames = ["A3", "B3"].map {
            Event(dot: dot($0), parents: seen("A2"), edits: [], origin: .found, name: .set(bytes($0)))
        }
        view.append(contentsOf: renames, holdsFloor: true)
        #expect(view.conflicts.filter { $0.id == kept.id }.map(\.range) == [range])
        #expect(view.conflicts(at: seen("A3")).map(\.range) == [range])
        #expect(view.texts(of: kept) == nil, "what its sides say lies below the floor")
    }
}
