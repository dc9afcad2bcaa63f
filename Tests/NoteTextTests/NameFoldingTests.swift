import Foundation
import NoteText
import TestKit
import Testing

@Suite struct NameFoldingTests {
    @Test(
        arguments: [
            ("Inbox", "INBOX", true), ("CAF\u{C9}", "cafe\u{301}", true), ("a\u{A0}b", "a b", true), ("a\u{202F}b", "A B", true),
            ("Straße", "STRASSE", false), ("\u{212B}", "\u{E5}", true), ("\u{AC01}", "\u{1100}\u{1161}\u{11A8}", true),
            ("\u{130}", "i\u{307}", true), ("a\u{323}\u{307}", "A\u{307}\u{323}", true),
            ("a\u{307}\u{308}", "a\u{308}\u{307}", false),
            ("Σ", "ς", false), ("ｶﾞ", "ガ", false), ("Ⱥ", "ⱥ", true), ("𐐀", "𐐨", true),
        ] as [(String, String, Bool)])
    func alikeTexts_haveEqualFolds(left: String, right: String, isAlike: Bool) {
        #expect((NameFolding.fold(ByteString(left)) == NameFolding.fold(ByteString(right))) == isAlike)
    }

    /// The table agrees with the system's Unicode tables, except for scalars that are newer than it.
    @Test func fold_isLowerCaseOfTheDecomposition_forEachScalar() {
        var different: [UInt32] = []
        // Beyond these planes are ideographs without a decomposition and private use.
        for scalar in [UInt32(0)...0x33FF, 0xA000...0xABFF, 0xD000...0x1FFFF, 0x2F800...0x2FA1F].joined().compactMap(
            Unicode.Scalar.init)
        {
            if scalar.properties.generalCategory == .unassigned || scalar.properties.generalCategory == .privateUse { continue }
            let folded = NameFolding.fold(ByteString(String(Character(scalar))))
            if NameFolding.fold(folded) != folded {
                Issue.record("U+\(String(scalar.value, radix: 16)) is not folded once and for all")
            }
            if let age = scalar.properties.age, age.major > 14 { continue }
            var lower = ""
            for part in String(Character(scalar)).decomposedStringWithCanonicalMapping.unicodeScalars {
                lower += part.properties.lowercaseMapping
            }
            let expected = lower.decomposedStringWithCanonicalMapping.unicodeScalars
                .map { $0.value == 0xA0 || $0.value == 0x202F ? " " : $0 }
            if !expected.elementsEqual(folded.description.unicodeScalars) { different.append(scalar.value) }
        }
        #expect(different.isEmpty, "\(different.prefix(20).map { String($0, radix: 16) }) of \(different.count)")
    }

    @Test(arguments: seeds(100))
    func fold_isThatOfEitherNormalForm(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let marks: [Unicode.Scalar] = [
            "\u{300}", "\u{301}", "\u{323}", "\u{345}", "\u{5B0}", "\u{1161}", "a", "E", "\u{3B1}", "각", "漢",
        ]
        var text = ""
        for _ in 0..<generator.below(12) { text.unicodeScalars.append(generator.pick(marks)) }
        let forms = [text, text.decomposedStringWithCanonicalMapping, text.precomposedStringWithCanonicalMapping]
        #expect(Set(forms.map { NameFolding.fold(ByteString($0)).utf8 }).count == 1, "seed \(seed): \(text)")
    }
}
