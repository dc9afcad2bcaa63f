import Foundation
import Logging
import Testing

@testable import notesd

/// Format of messages in the journal, on a terminal and in a stream.
@Suite struct LogTests {
    private let line = LogLine(
        level: .warning, message: "two\nlines \u{1B}[31m",
        metadata: ["event": "read-failed", "note": "018f", "dependent": "7", "exit-code": "3"])

    @Test func journal_getsFieldsByName() {
        let fields = Dictionary(uniqueKeysWithValues: line.fields.map { ($0.name, $0.value) })
        #expect(fields["MESSAGE"] == "two\nlines \u{1B}[31m", "the journal keeps what was said, byte for byte")
        #expect(fields["PRIORITY"] == "4")
        #expect(fields["MESSAGE_ID"] == LogCatalog.identifiers["read-failed"])
        #expect(fields["NOTESD_NOTE"] == "018f")
        #expect(fields["NOTESD_DEPENDENT"] == "7")
        #expect(fields["NOTESD_EXIT_CODE"] == "3")
        #expect(fields["SYSLOG_IDENTIFIER"] == "notesd")
    }

    @Test func text_isOneEscapedLine() {
        #expect(line.text == "warning: two lines  [31m (dependent: 7, exit-code: 3, note: 018f)")
        #expect(line.priority == 4)
        let coloured = line.coloured
        #expect(!coloured.contains("\n"))
        #expect(coloured.hasPrefix("\u{1B}[33mwarning:\u{1B}[0m two lines"))
    }

    @Test func longMessage_isCutBetweenCharacters() {
        let long = LogLine(level: .info, message: String(repeating: "é", count: 10_000), metadata: [:])
        #expect(long.text.utf8.count < 8_300)
        #expect(long.text.hasSuffix("é…"))
    }

    @Test func levels_haveTheirPriorities() {
        let priorities = Logger.Level.allCases.map { LogLine(level: $0, message: "", metadata: [:]).priority }
        #expect(priorities == [7, 7, 6, 5, 4, 3, 2])
    }

    // MARK: The catalogue

    private static let root = URL(fileURLWithPath: "\(#filePath)").deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The catalogue lists exactly the kinds of messages that the code logs.
    @Test func catalogue_matchesLoggedEvents() throws {
        var named: Set<String> = []
        let sources = Self.root.appendingPathComponent("Sources")
        let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
        for case let file as URL in files where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            for match in text.matches(of: /(?:"event": |logEvent\()"([a-z-]+)"/) { named.insert(String(match.1)) }
        }
        #expect(named == Set(LogCatalog.identifiers.keys))
    }

    @Test func identifiers_are128BitsAndDiffer() {
        #expect(Set(LogCatalog.identifiers.values).count == LogCatalog.identifiers.count)
        for (_, identifier) in LogCatalog.identifiers { #expect((try? /[0-9a-f]{32}/.wholeMatch(in: identifier)) != nil) }
    }
}
