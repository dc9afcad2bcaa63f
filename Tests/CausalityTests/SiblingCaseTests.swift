import Causality
import TestKit
import Testing

/// The cases of `docs/causality.md` §4 that are about sets, by number. `CaseListTests` lists the
/// cases that are left out, with the reasons.
@Suite struct SiblingCaseTests {
    private var a = Store("A")
    private var b = Store("B")
    private var c = Store("C")

    @Test mutating func case01_firstWrite() {
        #expect(a.put("").names == "A1")
        #expect(a.siblings == "A1")
    }

    @Test mutating func case02_sequentialEdit() {
        a.put("")
        #expect(a.put("A1").names == "A2")
        #expect(a.siblings == "A2")
    }

    @Test mutating func case03_twoClientsOnTheSameBase_areSiblings() {
        a.put("")
        a.put("A1")
        a.put("A1")
        #expect(a.siblings == "A2 A3")
    }

    @Test mutating func case04_response_coversOnlyVersionsItsWriterSaw() {
        a.put("")
        let first = a.put("A1")
        let second = a.put("A1")
        #expect(a.covers(first.names, "A1") && !a.covers(first.names, "A3"))
        #expect(a.covers(second.names, "A1") && !a.covers(second.names, "A2"), "c2 never saw y")
    }

    @Test mutating func case05_writeOnOwnResponse_keepsTheOtherSibling() {
        a.put("")
        a.put("A1")
        let own = a.put("A1")
        a.put(own.names)
        #expect(a.siblings == "A2 A4")
    }

    @Test mutating func case06_writeAfterReadingBoth_supersedesBoth() {
        a.put("")
        a.put("A1")
        a.put("A1")
        a.put("A2 A3")
        #expect(a.siblings == "A4")
    }

    @Test mutating func case07_blindWrite_dropsNothing() {
        a.put("")
        a.put("")
        #expect(a.siblings == "A1 A2")
    }

    @Test mutating func case08_syncUpdateOfDvvset() {
        a.put("")
        a.put("")
        a.put("A1")
        #expect(a.siblings == "A2 A3")
    }

    @Test mutating func case09_staleBuffer_overwritesNothing() {
        a.put("")
        a.put("A1")
        a.put("A2")
        a.put("A1")
        #expect(a.siblings == "A3 A4")
    }

    @Test mutating func case10_retryWithoutOp_isASibling() {
        a.put("")
        a.put("A1")
        a.put("A1")
        #expect(a.siblings == "A2 A3")
    }

    @Test mutating func case11_writersOneReadLate_makeAtMostTwoSiblings() {
        a.put("")
        var lastRead = ""
        for _ in 0..<100 {
            let read = a.siblings
            a.put(lastRead)
            #expect(a.graph.siblings.dots.count <= 2)
            lastRead = read
        }
        #expect(a.siblings == "A100 A101")
    }

    @Test mutating func case12_deletion_isAnOrdinaryWrite() {
        a.put("")
        #expect(a.put("A1").names == "A2")
        #expect(a.siblings == "A2")
    }

    @Test mutating func case13_editConcurrentWithDeletion_isItsSibling() {
        a.put("")
        let deletion = a.put("A1")
        let edit = a.put("A1")
        #expect(a.siblings == "A2 A3")
        #expect(!a.covers(deletion.names, "A3") && !a.covers(edit.names, "A2"))
    }

    @Test mutating func case14_oppositeOrder_isTheSame() {
        a.put("")
        b.sync(a)
        c.sync(a)
        a.put("A1")
        b.put("A1")
        c.sync(b)
        c.sync(a)
        b.sync(a)
        #expect(b.siblings == "A2 B1" && c.siblings == "A2 B1")
    }

    @Test mutating func case15_twoDeletions_areSiblings() {
        a.put("")
        b.sync(a)
        a.put("A1")
        b.put("A1")
        exchange()
        #expect(a.siblings == "A2 B1" && b.siblings == "A2 B1")
    }

    @Test mutating func case16_writeAfterSeeingDeletion_supersedesIt() {
        a.put("")
        a.put("A1")
        a.put("A2")
        #expect(a.siblings == "A3")
    }

    @Test mutating func case17_blindCreation_survivesTombstone() {
        a.put("")
        a.put("A1")
        a.put("")
        #expect(a.siblings == "A2 A3")
    }

    @Test mutating func case19_writeAfterDeletion_getsNewDot() {
        a.put("")
        a.put("A1")
        c.sync(a)
        #expect(a.put("A2").names == "A3", "a counter never starts again")
        a.sync(c)
        #expect(a.siblings == "A3", "the deletion that comes late is in its past")
    }

    @Test mutating func case20_concurrentEditsOnTwoReplicas() {
        a.put("")
        b.sync(a)
        a.put("A1")
        b.put("A1")
        exchange()
        #expect(a.siblings == "A2 B1")
        #expect(b.siblings == "A2 B1")
    }

    @Test mutating func case21_fastForward() {
        a.put("")
        c.sync(a)
        a.put("A1")
        c.sync(a)
        #expect(c.siblings == "A2")
    }

    @Test mutating func case22_resolutionTravels() {
        case20_concurrentEditsOnTwoReplicas()
        a.put("A2 B1")
        b.sync(a)
        #expect(b.siblings == "A3")
    }

