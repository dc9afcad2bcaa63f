import Causality
import NotesModel
import TestKit
import Testing
import TextMerge

/// Adoption at its limits: full holding areas, notes from the cache, and work left for the next
/// adoption.
@Suite struct AdoptionLimitTests {
    private let id = noteID(1)

    private func revision(_ made: String, on parents: Version, _ text: String = "x\n", at offset: Int = 0) -> Revision {
        Revision(
            note: id, dot: dot(made), parents: parents, edits: [Edit(start: offset, end: offset, replacement: bytes(text))],
            origin: .stated, author: ada, time: Timestamp(milliseconds: 0))
    }

    /// A store that holds only the given revisions.
    private func run(_ adoption: inout Adoption, held: [LinkedRevision] = []) {
        while let need = adoption.run() {
            switch need {
            case .held(let dot): adoption.supply(held.first { $0.dot == dot }.map { .committed($0) } ?? .nothing, for: dot)
            case .waiting(on: let dot): adoption.supply(waiting: [], on: dot)
            case .note(let id, downTo: let depth): adoption.supply(loaded: nil, for: id, downTo: depth)
            }
        }
    }

    @Test func revisionsOverHoldingLimit_areRefused() {
        let waits = linked([revision("B1", on: version("C1")), revision("B2", on: version("C1"))])
        let unfit = linked([revision("F1", on: .nothing), revision("F2", on: .nothing)])
        var (limits, kept) = (HoldingLimits(), HoldingAmounts())
        limits.waitingMax = HoldingAmount(revisions: 2, bytes: 1_000)
        limits.quarantinedMax = HoldingAmount(revisions: 9, bytes: HoldingAmount.of(unfit[0]).bytes + 1)
        kept.waiting = HoldingAmount(revisions: 1, bytes: 10)
        var adoption = Adoption(
            of: waits + unfit, limits: ModelLimits(), replica: replica("F"), kept: kept, keptMax: limits)
        run(&adoption)
        #expect(adoption.waiting == [waits[0]] && adoption.quarantined.map(\.revision) == [unfit[0]])
        let report = adoption.report
        #expect(report.waiting == [dot("B1")] && report.quarantined.map(\.dot) == [dot("F1")])
        #expect(
            report.refused == [
                AdoptionReport.Refused(dot: dot("B2"), area: .waiting),
                AdoptionReport.Refused(dot: dot("F2"), area: .quarantine),
            ])
    }

    @Test func amounts_areAddedAndSubtracted() {
        let (one, other) = (HoldingAmount(revisions: 2, bytes: 30), HoldingAmount(revisions: 1, bytes: 7))
        #expect(one + other == HoldingAmount(revisions: 3, bytes: 37))
        #expect(one + other - other == one)
        #expect(other.isWithin(one) && one.isWithin(one) && !one.isWithin(other))
        #expect(!HoldingAmount(revisions: 1, bytes: 31).isWithin(one))
    }

    /// The revision waited for its parent until the parent arrived in the same adoption.
    @Test func unfitWaitingRevision_isQuarantined() {
        var adoption = Adoption(
            of: linked([revision("B1", on: version("A1"), at: 50), revision("A1", on: .nothing)]), limits: ModelLimits(),
            replica: replica("F"))
        run(&adoption)
        #expect(adoption.report.committed == [dot("A1")])
        #expect(adoption.waiting.isEmpty && adoption.quarantined.map(\.reason) == [.editOutsideText])
    }

    @Test func fittingWaitingRevision_isCommitted() {
        var adoption = Adoption(
            of: linked([revision("B1", on: version("A1")), revision("A1", on: .nothing)]), limits: ModelLimits(),
            replica: replica("F"))
        run(&adoption)
        #expect(adoption.report.committed == [dot("A1"), dot("B1")])
        #expect(adoption.waiting.isEmpty && adoption.report.waiting.isEmpty)
    }

    @Test func revisionOfferedTwice_waitsOnce() {
        let waits = linked([revision("B1", on: version("A1"))])[0]
        var adoption = Adoption(of: [waits, waits], limits: ModelLimits(), replica: replica("F"))
        run(&adoption)
        #expect(adoption.waiting == [waits])
        #expect(adoption.report.waiting == [dot("B1")] && adoption.report.known == 1)
    }

    /// An adoption continues where the previous one ended: a revision that waited in the first may
    /// be committed in the second.
    @Test func reports_areJoined() {
        var (one, next) = (AdoptionReport(), AdoptionReport())
        (one.committed, one.known, one.waiting, one.unreadable) = ([dot("A1")], 1, [dot("B1"), dot("B2")], 2)
        (next.committed, next.known, next.waiting, next.unreadable) = ([dot("B1")], 4, [dot("C1")], 1)
        one.refused = [AdoptionReport.Refused(dot: dot("D1"), area: .waiting)]
        next.refused = [AdoptionReport.Refused(dot: dot("D2"), area: .quarantine)]
        let both = one.joined(next)
        #expect(both.committed == [dot("A1"), dot("B1")] && both.known == 5 && both.unreadable == 3)
        #expect(both.waiting == [dot("B2"), dot("C1")])
        #expect(both.refused == one.refused + next.refused)
        #expect(one.joined(AdoptionReport()) == one && AdoptionReport().joined(one) == one)
    }

    @Test func cachedNote_isChangedOrReturned() {
        let revisions = linked([revision("A1", on: .nothing), revision("B1", on: version("A1"))])
        let note = Note(first: revisions[0].content, holdsFloor: true)
        for (revision, changes) in [(revisions[0], false), (revisions[1], true)] {
            var adoption = Adoption(of: [revision], limits: ModelLimits(), replica: replica("F"))
            #expect(!adoption.holds(id) && adoption.note(id) == nil)
            adoption.supply(cached: note)
            #expect(adoption.holds(id) && adoption.note(id)?.head == note.head)
            run(&adoption, held: [revisions[0]])
            #expect(adoption.changed.map(\.version) == (changes ? [version("B1")] : []))
            #expect(adoption.untouched.map(\.version) == (changes ? [] : [version("A1")]))
        }
    }
}
