import Testing

/// Tests of the rules about words, on files that break them.
@Suite struct PhraseRuleTests {
    private func findings(_ path: String, _ text: String) -> [Finding] {
        PhraseRule.findings(in: [SwiftSource(path: path, text: text)], exceptions: [])
    }

    @Test(arguments: [
        "import Foundation", "import FoundationEssentials", "let a = Date()", "UUID(uuidString: a)", "Int.random(in: 0..<3)",
        "var g = SystemRandomNumberGenerator()", "Task { a() }", "await a()", "print(\"a\")",
    ])
    func pureLayers_useNoSystemCalls(text: String) {
        for path in [
            "Sources/Causality/A.swift", "Sources/TextMerge/A.swift", "Sources/NotesModel/A.swift", "Sources/Dependents/A.swift",
        ] {
            #expect(findings(path, text).count == 1, "\(path): \(text)")
        }
    }

    @Test(arguments: [
        "try! a()", "a as! B", "fatalError(\"a\")", "final class A: @unchecked Sendable {}", "nonisolated(unsafe) var a = 1",
        "public func a() {}", "\"\\(try! a())\"",
    ])
    func traps_areFoundInEveryTarget(text: String) {
        #expect(findings("Sources/notesctl/A.swift", text).count == 1, "\(text)")
    }

    @Test(arguments: [
        "// try! a()", "\"public print(\"", "try a()", "a as? B", "/* fatalError( */", "func publicName() {}",
        "let open = Task.self",
        "nonisolated func a() {}", "await a()", "let date = Date()", "#print", "a.printed()",
    ])
    func similarPhrases_areAccepted(text: String) {
        #expect(findings("Sources/NotesEngine/A.swift", text) == [], "\(text)")
    }

    @Test func print_isAllowedInProgramsOnly() {
        #expect(findings("Sources/NotesServer/A.swift", "print(1)").count == 1)
        #expect(findings("Sources/notesctl/A.swift", "print(1)") == [])
    }

    @Test func findings_nameTheLine() {
        #expect(findings("Sources/notesd/A.swift", "a\n\nb(try! c())").map(\.line) == [3])
    }

    @Test func unusedException_isFound() {
        let exception = PhraseException(path: "Sources/notesd/A.swift", phrase: ["try", "!"], reason: "a test")
        func count(_ path: String, _ text: String) -> Int {
            PhraseRule.findings(in: [SwiftSource(path: path, text: text)], exceptions: [exception]).count
        }
        #expect(count("Sources/notesd/A.swift", "try! a()") == 0)
        #expect(count("Sources/notesd/A.swift", "try! a as! B") == 1)
        #expect(count("Sources/notesd/B.swift", "try! a()") == 2)
        #expect(count("Sources/notesd/A.swift", "try a()") == 1)
    }

    @Test(arguments: [
        ("a!", 1), ("a!.b", 1), ("a()!.b", 1), ("a[0]! + 1", 1), ("var a: Int!", 1), ("a != b", 0), ("!a", 0), ("f(!a)", 0),
    ])
    func forcedUnwraps_areFound(text: String, count: Int) {
        #expect(PhraseRule.forcedUnwraps(in: SwiftSource(path: "Sources/notesd/A.swift", text: text)).count == count, "\(text)")
    }

    @Test func marksForLater_areFoundInCommentsToo() {
        let mark = "TO" + "DO"
        #expect(PhraseRule.leftForLater(path: "a", text: "a\n// \(mark): b").map(\.line) == [2])
        #expect(PhraseRule.leftForLater(path: "a", text: "todo \(mark)S FIX") == [])
    }

    @Test func machinePaths_areFound() {
        let place = "/" + "work"
        for text in ["\(place)/main", "see \"\(place)/x\"", "(\(place)/.x)"] {
            #expect(PhraseRule.machinePaths(path: "a", text: text).count == 1, "\(text)")
        }
        for text in ["notes\(place)/inbox", "work/inbox", "\\(id)\(place)/inbox", "~\(place)/a", "\(place)/"] {
            #expect(PhraseRule.machinePaths(path: "a", text: text) == [], "\(text)")
        }
    }
}
