import Foundation
import NotesWire
import TestKit
import Testing

@Suite struct Base64Tests {
    @Test(arguments: seeds(100))
    func text_isFoundations(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let bytes = (0..<random.below(50)).map { _ in UInt8(random.below(256)) }
        let text = Array(Data(bytes).base64EncodedString().utf8)
        #expect(Base64.text(of: bytes) == text, "seed \(seed)")
        #expect(Base64.bytes(of: text) == bytes, "seed \(seed)")
    }

    @Test(arguments: seeds(300))
    func decoding_acceptsOnlyTheTextOfItsBytes(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var text = Base64.text(of: (0..<1 + random.below(9)).map { _ in UInt8(random.below(256)) })
        text[random.below(text.count)] = UInt8(random.below(256))
        guard let bytes = Base64.bytes(of: text) else { return }
        #expect(Base64.text(of: bytes) == text, "seed \(seed)")
    }

    @Test(arguments: [
        "A", "AA", "AAA", "AA=A", "=AAA", "AB==", "AAB=", "A===", "====", "AA==AA==", "AAA=AAAA", "AAAA\n", "AAAA\nAAA", "AA==",
    ])
    func oddTexts_areRefused(text: String) {
        let isText = text == "AA=="
        #expect((Base64.bytes(of: Array(text.utf8)) != nil) == isText)
    }
}
