import Causality
import NoteText
import NotesModel
import TestKit
import Testing
import TextMerge

@Suite struct RevisionCodecTests {
    private func randomRevision(_ random: inout SeededGenerator) -> LinkedRevision {
        let dots = ["A1", "A7", "B2", "C300", "F9"].map(dot)
        var edits: [Edit] = []
        var end = 0
        for _ in 0..<random.below(4) {
            let start = end + random.below(300)
            end = start + random.below(5)
            edits.append(
                Edit(
                    start: start, end: end, replacement: bytes(random.pick(["", "x", "é\n", String(repeating: "y", count: 300)])))
            )
        }
        let names: [NameEdit] = [.unchanged, .set(nil), .set(name("work/inbox"))]
        let revision = Revision(
            note: noteID(random.next() >> 8), dot: random.pick(dots), parents: Version(dots.filter { _ in random.chance(0.4) }),
            edits: edits, origin: random.chance(0.5) ? .found : .stated, name: random.pick(names),
            isTombstone: random.chance(0.2),
            resolves: (0..<random.below(3)).map { ConflictID(high: UInt64($0), low: random.next()) },
            mark: mark(dots, &random), author: Author(user: "ada", label: random.chance(0.5) ? "a/b" : nil),
            time: Timestamp(milliseconds: Int64(bitPattern: random.next())),
            reserved: random.chance(0.2) ? [3, 1, 9, 200, 1, 0] : [])
        return linked(revision) { RevisionHash(bits: random.next()) }
    }

    private func mark(_ dots: [Dot], _ random: inout SeededGenerator) -> Mark? {
        guard random.chance(0.3) else { return nil }
        let kinds: [Mark.Kind] = [.purge, .carrier, .floor(random.pick(dots), RevisionHash(bits: random.next()))]
        return Mark(random.pick(kinds), covers: dots.filter { _ in random.chance(0.4) })
    }

    /// The hash of each parent; 0 in a purge.
    private func linked(_ revision: Revision, hash: () -> RevisionHash) -> LinkedRevision {
        LinkedRevision(
            revision,
            parentHashes: revision.parents.dots.map { _ in revision.mark?.kind == .purge ? RevisionHash(bits: 0) : hash() })
    }

    @Test func encodedRevision_roundTrips() {
        for seed in seeds(300) {
            var random = SeededGenerator(seed: seed)
            let revision = randomRevision(&random)
            let encoded = RevisionCodec.canonicalBytes(of: revision)
            #expect(RevisionCodec.revision(from: encoded) == revision, "seed \(seed)")
        }
    }

    @Test func wireForm_roundTrips() {
        for seed in seeds(300) {
            var random = SeededGenerator(seed: seed)
            let revision = randomRevision(&random)
            let wire = RevisionCodec.wireForm(of: revision)
            #expect(RevisionCodec.revision(from: wire) == revision, "seed \(seed)")
            #expect(wire.text == revision.content.edits.flatMap(\.replacement), "seed \(seed)")
            #expect(wire.byteCount == RevisionCodec.canonicalBytes(of: revision).count, "seed \(seed)")
            #expect(RevisionCodec.dot(ofHead: wire.head) == revision.dot, "seed \(seed)")
        }
    }

    /// A peer that sends another form must not make two stores hold different contents of a dot.
    @Test func wireForm_isTheOnlyOneOfItsRevision() {
        for seed in seeds(300) {
            var random = SeededGenerator(seed: seed)
            let wire = RevisionCodec.wireForm(of: randomRevision(&random))
            var (head, text) = (wire.head, wire.text)
            switch random.below(4) {
            case 0: head[random.below(head.count)] ^= UInt8(1 << random.below(8))
            case 1: head.removeLast(1 + random.below(head.count - 1))
            case 2: text.append(UInt8(ascii: "z"))
            default: text.removeLast(min(text.count, 1 + random.below(3)))
            }
            let damaged = WireRevision(head: head, text: text)
            guard damaged != wire, let revision = RevisionCodec.revision(from: damaged) else { continue }
            #expect(RevisionCodec.wireForm(of: revision) == damaged, "seed \(seed)")
        }
    }

