import Causality
import TestKit
import Testing

/// The text forms of replica ids, dots and versions, which clients send: whatever is printed is
/// parsed, and nothing else is.
@Suite struct TextFormTests {
    private func readDot(_ text: String) -> Dot? { Dot(parsing: Array(text.utf8)) }
    private func readVersion(_ text: String) -> Version? { Version(parsing: Array(text.utf8)) }

    @Test func dot_isHexReplicaColonDecimalCounter() {
        #expect(readDot("9f86d081884c7d65:3") == Dot(ReplicaID(bits: 0x9f86_d081_884c_7d65), 3))
        #expect(Dot(ReplicaID(bits: 0xab), 12).description == "00000000000000ab:12")
        #expect(readDot("0000000000000000:9223372036854775807")?.counter == Dot.counterMax)
    }

    @Test(arguments: [
        "", ":", "1", "9f86d081884c7d65", "9f86d081884c7d65:", ":1", "9f86d081884c7d65:0", "9f86d081884c7d65:01",
        "9f86d081884c7d65:+1", "9f86d081884c7d65:-1", "9f86d081884c7d65: 1", "9f86d081884c7d65:1 ", " 9f86d081884c7d65:1",
        "9F86D081884C7D65:1", "9f86d081884c7d6:1", "9f86d081884c7d655:1", "0x86d081884c7d65:1", "9f86d081884c7d6g:1",
        "9f86d081884c7d65:9223372036854775808", "9f86d081884c7d65:18446744073709551616",
        "9f86d081884c7d65:99999999999999999999999999999999999999999999", "9f86d081884c7d65:1:2", "9f86d081884c7d65::1",
        "9f86d081884c7d65:１", "9f86d081884c7d65:1\0", "9f86d081884c7d65:1e3", "9f86d081884c7d65:0x1", "9f86d081884c7d65:1\n",
    ])
    func malformedDot_isRejected(text: String) {
        #expect(readDot(text) == nil)
        #expect(text.isEmpty || readVersion(text) == nil)
    }

    @Test(arguments: [
        " ", "  ", "00000000000000aa:1  00000000000000bb:1", "00000000000000aa:1 ", " 00000000000000aa:1",
        "00000000000000aa:1\t00000000000000bb:1", "00000000000000aa:1,00000000000000bb:1",
        "00000000000000aa:1\u{A0}00000000000000bb:1",
    ])
    func malformedVersion_isRejected(text: String) {
        #expect(readVersion(text) == nil)
    }

    @Test func nonUTF8Bytes_areRejected() {
        for byte in UInt8.min...UInt8.max where byte != UInt8(ascii: "1") {
            let bytes = Array("00000000000000aa:1".utf8)
            #expect(Dot(parsing: bytes.dropLast() + [byte]) == nil || (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(byte))
            #expect(ReplicaID(parsing: [byte]) == nil)
        }
    }

    /// The bytes of a collection need not be contiguous in memory.
    @Test func nonContiguousBytes_parseTheSame() {
        let text = "00000000000000bb:2 00000000000000aa:10"
        #expect(Version(parsing: text.utf8.lazy.map { $0 }) == readVersion(text))
        #expect(readVersion(text) != nil)
        #expect(ReplicaID(parsing: "00000000000000ag".utf8.lazy.map { $0 }) == nil)
    }

    @Test func single_isTheOnlyDotOfAVersion() {
        #expect(seen("A1").single == dot("A1"))
        #expect(seen("A1 B1").single == nil)
        #expect(Version.nothing.single == nil)
    }

    @Test func emptyText_isTheEmptyVersion() {
        #expect(readVersion("") == .nothing)
        #expect(Version.nothing.description == "")
        #expect(Version.nothing.isNothing)
    }

    @Test func version_parsesInAnyOrder_andPrintsSorted() {
        let text = "00000000000000bb:2 00000000000000aa:10 00000000000000aa:9 00000000000000bb:2"
        #expect(readVersion(text)?.description == "00000000000000aa:9 00000000000000aa:10 00000000000000bb:2")
    }

    @Test(arguments: seeds(200))
    func printedForms_roundTrip(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let dots = (0..<generator.below(6)).map { _ in
            Dot(ReplicaID(bits: generator.next() >> generator.below(64)), max(1, generator.next() >> (1 + generator.below(63))))
        }
        for dot in dots { #expect(readDot(dot.description) == dot, "seed \(seed)") }
        #expect(readVersion(Version(dots).description) == Version(dots), "seed \(seed)")
        #expect(readVersion(dots.map(\.description).joined(separator: " ")) == Version(dots), "seed \(seed)")
    }

    @Test(arguments: seeds(200))
    func dots_sortByReplicaText_thenByCounter(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let replicas = (0..<2).map { _ in ReplicaID(bits: generator.next() >> generator.below(64)) }
        let left = Dot(generator.pick(replicas), UInt64(1 + generator.below(2000)))
        let right = Dot(generator.pick(replicas), UInt64(1 + generator.below(2000)))
        let (leftText, rightText) = (Array(left.replica.description.utf8), Array(right.replica.description.utf8))
        let expected = leftText == rightText ? left.counter < right.counter : leftText.lexicographicallyPrecedes(rightText)
        #expect((left < right) == expected, "seed \(seed)")
    }

    @Test func longVersion_parses() {
        let dots = (1...20_000).map { Dot(ReplicaID(bits: UInt64($0 % 7)), UInt64($0)) }
        #expect(Version(parsing: Array(Version(dots).description.utf8))?.dots.count == 20_000)
    }

    @Test func vector_keepsNewestCounterPerReplica() {
        var left = VersionVector()
        left.record(dot("A3"))
        left.record(dot("A1"))
        var right = VersionVector()
        right.record(dot("A2"))
        right.record(dot("B5"))
        #expect(left.joined(right).counters == [replica("A"): 3, replica("B"): 5])
        #expect(left.joined(right) == right.joined(left))
        #expect(left.joined(left) == left)
    }
}
