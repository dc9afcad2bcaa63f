import Foundation
import StrictJSON

/// Texts from other projects that break programs; `Fixtures/CREDITS.md` names their authors.
package enum ForeignTexts {
    /// The texts of the JSON test suite, by name.
    package static func jsonSuite() throws -> [TarArchive.Entry] {
        try TarArchive(read("JSONTestSuite.tar")).entries
    }

    /// The Big List of Naughty Strings, in UTF-8.
    package static func naughtyStrings() throws -> [[UInt8]] {
        try JSONDocument(parsing: read("naughty-strings.json"), depthMax: 2).root.elements.compactMap(\.utf8)
    }

    /// Kuhn's UTF-8 stress test, most of whose lines are not UTF-8.
    package static func utf8StressTest() throws -> [UInt8] {
        try read("utf8-stress-test.txt")
    }

    private static func read(_ name: String) throws -> [UInt8] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Fixtures")
        return [UInt8](try Data(contentsOf: folder.appendingPathComponent(name)))
    }
}
