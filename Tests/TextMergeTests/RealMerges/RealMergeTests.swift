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

    /// No line is torn or glued to another one, also if a last line is not terminated.
    @Test func everyShownLine_wasWritten() throws {
        for merge in try RealMerge.withCutEnds.get() {
            let inputs = [merge.base, merge.ours ?? [], merge.theirs ?? []]
            let known = Set(inputs.flatMap(\.wholeLines))
            let foreign = merge.merged.text.wholeLines.filter { !known.contains($0) }
            #expect(foreign.map { string($0) } == [], "\(merge.name)")
        }
    }

    /// A line that a writer added, or that all kept, is a whole line of the merged text.
    @Test func everyWrittenLine_isShownWhole() throws {
        for merge in try RealMerge.withCutEnds.get() {
            let sides = [merge.ours, merge.theirs].compactMap { $0.map { Set($0.wholeLines) } }
            let base = Set(merge.base.wholeLines)
            // Of several equal lines, each side may remove another one.
            let once = Set(Dictionary(grouping: merge.base.wholeLines) { $0 }.filter { $0.value.count == 1 }.keys)
            let kept = sides.reduce(once) { $0.intersection($1) }
            let shown = Set(merge.merged.text.wholeLines)
            for line in sides.flatMap({ $0.subtracting(base) }) + kept where !shown.contains(line) {
                Issue.record("\(merge.name): \(string(line))")
            }
        }
    }

    @Test func cleanGitMerge_hasSameBytes() throws {
        for merge in try RealMerge.withCutEnds.get() {
            guard case .clean(let count, let hash) = merge.git else { continue }
            let view = merge.merged
            #expect(view.text.count == count && view.text.fnv == hash, "\(merge.name)")
            #expect(view.conflicts.isEmpty, "\(merge.name)")
        }
    }

    /// Each side's lines in one piece. Git reports a conflict where both sides only add lines at one
    /// place; here both are kept, without a conflict.
    @Test func conflictingGitMerge_showsBothSides() {
        for merge in merges where merge.git == .conflict || merge.git == .inserts {
            let view = merge.merged
            #expect(view.conflicts.isEmpty == (merge.git == .inserts), "\(merge.name)")
            #expect(view.conflicts.allSatisfy { $0.kind == .text && $0.sides == [dot("B1"), dot("C1")] }, "\(merge.name)")
            for change in [merge.changes.ours, merge.changes.theirs] {
                // The text may end where a change does not, and the reverse.
                let shown = view.text + (view.hidesLast ? bytes("\n") : [])
                #expect(change.edits.allSatisfy { shown.contains(run: $0.replacement) }, "\(merge.name)")
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
