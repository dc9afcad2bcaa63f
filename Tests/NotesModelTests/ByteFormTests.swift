import NotesModel
import TestKit
import Testing

/// Numbers and bytes in canonical form.
@Suite struct ByteFormTests {
    @Test(arguments: seeds(100))
    func writtenValues_roundTrip(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let numbers = (0..<20).map { _ in random.next() >> random.below(64) } + [0, 127, 128, .max]
        var writer = ByteWriter()
        for number in numbers {
            writer.number(number)
            writer.signed(Int64(bitPattern: number))
            writer.word(number)
            writer.counted(Array("\(number)".utf8))
        }
        var reader = ByteReader(writer.bytes)
        for number in numbers {
            #expect(reader.number() == number, "seed \(seed)")
            #expect(reader.signed() == Int64(bitPattern: number), "seed \(seed)")
            #expect(reader.word() == number, "seed \(seed)")
            #expect(reader.counted() == Array("\(number)".utf8), "seed \(seed)")
        }
        #expect(reader.isAtEnd, "seed \(seed)")
    }

    /// If other forms were accepted, one revision could have two forms and two hashes.
    @Test(
        arguments: [
            [], [0x80], [0x80, 0x00], [0xFF, 0x80, 0x00], [UInt8](repeating: 0xFF, count: 9) + [0x02],
            [UInt8](repeating: 0x80, count: 9) + [0x81], [UInt8](repeating: 0x80, count: 9) + [0x81, 0x00],
        ] as [[UInt8]])
    func nonCanonicalNumber_isRejected(form: [UInt8]) {
        var reader = ByteReader(form)
        #expect(reader.number() == nil)
    }

    @Test func largestNumber_hasTenBytes() {
        var reader = ByteReader([UInt8](repeating: 0xFF, count: 9) + [0x01])
        #expect(reader.number() == .max)
        #expect(reader.isAtEnd)
    }
}
