import Causality
import TestKit
import Testing

@testable import TextMerge

/// Merges that people had to make, and the laws that they hold to.
@Suite struct RealMergeTests {
    private let merges: [RealMerge]

    init() throws {
        merges = try RealMerge.all.get()
    }

    @Test func fixture_hasMergesOfAllKinds() {
        #expect(merges.count == 326)
        #expect(merges.count { $0.git == .absent } == 26)
        #expect(merges.count { $0.git == .conflict } == 87)
        #expect(merges.count { $0.git == .inserts } == 4)
        #expect(merges.allSatisfy { ($0.ours == nil || $0.theirs == nil) == ($0.git == .absent) })
    }

    /// In either order of arrival, and with either of the two dots the lesser one.
    @Test func anyOrder_showsTheSameBytesAndConflicts() {
        for merge in merges {
            let events = merge.events(merge.changes.ours, merge.changes.theirs)
            let together = merge.merged
            for order in [[0, 1, 2], [0, 2, 1]] {
                var view = View(naming: .cheap)
                for index in order { view.append(contentsOf: [events[index]], holdsFloor: true) }
                #expect(view.text.elementsEqual(together.text), "\(merge.name), \(order)")
                #expect(view.conflicts == together.conflicts, "\(merge.name), \(order)")
            }
            let turned = merge.merged(merge.changes.theirs, merge.changes.ours)
            #expect(turned.text.elementsEqual(together.text), "\(merge.name), turned")
            #expect(turned.places == together.places, "\(merge.name), turned")
        }
    }

    @Test func unchangedSide_addsNothing() {
        for merge in merges {
            for (side, change) in [(merge.ours, merge.changes.ours), (merge.theirs, merge.changes.theirs)] {
                for view in [merge.merged(change, .nothing), merge.merged(.nothing, change)] where side != nil {
                    #expect(view.text.elementsEqual(side ?? []), "\(merge.name)")
                    #expect(view.conflicts == [], "\(merge.name)")
                }
            }
        }
    }

    @Test func equalChanges_areShownOnce() {
        for merge in merges {
            for (side, change) in [(merge.ours, merge.changes.ours), (merge.theirs, merge.changes.theirs)] {
                let view = merge.merged(change, change)
                #expect(view.text.elementsEqual(side ?? []), "\(merge.name)")
                #expect(view.isDeleted == (side == nil), "\(merge.name)")
                #expect(view.conflicts == [], "\(merge.name)")
            }
        }
    }

    @Test func writersVersion_showsItsText() {
        for merge in merges {
            var view = merge.merged
            for (name, text) in [("A1", merge.base), ("B1", merge.ours ?? []), ("C1", merge.theirs ?? [])] {
                #expect(view.text(at: seen(name)).elementsEqual(text), "\(merge.name), \(name)")
            }
        }
    }

    /// An exception is an unterminated last line: text that another writer appends continues that
    /// line.
    @Test func everyShownLine_wasWritten() {
        for merge in merges {
            let inputs = [merge.base, merge.ours ?? [], merge.theirs ?? []]
            let known = Set(inputs.flatMap(\.lines))
            let foreign = merge.merged.text.lines.filter { !known.contains($0) }
            let unterminated = inputs.compactMap(\.lines.last).filter { $0.last != UInt8(ascii: "\n") }
            let unexplained = foreign.filter { line in !unterminated.contains { Array(line).contains(run: Array($0)) } }
            #expect(unexplained.map { string(Array($0)) } == [], "\(merge.name)")
        }
    }

    @Test func cleanGitMerge_hasSameBytes() {
        for merge in merges {
            guard case .clean(let count, let hash) = merge.git else { continue }
            let view = merge.merged
            #expect(view.text.count == count && view.text.fnv == hash, "\(merge.name)")
            #expect(view.conflicts.isEmpty, "\(merge.name)")
        }
    }

    /// Git reports a conflict where both sides only add text at one place. Here both texts are kept,
    /// without a conflict if they are whole lines; in merge 5, the last line of one side has no end.
    private static let unterminated: Set = ["merge 5, src/appendix-06-translation.md"]

    /// Each side's lines in one piece; no conflict where both only add lines.
    @Test func conflictingGitMerge_showsBothSides() {
        for merge in merges where merge.git == .conflict || merge.git == .inserts {
            let view = merge.merged
            let onlyLines = merge.git == .inserts && !Self.unterminated.contains(merge.name)
            #expect(view.conflicts.isEmpty == onlyLines, "\(merge.name)")
            #expect(view.conflicts.allSatisfy { $0.kind == .text && $0.sides == [dot("B1"), dot("C1")] }, "\(merge.name)")
            for change in [merge.changes.ours, merge.changes.theirs] {
                #expect(change.edits.allSatisfy { view.text.contains(run: $0.replacement) }, "\(merge.name)")
            }
        }
    }

    /// One removed the file that the other changed: the change is shown, and the question is open.
    @Test func removedAndChangedFile_isShownInConflict() {
        for merge in merges where merge.git == .absent {
            let view = merge.merged
            let text = merge.ours ?? merge.theirs ?? []
            #expect(view.text.elementsEqual(text) && !view.isDeleted, "\(merge.name)")
            #expect(view.conflicts.map(\.kind) == [.deletion], "\(merge.name)")
            #expect(view.conflicts.map(\.range) == [0..<text.count], "\(merge.name)")
        }
    }
}

extension View {
    /// What of its conflicts does not depend on whose dots they are of.
    fileprivate var places: [String] {
        let ordered = conflicts.sorted { $0.range.lowerBound < $1.range.lowerBound }
        return ordered.map { "\($0.kind) \($0.range)" }
    }
}