    @Test func decoding_acceptsOnlyCanonicalBytes() {
        for seed in seeds(300) {
            var random = SeededGenerator(seed: seed)
            var encoded = RevisionCodec.canonicalBytes(of: randomRevision(&random))
            switch random.below(3) {
            case 0: encoded[random.below(encoded.count)] ^= UInt8(1 << random.below(8))
            case 1: encoded.removeLast(1 + random.below(encoded.count - 1))
            default: encoded.insert(UInt8(truncatingIfNeeded: random.next()), at: random.below(encoded.count + 1))
            }
            guard let decoded = RevisionCodec.revision(from: encoded) else { continue }
            #expect(RevisionCodec.canonicalBytes(of: decoded) == encoded, "seed \(seed)")
        }
    }

    /// Every flipped bit either makes the bytes invalid or yields a revision with exactly that
    /// form. The edits end at the largest numbers.
    @Test func decoding_ofFlippedBits_acceptsOnlyCanonicalBytes() {
        let content = Revision(
            note: noteID(5), dot: dot("A2"), parents: version("A1", "B3"),
            edits: [
                Edit(start: .max - 1, end: .max - 1, replacement: bytes("é")),
                Edit(start: .max, end: .max, replacement: bytes("x")),
            ], origin: .found, author: ada, time: Timestamp(milliseconds: -2))
        let revision = LinkedRevision(content, parentHashes: [RevisionHash(bits: 1), RevisionHash(bits: 2)])
        let encoded = RevisionCodec.canonicalBytes(of: revision)
        #expect(RevisionCodec.revision(from: encoded) == revision)
        var read = 0
        for index in encoded.indices {
            for bit in 0..<8 {
                var turned = encoded
                turned[index] ^= 1 << UInt8(bit)
                guard let decoded = RevisionCodec.revision(from: turned) else { continue }
                #expect(RevisionCodec.canonicalBytes(of: decoded) == turned, "byte \(index), bit \(bit)")
                read += 1
            }
        }
        #expect(read > 0 && read < 8 * encoded.count)
    }

