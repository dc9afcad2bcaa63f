import Testing

/// Tests of the rules about sizes, dead files and declarations, documents and the version, on files that break them.
@Suite struct TreeRuleTests {
    private func source(_ text: String, path: String = "Sources/A/A.swift") -> SwiftSource {
        SwiftSource(path: path, text: text)
    }

    private func body(lines: Int) -> String {
        "{\n" + String(repeating: "    a()\n", count: lines - 2) + "}\n"
    }

    @Test(arguments: [
        "func f<T>(_ a: T) async throws(E) -> [T] where T: B ", "init?(a: Int) ", "deinit ", "subscript(a: Int) -> Int ",
        "var a: Int ", "package mutating func f(\n    a: Int\n) ", "func f(a: () -> Void = { x() }) ",
    ])
    func longFunctions_areFound(head: String) {
        #expect(SizeRule.findings(in: source(head + body(lines: 70))) == [])
        #expect(SizeRule.findings(in: source(head + body(lines: 71))).count == 1)
    }

    @Test func requirementsAndTypes_haveNoBody() {
        let text = "protocol A {\n    func f() -> Int\n    var a: Int { get }\n    func g()\n}\nstruct B " + body(lines: 100)
        #expect(SizeRule.findings(in: source(text)) == [])
        #expect(SizeRule.functions(in: source("a.init(b) { c }\nlet f = 1")) == [])
    }

    @Test func longFiles_areFound() {
        #expect(SizeRule.findings(in: source(String(repeating: "\n", count: 400))) == [])
        #expect(SizeRule.findings(in: source(String(repeating: "\n", count: 401))).count == 1)
        let written = "/// Numbers.\n///\n/// Written by `scripts/embed`; do not edit it.\n"
        #expect(SizeRule.findings(in: source(written + String(repeating: "\n", count: 400))) == [])
    }

