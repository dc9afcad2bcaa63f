import Causality
import NotesModel
import TestKit
import Testing
import TextMerge

/// The result for single revisions, and that no revision makes the planner trap.
@Suite struct AdoptionTests {
    private let id = noteID(1)

    /// A minimal store that always loads whole histories.
    private struct Peer {
        var committed: [Accepted] = []
        private var hashes: [Dot: RevisionHash] = [:]
        var waiting: [LinkedRevision] = []
        var quarantined: [Quarantined] = []
        var limits = ModelLimits()

        @discardableResult
        mutating func adopt(_ revisions: [LinkedRevision], as own: ReplicaID = replica("F")) -> AdoptionReport {
            var adoption = Adoption(of: revisions, limits: limits, replica: own)
            while let need = adoption.run() {
                switch need {
                case .held(let dot):
                    if let found = committed.first(where: { $0.revision.dot == dot }) {
                        adoption.supply(.committed(linked(found.revision)), for: dot)
                    } else {
                        adoption.supply(waiting.first { $0.dot == dot }.map(Adoption.Held.waiting) ?? .nothing, for: dot)
                    }
                case .waiting(on: let dot):
                    adoption.supply(waiting: waiting.filter { $0.content.parents.dots.contains(dot) }, on: dot)
                case .note(let id, downTo: let depth): adoption.supply(loaded: note(id), for: id, downTo: depth)
                }
            }
            for accepted in adoption.accepted {
                committed.append(accepted)
                hashes[accepted.revision.dot] = RevisionHash(of: linked(accepted.revision))
            }
            waiting = (waiting + adoption.waiting).filter { waits in
                !committed.contains { $0.revision == waits.content } && !adoption.quarantined.contains { $0.revision == waits }
            }
            for new in adoption.quarantined where !quarantined.contains(new) { quarantined.append(new) }
            return adoption.report
        }

        private func linked(_ revision: Revision) -> LinkedRevision {
            LinkedRevision(revision, parentHashes: revision.parents.dots.compactMap { hashes[$0] })
        }

        func note(_ id: NoteID) -> Note? {
            let all = committed.filter { $0.revision.note == id }
            guard let first = all.first, let last = all.last else { return nil }
            return Note(
                NoteRecord(
                    id: id, created: first.revision.time, vector: last.after.vector, sequence: UInt64(all.count), floor: nil,
                    tail: all.map(\.revision)))
        }

        var held: Set<Dot> { Set(committed.map(\.revision.dot) + waiting.map(\.dot)) }
    }

    private func revision(
        _ made: String, on parents: Version, _ edits: [Edit], note: NoteID? = nil, name: NameEdit = .unchanged,
        isTombstone: Bool = false, time: Int64 = 0
    ) -> Revision {
        Revision(
            note: note ?? id, dot: dot(made), parents: parents, edits: edits, origin: .stated, name: name,
            isTombstone: isTombstone, author: ada, time: Timestamp(milliseconds: time))
    }

    private func insert(_ text: String, at offset: Int = 0) -> [Edit] {
        [Edit(start: offset, end: offset, replacement: bytes(text))]
    }

    private var first: Revision { revision("A1", on: .nothing, insert("aé\n")) }

    /// Case 30 of `docs/causality.md`.
    @Test func revisionBeforeItsParents_waits() {
        var peer = Peer()
        let second = revision("A2", on: version("A1"), insert("b"))
        let third = revision("B1", on: version("A2"), insert("c"))
        let all = linked([first, second, third])
        #expect(peer.adopt([all[2]]).waiting == [dot("B1")])
        #expect(peer.adopt([all[1], all[2]]).waiting == [dot("A2")])
        #expect(peer.note(id) == nil && peer.waiting.count == 2)
        let report = peer.adopt([all[0]])
        #expect(report.committed == [dot("A1"), dot("A2"), dot("B1")] && report.waiting.isEmpty)
        #expect(peer.waiting.isEmpty && peer.note(id)?.text == bytes("cbaé\n"))
    }

    /// Cases 28, 29 and 31.
    @Test func knownRevisions_changeNothing() {
        var peer = Peer()
        let second = revision("A2", on: version("A1"), insert("b"))
        let beside = revision("B1", on: version("A1"), insert("c"))
        peer.adopt(linked([second, beside, first, first]))
        let before = peer.note(id)?.head
        let report = peer.adopt(linked([first, beside, second, first]))
        #expect(report.known == 4 && report.committed.isEmpty, "\(report)")
        #expect(peer.note(id)?.head == before && before?.version == version("A2", "B1"))
    }

    @Test func differentContentOfADot_isQuarantined() {
        var peer = Peer()
        let twin = linked([revision("A1", on: .nothing, insert("other"), time: 9)])[0]
        #expect(peer.adopt(linked([first]) + [twin]).quarantined.map(\.reason) == [.dotIsTaken])
        // Together with a waiting revision.
        let waits = linked([revision("B1", on: version("C1"), insert("x"))])[0]
        let other = linked([revision("B1", on: version("C1"), insert("y"))])[0]
        #expect(peer.adopt([waits, other, twin]).quarantined.map(\.dot) == [dot("B1"), dot("A1")])
        #expect(peer.adopt([other]).quarantined.map(\.dot) == [dot("B1")])
        #expect(peer.quarantined.map(\.revision) == [twin, other])
        #expect(peer.note(id)?.text == bytes("aé\n") && peer.waiting == [waits])
    }