    /// A change of these bytes would change every hash that replicas have exchanged.
    @Test func form2_isFixed() {
        let content = Revision(
            note: noteID(5), dot: dot("A2"), parents: version("A1", "B3"),
            edits: [Edit(start: 2, end: 4, replacement: bytes("é")), Edit(start: 300, end: 300, replacement: bytes("x\n"))],
            origin: .found, name: .set(name("a/b")), resolves: [ConflictID(high: 1, low: 2)], author: ada,
            time: Timestamp(milliseconds: -2), reserved: [9, 1, 7])
        let hashes = [RevisionHash(bits: 0x0102_0304_0506_0708), RevisionHash(bits: .max)]
        let revision = LinkedRevision(content, parentHashes: hashes)
        #expect(
            hex(RevisionCodec.canonicalBytes(of: revision)) == """
                02018bcfe5680070008000000000000005aaaaaaaaaaaaaaaa0202aaaaaaaaaaaaaaaa010102030405060708\
                bbbbbbbbbbbbbbbb03ffffffffffffffff1d03612f6202020202c3a9a80200\
                02780a010000000000000001000000000000000203616461\
                0a6c6170746f702f76696d0303090107
                """)
        #expect(hex(RevisionCodec.hash(of: revision)) == "03f9bdc998bfafbde02c0b3a605ea188cb6b300844022e2db1ceb4f97556599a")
    }

    @Test(arguments: [
        (Mark.Kind.purge, "01", "0000000000000000"), (.carrier, "03", "0000000000000007"),
        (.floor(dot("B9"), RevisionHash(bits: 5)), "02bbbbbbbbbbbbbbbb090000000000000005", "0000000000000007"),
    ])
    func mark_isFixed(kind: Mark.Kind, form: String, hash: String) {
        let content = Revision(
            note: noteID(5), dot: dot("A4"), parents: version("A3"), edits: [], origin: .stated, name: .set(nil),
            mark: Mark(kind, covers: [dot("A2"), dot("B1")]), author: ada, time: Timestamp(milliseconds: 1))
        let revision = linked(content) { RevisionHash(bits: 7) }
        let encoded = RevisionCodec.canonicalBytes(of: revision)
        #expect(
            hex(encoded) == """
                02018bcfe5680070008000000000000005aaaaaaaaaaaaaaaa0401aaaaaaaaaaaaaaaa03\(hash)540000\
                \(form)02aaaaaaaaaaaaaaaa02bbbbbbbbbbbbbbbb01036164610a6c6170746f702f76696d0200
                """)
        #expect(RevisionCodec.revision(from: encoded) == revision)
    }

    /// A list of tagged fields has one form: ascending tags, from 1.
    @Test(
        arguments: [
            ([], true), ([1, 0], true), ([1, 1, 2, 2, 0], true), ([0, 0], false), ([2, 0, 1, 0], false), ([1, 0, 1, 0], false),
            ([1], false), ([1, 2, 0], false), ([0x81, 0, 0], false),
        ] as [([UInt8], Bool)])
    func reservedBytes_areTaggedFields(reserved: [UInt8], isValid: Bool) {
        let content = Revision(
            note: noteID(5), dot: dot("A1"), parents: .nothing, edits: [], origin: .stated, author: ada,
            time: Timestamp(milliseconds: 1), reserved: reserved)
        let encoded = RevisionCodec.canonicalBytes(of: LinkedRevision(content, parentHashes: []))
        #expect((RevisionCodec.revision(from: encoded) != nil) == isValid)
    }

    /// The bytes of tag 1: the time of change, then that of creation, as zigzag milliseconds.
    @Test(
        arguments: [
            (FileTimes(modified: Timestamp(milliseconds: 1)), [1, 1, 2]),
            (FileTimes(modified: Timestamp(milliseconds: -1), created: Timestamp(milliseconds: -100)), [1, 3, 1, 199, 1]),
        ] as [(FileTimes, [UInt8])])
    func fileTimes_haveFixedBytes(times: FileTimes, form: [UInt8]) {
        #expect(times.taggedFields == form && FileTimes(taggedFields: form) == times)
        #expect(FileTimes(taggedFields: form + [5, 1, 0]) == times)
    }

    /// Peers may send any bytes in a tag. A revision whose times cannot be read shows its own time.
    @Test(arguments: [[], [2, 1, 1], [1, 0], [1, 1, 128], [1, 2, 2, 128], [1, 3, 2, 2, 2]] as [[UInt8]])
    func unreadableFileTimes_areNone(reserved: [UInt8]) {
        let revision = Revision(
            note: noteID(5), dot: dot("A1"), parents: .nothing, edits: [], origin: .stated, author: ada,
            time: Timestamp(milliseconds: 7), reserved: reserved)
        #expect(revision.fileTimes == nil && revision.modified == revision.time && revision.created == revision.time)
    }

    @Test func withdrawal_hasItsNamesSorted() {
        func withdrawal(_ dots: [Dot]) -> LinkedRevision {
            let content = Revision(
                note: noteID(5), dot: dot("A4"), parents: version("A3"), edits: [], origin: .stated, withdraws: dots, author: ada,
                time: Timestamp(milliseconds: 1))
            return .onAnyParents(content)
        }
        let revision = withdrawal([dot("A2"), dot("B1")])
        #expect(
            hex(RevisionCodec.canonicalBytes(of: revision)) == """
                02018bcfe5680070008000000000000005aaaaaaaaaaaaaaaa0401aaaaaaaaaaaaaaaa030000000000000000300000\
                02aaaaaaaaaaaaaaaa02bbbbbbbbbbbbbbbb01036164610a6c6170746f702f76696d0200
                """)
        #expect(RevisionCodec.revision(from: RevisionCodec.canonicalBytes(of: revision)) == revision)
        let unsorted = RevisionCodec.canonicalBytes(of: withdrawal([dot("B1"), dot("A2")]))
        #expect(RevisionCodec.revision(from: unsorted) == nil)
    }

    private func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