    @Test mutating func case23_bothResolve_resolutionsAreSiblings() {
        case20_concurrentEditsOnTwoReplicas()
        a.put("A2 B1")
        b.put("A2 B1")
        exchange()
        #expect(a.siblings == "A3 B2")
        #expect(b.siblings == "A3 B2")
    }

    @Test mutating func case24_exchange_createsNoDots() {
        case23_bothResolve_resolutionsAreSiblings()
        for _ in 0..<3 { exchange() }
        #expect(a.known == b.known && a.known.count == 5)
    }

    @Test mutating func case25_resolutionRacesWithAnEdit() {
        case20_concurrentEditsOnTwoReplicas()
        a.put("A2 B1")
        b.put("B1")
        exchange()
        #expect(a.siblings == "A3 B2")
        #expect(b.siblings == "A3 B2")
    }

    @Test mutating func case26_baseWithUnknownDots_isNotKnown() {
        a.put("")
        b.sync(a)
        a.put("A1")
        #expect(!b.graph.knows(dot("A2")), "answered unknown_base")
        b.sync(a)
        b.put("A2")
        #expect(b.siblings == "B1")
    }

    @Test mutating func case27_ringOfThree_converges() {
        #expect(ring() == [2, 3, 3, 3, 3, 3])
        for store in [a, b, c] { #expect(store.siblings == "A2 B1 C1") }
    }

    @Test mutating func case28_repeatedMessage_changesNothing() {
        _ = ring()
        for _ in 0..<3 { b.sync(a) }
        for store in [a, b, c] { #expect(store.siblings == "A2 B1 C1" && store.known.count == 4) }
    }

    /// Three concurrent writers pass their revisions on in one direction, twice. Returns how many
    /// siblings the receiver had each time.
    private mutating func ring() -> [Int] {
        a.put("")
        b.sync(a)
        c.sync(a)
        a.put("A1")
        b.put("A1")
        c.put("A1")
        var counts: [Int] = []
        for _ in 0..<2 {
            b.sync(a)
            counts.append(b.graph.siblings.dots.count)
            c.sync(b)
            counts.append(c.graph.siblings.dots.count)
            a.sync(c)
            counts.append(a.graph.siblings.dots.count)
        }
        return counts
    }

    @Test mutating func case29_olderState_doesNotReturn() {
        a.put("")
        a.put("A1")
        let older = a
        a.put("A2")
        b.sync(a)
        b.sync(older)
        #expect(b.siblings == "A3")
    }

    @Test mutating func case30_revisionWithMissingParents_waits() {
        a.put("")
        b.sync(a)
        a.put("A1")
        a.put("A2")
        #expect(!b.graph.knows(dot("A2")), "so A3 may not be adopted yet")
        b.sync(a)
        #expect(b.siblings == "A3")
    }

    @Test mutating func case31_gapIsNotFilledByGuessing() {
        a.put("")
        b.sync(a)
        a.put("A1")
        a.put("A1")
        var graph = b.graph
        graph.insert(dot("A3"), parents: seen("A1"))
        #expect(!graph.knows(dot("A2")))
        graph.insert(dot("A2"), parents: seen("A1"))
        #expect(graph.siblings.names == "A2 A3")
    }

    @Test mutating func case32_joinLaws() {
        a.put("")
        b.sync(a)
        a.put("A1")
        c.sync(a)
        b.put("A1")
        c.put("A2")
        let all = [a, b, c]
        for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            var left = all[order[0]]
            left.sync(all[order[1]])
            left.sync(all[order[2]])
            var inner = all[order[1]]
            inner.sync(all[order[2]])
            var right = all[order[0]]
            right.sync(inner)
            #expect(left.siblings == "B1 C1", "C1 saw A2")
            #expect(right.siblings == "B1 C1")
        }
    }

    @Test mutating func case33_restoredStore_continuesUnderNewID() {
        a.put("")
        var restored = a
        a.put("A1")
        a.put("A2")
        b.sync(a)
        restored.restart(as: "D")
        restored.put("A1")
        b.sync(restored)
        #expect(b.siblings == "A3 D1")
    }

    @Test mutating func case34_skippedCounters_areNotClaimed() {
        a.put("")
        var restored = a
        a.put("A1")
        a.put("A2")
        b.sync(a)
        restored.restart(as: "D", after: 8)
        #expect(restored.put("A1").names == "D9")
        restored.sync(b)
        b.sync(restored)
        #expect(b.siblings == "A3 D9" && restored.siblings == "A3 D9")
    }

    @Test mutating func case35_copiesOfAStore_useSeparateIDs() {
        a.put("")
        var copy = a
        a.restart(as: "D")
        copy.restart(as: "E")
        a.put("A1")
        copy.put("A1")
        a.sync(copy)
        #expect(a.siblings == "D1 E1")
    }

    @Test mutating func case36_lostVersionOfOwnStore_isNotKnown() {
        a.put("")
        #expect(!a.graph.knows(dot("A7")))
    }

    @Test mutating func case38_resolvingOneSibling_leavesTheOther() {
        case20_concurrentEditsOnTwoReplicas()
        a.put("A2")
        #expect(a.siblings == "A3 B1")
    }

    @Test mutating func case40_equalTexts_areTwoRevisions() {
        a.put("")
        b.sync(a)
        a.put("A1")
        b.put("A1")
        a.sync(b)
        b.put("B1")
        a.sync(b)
        #expect(a.siblings == "A2 B2")
    }

    private mutating func exchange() {
        a.sync(b)
        b.sync(a)
    }
}
