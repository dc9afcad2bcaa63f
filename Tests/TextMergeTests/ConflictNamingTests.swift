import Causality
import TestKit
import Testing

@testable import TextMerge

/// The input of a conflict's id: two releases that differed in it would name one conflict twice.
@Suite struct ConflictNamingTests {
    private let members = (
        ConflictMember(dot: Dot(ReplicaID(bits: 0x0102_0304_0506_0708), 0x1112_1314_1516_1718), index: 0x2122_2324),
        ConflictMember(dot: Dot(ReplicaID(bits: 0xFF00_0000_0000_0001), 1), index: 0)
    )

    @Test func id_derivesFromKindAndTwoLeastMembers() {
        let expected: [UInt8] =
            [1, 2, 3, 4, 5, 6, 7, 8, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18, 0, 0, 0, 0, 0x21, 0x22, 0x23, 0x24]
            + [0xFF, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]
        for kind in ConflictKind.allCases {
            let naming = ConflictNaming { hashed in
                #expect(hashed == bytes(kind.rawValue) + expected)
                return (0..<32).map { $0 }
            }
            let id = naming.id(kind, least: members)
            #expect(id == ConflictID(high: 0x0001_0203_0405_0607, low: 0x0809_0A0B_0C0D_0E0F))
        }
        #expect(ConflictKind.allCases.map(\.rawValue).sorted() == ["deletion", "name", "text"])
    }

    @Test func id_parsesOnlyCanonicalForm() {
        let text = "00112233445566778899aabbccddeeff"
        #expect(ConflictID(parsing: bytes(text)) == ConflictID(high: 0x0011_2233_4455_6677, low: 0x8899_AABB_CCDD_EEFF))
        #expect(ConflictID(parsing: bytes(text))?.description == text)
        for wrong in ["", "0", String(text.dropLast()), text + "0", text + text, text.uppercased(), "g" + text.dropFirst()] {
            #expect(ConflictID(parsing: bytes(wrong)) == nil, "\(wrong)")
        }
    }

    @Test func members_sortByDotThenIndex() {
        let ordered = [("A1", 0), ("A1", 1), ("A2", 0), ("B1", 0), ("B1", 3)].map { ConflictMember(dot: dot($0.0), index: $0.1) }
        let ids = [(1, 5), (1, 6), (2, 0), (2, 1)].map { ConflictID(high: $0.0, low: $0.1) }
        #expect(
            ordered.indices.allSatisfy { left in ordered.indices.allSatisfy { (ordered[left] < ordered[$0]) == (left < $0) } })
        #expect(ids.indices.allSatisfy { left in ids.indices.allSatisfy { (ids[left] < ids[$0]) == (left < $0) } })
    }
}