    /// Anybody can send a revision with a dot that somebody else will use, and whose parents never come.
    @Test func revisionThatWaits_doesNotKeepAnotherOneWithItsDotAway() {
        let squatter = linked([revision("A1", on: version("D7"), insert("squat"))])[0]
        let onSquatter = linked([revision("A2", on: version("D8"), insert("squat"))])[0]
        let second = revision("A2", on: version("A1"), insert("b"))
        let honest = linked([first, second])
        var peer = Peer()
        peer.adopt([squatter, onSquatter])
        let report = peer.adopt(honest)
        #expect(report.committed == [dot("A1"), dot("A2")] && report.quarantined.isEmpty && report.refused.isEmpty)
        #expect(peer.note(id)?.text == bytes("baé\n") && peer.waiting.isEmpty)
        #expect(peer.quarantined.map(\.revision) == [squatter, onSquatter])
        #expect(peer.quarantined.map(\.reason) == [.dotIsTaken, .dotIsTaken])
        #expect(peer.adopt([squatter]).quarantined.map(\.dot) == [dot("A1")])
        // Both arrive at once, the one that waits first.
        var other = Peer()
        let both = other.adopt([squatter] + honest)
        #expect(both.committed == [dot("A1"), dot("A2")] && both.quarantined.isEmpty)
        #expect(other.waiting.isEmpty && other.quarantined.map(\.revision) == [squatter])
    }

    /// A replica minted A1 twice. The child of one of both is not attached to the other, whether its
    /// parent is committed before or waits.
    @Test func case41_childOfOtherContent_isQuarantined() {
        let other = revision("A1", on: .nothing, insert("other\n"), time: 9)
        let child = revision("B1", on: version("A1"), insert("x"))
        let (mine, theirs) = (linked([first, child]), linked([other, child]))
        var peer = Peer()
        peer.adopt([mine[0]])
        #expect(peer.adopt(theirs).quarantined.map(\.reason) == [.dotIsTaken, .parentDiffers])
        #expect(peer.note(id)?.text == bytes("aé\n") && peer.waiting.isEmpty)
        #expect(peer.adopt([mine[1]]).committed == [dot("B1")], "the quarantined one does not occupy the dot")
        var waiting = Peer()
        #expect(waiting.adopt([theirs[1]]).waiting == [dot("B1")])
        #expect(waiting.adopt([mine[0]]).quarantined.map(\.reason) == [.parentDiffers])
        #expect(waiting.waiting.isEmpty && waiting.quarantined.map(\.revision) == [theirs[1]])
        // With two parents, each hash is compared.
        let merges = linked([first, revision("C1", on: .nothing, []), revision("D1", on: version("A1", "C1"), [])])
        for wrong in 0..<2 {
            var peer = Peer()
            var hashes = merges[2].parentHashes
            hashes[wrong] = RevisionHash(bits: 0)
            peer.adopt(Array(merges[..<2]))
            let merge = LinkedRevision(merges[2].content, parentHashes: hashes)
            #expect(peer.adopt([merge]).quarantined.map(\.reason) == [.parentDiffers])
            #expect(peer.adopt([merges[2]]).committed == [dot("D1")])
        }
    }

    /// A revision that does not fit is quarantined with its reason, and the note does not change.
    @Test func unfitRevision_isQuarantinedWithReason() {
        var peer = Peer()
        peer.limits.noteBytesMax = 100
        let second = revision("A2", on: version("A1"), insert("b"))
        let elsewhere = revision("A9", on: .nothing, insert("z"), note: noteID(2))
        let held = linked([first, second, elsewhere])
        peer.adopt(held)
        let head = peer.note(id)?.head
        let tooLong = String(repeating: "x", count: 300)
        let cases: [(Revision, QuarantineReason)] = [
            (revision("F7", on: version("A1"), insert("x")), .dotIsOurs),
            (revision("B1", on: version("A9"), insert("x")), .parentOfAnotherNote),
            (revision("B2", on: version("A1", "A2"), insert("x")), .parentsCoverEachOther),
            (revision("B3", on: version("A1"), insert("x", at: 5)), .editOutsideText),
            (revision("B4", on: version("A1"), insert("x", at: 2)), .editSplitsCharacter),
            (revision("B5", on: version("A1"), [Edit(start: 0, end: 2, replacement: [])]), .editSplitsCharacter),
            (revision("B6", on: version("A1"), [Edit(start: 0, end: 0, replacement: [0xC3])]), .editSplitsCharacter),
            (revision("B7", on: version("A1"), insert(tooLong)), .tooLong),
            (revision("B8", on: Version((1...5_000).map { Dot(replica("C"), $0) }), []), .tooMany),
            (revision("B9", on: version("A1"), insert("x"), isTombstone: true), .tombstoneWrites),
            (revision("E1", on: version("A1"), [Edit(start: 2, end: 3, replacement: [])]), .editSplitsCharacter),
            (revision("E2", on: version("A1"), [], name: .set(name("n")), isTombstone: true), .tombstoneWrites),
            (revision("C1", on: version("A1", "C1"), insert("x")), .parentOfItself),
            (revision("C2", on: .nothing, insert("x", at: 1)), .editOutsideText),
            (revision("C3", on: .nothing, insert("x", at: 1), note: noteID(3)), .editOutsideText),
        ]
        for (revision, reason) in cases {
            let report = peer.adopt(linked([revision], onto: held))
            #expect(report.quarantined.map(\.reason) == [reason], "\(revision.dot)")
            #expect(report.committed.isEmpty && report.waiting.isEmpty, "\(revision.dot)")
        }
        #expect(peer.note(id)?.head == head && peer.note(noteID(3)) == nil)
        let overlapping = revision(
            "D1", on: version("A1"), [Edit(start: 1, end: 3, replacement: []), Edit(start: 0, end: 1, replacement: [])])
        #expect(peer.adopt(linked([overlapping], onto: held)).unreadable == 1)
    }