    @Test func deadFiles_areFound() {
        let manifest = Manifest(source(".target(name: \"A\"), .target(name: \"Kit\", path: \"Tests/Kit\")"))
        let kit = source("let a = 1", path: "Tests/Kit/A.swift")
        func findings(_ files: SwiftSource...) -> [String] {
            DeadFileRule.findings(in: files + [kit], manifest: manifest).map(\.description)
        }
        #expect(findings(source("struct A {}")) == [])
        #expect(findings(source("// only this\nimport B\n")) == ["Sources/A/A.swift: declares nothing"])
        #expect(findings(source("@main enum Main { static func main() {} }")) == ["Sources/A/A.swift: declares nothing"])
        #expect(
            findings(source("let a = 1"), source("let a = 1", path: "Sources/B/A.swift")) == [
                "Sources/B/A.swift: belongs to no target"
            ])
        #expect(findings(source("let a = 1"), source("let a = 1", path: "verification/fuzz/A.swift")) == [])
        #expect(findings() == ["Sources/A: the target A has no file"])
    }

    @Test func foldersOfTargets_areBelowSourcesAndTests() {
        let folders = ["Sources/A", "Tests/A", "verification/a/Sources/A", "verification/a/Tests/A", "verification/fuzz"]
        let files = folders.map { source("let a = 1", path: "\($0)/B/C.swift") }
        #expect(files.map(\.targetFolder) == folders)
        #expect(files.map(\.isTest) == [false, true, false, true, true])
        let below = source("let a = 1", path: "verification/a/Sources/A/B.swift")
        let manifest = Manifest(source(".target(name: \"A\", path: \"verification/a/Sources/A\")"))
        #expect(DeadFileRule.findings(in: [below], manifest: manifest) == [])
    }

    @Test(
        arguments: [
            ("func dead() {}", "dead"), ("func dead(_ a: Int) { dead(a - 1) }", "dead"), ("let dead = 1 // dead", "dead"),
            ("struct A { let dead: Int; init(dead: Int) { self.dead = dead } }; let b = A(dead: 1); f(b)", "dead"),
            ("enum Dead { case live, last }; f(.live, .last)", "Dead"), ("typealias Dead = Int", "Dead"),
            ("enum A { case live(B), dead(a: B, C), last }; f(A.live, .last)", "dead"),
            ("enum A: Int { case live = 1, dead = 2 }; f(A.live, \"dead\")", "dead"), ("@main struct Main {}", nil),
            ("func live() {}; f(\"\\(live())\")", nil), ("let live = 1; f(a: live)", nil), ("let live = 1; f(a ? live : 2)", nil),
            ("func + (a: A, b: A) {}", nil), ("switch f() { case live, A: f(); case let (a, b): f(a, b) }", nil),
            ("if case last = f() { f() }", nil), ("var live = 1\nf { self.live = $0; return live }", nil),
        ] as [(String, String?)])
    func deadDeclarations_areFound(text: String, name: String?) {
        let file = source(text)
        let test = source("f(dead, Dead.a)", path: "Tests/A/A.swift")
        let messages = DeadDeclarationRule.findings(in: [file, test], exceptions: []).map(\.message)
        #expect(messages == (name.map { ["nothing in Sources uses \($0)"] } ?? []))
        guard let name else { return }
        let exception = DeadDeclarationRule.Exception(names: [name], reason: "a test")
        #expect(DeadDeclarationRule.findings(in: [file, test], exceptions: [exception]) == [])
        #expect(DeadDeclarationRule.findings(in: [source("f(\(name))")], exceptions: [exception]).count == 1)
    }

    @Test func brokenLinks_andUnreachedDocuments_areFound() {
        let start = Document(
            path: "README.md",
            text:
                "# One two\n[a](papers/a.md#it-s) [b](papers/b.md)\n[c](#one-two) [d](https://example.org/x.md)\n```\n[e](e.md)\n```\n"
        )
        let a = Document(path: "papers/a.md", text: "## `It` 's, \n[up](../README.md#two)\n[other](./b.md#07)")
        let b = Document(path: "papers/b.md", text: "<a id=\"07\"></a>\n## 07: seven\n")
        let lost = Document(path: "papers/lost.md", text: "")
        func findings(_ documents: Document...) -> [String] {
            let paths = Set(documents.map(\.path))
            return DocumentRule.findings(in: documents, start: "README.md", exists: paths.contains).map(\.description)
        }
        #expect(findings(start, a, b) == ["papers/a.md:2: README.md has no heading #two"])
        #expect(
            findings(start, b, lost) == [
                "README.md:2: links to papers/a.md, which is not there", "papers/lost.md: no link from README.md leads here",
            ])
    }

    @Test func mentionsOfMissingDocuments_areFound() {
        let path = "docs/" + "gone.md"
        for text in ["/// See `\(path)`.", "let a = \"\(path)\""] {
            #expect(DocumentRule.mentions(in: source(text)) { _ in false }.count == 1)
            #expect(DocumentRule.mentions(in: source(text)) { $0 == path } == [])
        }
    }

    @Test func mentionsOfMissingTests_areFound() {
        let document = Document(path: "data-loss-bugs.md", text: "a\n`aLaw_holds` and `aLaw_broke`, `noLaw`, `posix_call`")
        let test = source("@Test func aLaw_holds() {}", path: "Tests/A/A.swift")
        let other = source("func aLaw_broke() {}")
        #expect(
            DocumentRule.missingTests(in: document, sources: [test, other]).map(\.message) == [
                "names the test aLaw_broke, which is not there"
            ])
    }

    @Test func typesNamedInDocuments_areLookedUp() {
        let rule = NamedTypeRule(sources: [
            source("struct Walk { let (first, end) = (1, 2); enum Step { case on, back(Int) } }\nlet last = 1"),
            source("import Glibc\nextension Walk { func next() {} }\nextension Int {}", path: "Sources/A/Walk+Next.swift"),
            source("struct View { let later = Gone() }", path: "Sources/B/View.swift"),
        ])
        func names(_ text: String, path: String = "README.md") -> [String] {
            var used: Set<String> = []
            return rule.findings(in: path, [(1, text)], used: &used).map {
                String($0.message.split(separator: " ")[1].dropLast())
            }
        }
        #expect(names("`Walk`, `Walk.next`, `Walk.next(_:)`, `Walk.end`, `Walk.Step.back`, `Next`, `Glibc`, `View.later`") == [])
        #expect(names("`Walk.swift`, `SIGTERM`, `walk`, `Int.max`, `Task.cancel`, `Run it`, Run") == [])
        #expect(names("`Run`, `Run.now()`, `Gone` and `Walk.later`") == ["Run", "Run.now", "Gone", "Walk.later"])
        #expect(names("`Run`", path: "CHANGELOG.md") == [])
    }

    @Test func namesOfOthers_areExceptionsWhileTheyAreNamed() {
        var used: Set<String> = []
        let findings = NamedTypeRule(sources: []).findings(in: "README.md", [(1, "`Task` and `Mutex`")], used: &used)
        #expect(findings == [] && used == ["Task", "Mutex"])
        let unused = NamedTypeRule.unused(used).map(\.message)
        #expect(unused.contains("needs no exception for Float") && !unused.contains("needs no exception for Task"))
    }

    @Test func settings_areLookedUp() {
        let findings = DocumentRule.unnamedSettings(
            in: Document(path: "docs/limits.md", text: "`limits.a`"), sample: "[limits]\n#a = 1\n#b = 2\n[log]\n#c = 3\n",
            sections: ["limits"])
        #expect(findings.map(\.message) == ["does not name the setting limits.b"])
    }

    @Test(arguments: [
        ("let bytesMax = 1_024", "1,024 bytes", true), ("let bytesMax = 1_024", "1,025 bytes", false),
        ("let bytesMax = 64 << 10", "64 KiB", true), ("let bytesMax = 64 * 1_024", "64 KiB", true),
        ("let bytesMax = 64 << 10", "64", false), ("let limits = 1...100", "100", false),
        ("init(bytesMax: Int = 256, other: Int = 7)", "256", true), ("let (bytes, bytesMax) = (20, 100)", "100; 20", true),
        ("let (bytes, bytesMax) = (20, 100)", "100", false),
        ("let bytesMax: ClosedRange<Int64> = -(1 << 53)...1 << 53", "2^53", true),
        ("let bytesMax = other", "5", false), ("var bytesMax = Amount(revisions: 3, bytes: 2 << 20)", "3, 2 MiB", true),
    ])
    func limits_areCompared(definition: String, cell: String, isRight: Bool) {
        let page = Document(
            path: "docs/limits.md", text: "| a | \(cell) | [`Name.bytesMax`](../Sources/A/A.swift) |\n`Name.gone`")
        let findings = LimitRule.findings(in: page, sources: [source("struct Name { \n\(definition)\n }")])
        #expect(findings.isEmpty == isRight, "\(findings)")
        #expect(LimitRule.findings(in: page, sources: [source("struct Other { \n\(definition)\n }")]).count == 1)
    }

    @Test func unnamedLimits_areFound() {
        let page = Document(path: "docs/limits.md", text: "| a | 1 | [`Name.aMax`](../Sources/A/A.swift) |")
        let file = source("let aMax = 2\nvar bMax = 3\nlet cMax: Int\nlet dMax = Other.dMax\ninit(eMax: Int = 4)\nlet eMax: Int")
        #expect(
            LimitRule.unnamed(in: page, source: file).map(\.message) == [
                "does not name bMax of Sources/A/A.swift", "does not name eMax of Sources/A/A.swift",
            ])
    }

    @Test func versions_agree() {
        let changelog = "# Changes\n\n## Unreleased\n\n## 0.2.0 (2026)\n\n## 0.1.0\n"
        func findings(_ text: String, _ changelog: String) -> Int {
            VersionRule.findings(changelog: changelog, sources: [source(text)]).count
        }
        #expect(findings("static let version = \"0.2.0\"", changelog) == 0)
        #expect(findings("static let version: String = \"0.1.0\"", changelog) == 1)
        #expect(findings("let other = \"0.1.0\"", changelog) == 1, "no constant holds the version")
        #expect(findings("let version = \"0.2.0\"", "# Changes") == 1)
    }
}
