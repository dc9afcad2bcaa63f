import Causality
import TestKit
import Testing

/// `DotSet` compared with plain sets of dots.
@Suite struct DotSetTests {
    private struct Pair {
        var set = DotSet()
        var naive: Set<Dot> = []

        /// Some single dots and some ranges, close together, so that they overlap, are adjacent and
        /// leave gaps.
        init(_ random: inout SeededGenerator) {
            for _ in 0..<random.below(20) {
                let replica = ReplicaID(bits: UInt64(random.below(3)))
                let low = UInt64(1 + random.below(40))
                if random.chance(0.6) {
                    let isNew = set.insert(Dot(replica, low))
                    precondition(isNew == naive.insert(Dot(replica, low)).inserted)
                } else {
                    let high = low + UInt64(random.below(8))
                    set.insert(low...high, of: replica)
                    naive.formUnion((low...high).map { Dot(replica, $0) })
                }
                set.checkInvariants()
            }
        }
    }

    private static let universe = (0..<4).flatMap { replica in
        (1...50).map { Dot(ReplicaID(bits: replica), $0) }
    }

    private func expect(_ set: DotSet, is naive: Set<Dot>, _ place: Comment) {
        set.checkInvariants()
        #expect(Set(Self.universe.filter(set.contains)) == naive, place)
        #expect(set.count == naive.count, place)
        #expect(set.isEmpty == naive.isEmpty, place)
        let listed = set.replicas.flatMap { replica in
            set.ranges(of: replica).flatMap { $0.map { Dot(replica, $0) } }
        }
        #expect(listed == naive.sorted(), place)
        #expect(set == DotSet(naive.shuffled()), place)
    }

    @Test(arguments: seeds(60))
    func operations_matchPlainSets(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let (a, b, c) = (Pair(&random), Pair(&random), Pair(&random))
        let place: Comment = "seed \(seed)"
        expect(a.set, is: a.naive, place)
        expect(a.set.union(b.set), is: a.naive.union(b.naive), place)
        expect(a.set.subtracting(b.set), is: a.naive.subtracting(b.naive), place)
        #expect(a.set.isSuperset(of: b.set) == a.naive.isSuperset(of: b.naive), place)
        #expect(a.set.union(b.set).isSuperset(of: b.set), place)
        #expect(a.set.union(b.set) == b.set.union(a.set), place)
        #expect(a.set.union(b.set).union(c.set) == a.set.union(b.set.union(c.set)), place)
        #expect(a.set.union(a.set) == a.set && a.set.subtracting(a.set).isEmpty, place)
        #expect(a.set.subtracting(b.set).union(b.set) == a.set.union(b.set), place)
    }

    @Test(arguments: seeds(40))
    func counterRanges_areFound(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let twin = Pair(&random)
        for _ in 0..<40 {
            let replica = ReplicaID(bits: UInt64(random.below(4)))
            let low = UInt64(1 + random.below(45))
            let range = low...low + UInt64(random.below(10))
            let missing = range.first { !twin.naive.contains(Dot(replica, $0)) }
            #expect(twin.set.firstMissing(of: range, of: replica) == missing, "seed \(seed), \(range)")
            #expect(twin.set.isSuperset(of: range, of: replica) == (missing == nil), "seed \(seed), \(range)")
        }
    }

    @Test(arguments: seeds(60))
    func textForm_roundTrips(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let set = Pair(&random).set
        #expect(try DotSet(parsing: Array(set.description.utf8)) == set, "seed \(seed)")
    }

    /// Two texts of one set would make programs that compare texts see a difference.
    @Test(arguments: seeds(200))
    func parsing_acceptsOnlyTheTextForm(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var text = Array(Pair(&random).set.description.utf8)
        for _ in 0...random.below(3) {
            let byte = random.pick(Array("0123456789abcf:-, x".utf8))
            let place = random.below(text.count + 1)
            if place < text.count, random.chance(0.6) { text[place] = byte } else { text.insert(byte, at: place) }
        }
        guard let set = try? DotSet(parsing: text) else { return }
        #expect(Array(set.description.utf8) == text, "seed \(seed)")
    }

    @Test(arguments: [
        ("aaaaaaaaaaaaaaaa:2,1", 19), ("aaaaaaaaaaaaaaaa:1,2", 19), ("aaaaaaaaaaaaaaaa:1-1", 17), ("aaaaaaaaaaaaaaaa:01", 17),
        ("aaaaaaaaaaaaaaaa:0", 17), ("aaaaaaaaaaaaaaaa:9223372036854775808", 17), ("aaaaaaaaaaaaaaaa:", 17),
        ("aaaaaaaaaaaaaaaa:1 aaaaaaaaaaaaaaaa:3", 19), ("bbbbbbbbbbbbbbbb:1 aaaaaaaaaaaaaaaa:3", 19), ("aaaa:1", 0), (" ", 0),
        ("aaaaaaaaaaaaaaaa:1 ", 19),
    ])
    func faults_areFoundAtTheirOffset(text: String, offset: Int) {
        #expect(throws: DotSet.ParseFault(offset: offset)) { try DotSet(parsing: Array(text.utf8)) }
    }

    @Test func greatestRange_hasATextForm() throws {
        let text = "aaaaaaaaaaaaaaaa:1-9223372036854775807"
        #expect(try DotSet(parsing: Array(text.utf8)).description == text)
    }

    /// A set that recorded "up to 7" for the dots that it received would not request 2 to 6 again.
    @Test func description_listsRangesPerReplica() {
        var set = DotSet([dot("B2"), dot("A9")])
        set.insert(1...7, of: replica("A"))
        #expect(set.description == "\(replica("A")):1-7,9 \(replica("B")):2")
        #expect(DotSet().description == "")
        #expect(set.ranges(of: replica("C")) == [])
    }

    @Test func gaps_areKept() {
        let set = DotSet([dot("A1"), dot("A7"), dot("B2")])
        #expect(set.count == 3 && !set.contains(dot("A4")) && !set.contains(dot("B1")))
        #expect(set.firstMissing(of: 1...7, of: replica("A")) == 2)
        #expect("\(set)" == "aaaaaaaaaaaaaaaa:1,7 bbbbbbbbbbbbbbbb:2")
    }

    @Test func ends_doNotOverflow() {
        var set = DotSet()
        set.insert(1...Dot.counterMax, of: replica("A"))
        set.insert(Dot(replica("A"), Dot.counterMax))
        set.insert(2...Dot.counterMax, of: replica("B"))
        set.insert(Dot(replica("B"), 1))
        set.checkInvariants()
        #expect(set.count == .max)
        #expect(set.firstMissing(of: 5...Dot.counterMax, of: replica("A")) == nil)
        #expect(set.subtracting(DotSet([dot("A5")])).ranges(of: replica("A")) == [1...4, 6...Dot.counterMax])
        #expect(set.subtracting(set).isEmpty && set.isSuperset(of: set))
    }

    @Test(arguments: seeds(20))
    func dotsFromAPlace_areAStretchOfAll(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var set = DotSet()
        for _ in 0..<random.below(30) {
            let low = UInt64(1 + random.below(40))
            set.insert(low...low + UInt64(random.below(4)), of: ReplicaID(bits: UInt64(1 + random.below(3))))
        }
        let all = set.replicas.flatMap { replica in set.ranges(of: replica).flatMap { $0.map { Dot(replica, $0) } } }
        for from in 0...all.count {
            let count = random.below(all.count + 2)
            #expect(set.dots(from: from, count: count) == Array(all.dropFirst(from).prefix(count)), "seed \(seed)")
        }
    }
}
