import CSHA256
import NotesModel
import TestKit
import Testing

@Suite struct SHA256Tests {
    /// The NIST examples for FIPS 180-4, and its message of a million letters.
    @Test(arguments: [
        ("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu", 1,
            "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
        ),
        ("a", 1_000_000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
    ])
    func nistVectors_match(_ part: String, _ times: Int, _ expected: String) {
        let message = Array(String(repeating: part, count: times).utf8)
        #expect(hexadecimal(SHA256.hash(of: message)) == expected)
        #expect(hexadecimal(portableHash(of: message)) == expected)
    }

    /// One or two padding blocks after the last full block, at every length.
    @Test func bothPaths_agreeAtEveryLength() {
        var random = SeededGenerator(seed: 23)
        let bytes = (0..<400).map { _ in UInt8.random(in: 0...255, using: &random) }
        for count in bytes.indices {
            let message = Array(bytes[..<count])
            #expect(SHA256.hash(of: message) == portableHash(of: message), "\(count) bytes")
        }
    }

    /// Pieces of every length from 0 on, and hashes in between, which change nothing.
    @Test func pieces_haveTheHashOfTheWhole() {
        var random = SeededGenerator(seed: 29)
        let bytes = (0..<2_000).map { _ in UInt8.random(in: 0...255, using: &random) }
        for most in [1, 3, 63, 64, 65, 130, 700] {
            var stream = SHA256.Stream()
            var offset = 0
            while offset < bytes.count {
                let end = min(bytes.count, offset + random.below(most + 1))
                stream.add(bytes[offset..<end])
                offset = end
                if random.chance(0.3) { #expect(stream.hash == SHA256.hash(of: Array(bytes[..<offset])), "\(offset) bytes") }
            }
            #expect(stream.hash == SHA256.hash(of: bytes), "pieces of up to \(most) bytes")
        }
        #expect(SHA256.Stream().hash == SHA256.hash(of: []))
    }

    /// The same hash without the processor's SHA instructions.
    private func portableHash(of bytes: [UInt8]) -> [UInt8] {
        var hash = [UInt8](repeating: 0, count: 32)
        csha256_portable(bytes, bytes.count, &hash)
        return hash
    }

    private func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