    /// A waiting revision that does not fit is quarantined when its parents arrive.
    @Test func unfitWaitingRevision_isQuarantined() {
        var peer = Peer()
        let wrong = revision("B1", on: version("A1"), insert("x", at: 50))
        let behind = revision("B2", on: version("B1"), insert("y"))
        let all = linked([first, wrong, behind])
        peer.adopt([all[1], all[2]])
        let report = peer.adopt([all[0]])
        #expect(report.committed == [dot("A1")] && report.quarantined.map(\.reason) == [.editOutsideText])
        #expect(peer.waiting == [all[2]], "its child waits for one that does fit")
    }

    /// A merged text may exceed the limit for one write. A revision based on it is accepted if it
    /// does not make the text longer.
    @Test func overlongMergedText_acceptsShorterRevisions() {
        var peer = Peer()
        peer.limits.noteBytesMax = 10
        let texts = (1...4).map { revision("A\($0)", on: .nothing, insert(String(repeating: "\($0)", count: 20))) }
        peer.adopt(linked(texts))
        let all = version("A1", "A2", "A3", "A4")
        let shorter = revision("B1", on: all, [Edit(start: 0, end: 5, replacement: bytes("x"))])
        #expect(peer.adopt(linked([shorter], onto: linked(texts))).committed == [dot("B1")])
        let longer = linked(texts + [shorter, revision("B2", on: version("B1"), insert("xx"))])[5]
        #expect(peer.adopt([longer]).quarantined.map(\.reason) == [.tooLong])
    }

    /// For random input, every revision ends in exactly one place, and the accepted revisions
    /// produce the same text in any order.
    @Test(arguments: seeds(40))
    func anyRevision_hasExactlyOneOutcome(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let revisions = linked((0..<60).map { _ in garbage(&random) })
        var peer = Peer()
        for start in stride(from: 0, to: revisions.count, by: 7) {
            peer.adopt(Array(revisions[start..<min(start + 7, revisions.count)]))
        }
        for revision in revisions where revision.content.edits.fault(forLength: .max) == nil {
            let places = [
                peer.committed.contains { $0.revision == revision.content }, peer.waiting.contains(revision),
                peer.quarantined.contains { $0.revision == revision },
            ]
            #expect(places.filter { $0 }.count == 1, "seed \(seed), \(revision.dot)")
        }
        var again = Peer()
        let kept = linked(peer.committed.map(\.revision))
        for revision in kept.shuffled(using: &random) { again.adopt([revision]) }
        #expect(again.held == Set(kept.map(\.dot)) && again.waiting.isEmpty && again.quarantined.isEmpty, "seed \(seed)")
        for note in Set(kept.map(\.note)) {
            #expect(again.note(note)?.text == peer.note(note)?.text, "seed \(seed)")
            #expect(again.note(note)?.version == peer.note(note)?.version, "seed \(seed)")
        }
    }

    private func garbage(_ random: inout SeededGenerator) -> Revision {
        func anyDot() -> Dot { Dot(replica(random.pick(["A", "B", "F"])), UInt64(1 + random.below(12))) }
        var edits: [Edit] = []
        var end = 0
        for _ in 0..<random.below(3) {
            let start = end + random.below(3) - (random.chance(0.05) ? 1 : 0)
            end = max(0, start) + random.below(3)
            edits.append(Edit(start: max(0, start), end: end, replacement: random.pick([[], bytes("x\n"), bytes("é"), [0x80]])))
        }
        let parents = Version((0..<random.below(4)).map { _ in anyDot() })
        return Revision(
            note: noteID(UInt64(1 + random.below(2))), dot: anyDot(), parents: parents, edits: edits,
            origin: random.chance(0.5) ? .found : .stated, name: random.chance(0.2) ? .set(name("n")) : .unchanged,
            isTombstone: random.chance(0.1), author: ada, time: Timestamp(milliseconds: Int64(random.below(3))))
    }
}
