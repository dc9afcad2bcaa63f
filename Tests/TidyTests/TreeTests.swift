import Testing

/// Applies the rules to the project on disk.
@Suite struct TreeTests {
    private static let tree = Result { (sources: try Repository.swiftSources(), manifest: try Repository.manifest()) }

    private let sources: [SwiftSource]
    private let manifest: Manifest

    init() throws {
        (sources, manifest) = try Self.tree.get()
    }

    private func expectNone(_ findings: [Finding]) {
        #expect(findings.isEmpty, "\n\(findings.map(\.description).joined(separator: "\n"))")
    }

    @Test func tree_isFound() {
        #expect(sources.count > 100)
        #expect(manifest.targets.count == ImportTable.rows.count + ImportTable.testRows.count + ImportTable.testKits.count)
    }

    @Test func imports_areInTheTable() {
        expectNone(sources.flatMap(ImportRule.findings))
    }

    @Test func table_pointsDownOnly() {
        for row in ImportTable.rows {
            for name in row.own {
                let below = ImportTable.row(of: name)?.layer
                let isSmaller =
                    ImportTable.rows.firstIndex { $0.target == name } ?? .max < ImportTable.rows.firstIndex {
                        $0.target == row.target
                    } ?? 0
                #expect(below.map { $0 < row.layer || row.layer == 0 && isSmaller } ?? false, "\(row.target) names \(name)")
            }
        }
    }

    /// The table of methods is the only place that lists them all: besides it, the engine answers a method without
    /// params in one file, and its result has a type, a case of `Response` and a line.
    @Test func methodWithoutParams_isNamedInTwoFiles() {
        let daemon = ["NotesMethods", "NotesWire", "NotesEngine", "NotesServer"].map { "Sources/\($0)/" }
        let naming = sources.filter { source in
            daemon.contains { source.path.hasPrefix($0) } && source.text.contains(".listDependents")
        }
        #expect(
            naming.map(\.path).sorted() == [
                "Sources/NotesEngine/Turn/Engine+Answering.swift", "Sources/NotesMethods/Method.swift",
            ])
    }

    @Test func folders_formNoCircle() {
        expectNone(FolderRule.findings(in: sources))
    }

    @Test func manifest_agreesWithTheTable() {
        expectNone(ManifestRule.findings(in: manifest))
    }

    @Test func dependencies_areUsed() {
        expectNone(ManifestRule.unusedProducts(in: manifest, sources: sources))
    }

    @Test func bannedPhrases_areAbsent() {
        expectNone(PhraseRule.findings(in: sources))
    }

    @Test func optionals_areNotForced() {
        expectNone(sources.flatMap(PhraseRule.forcedUnwraps))
    }

    @Test func filesAndFunctions_areShort() {
        expectNone(sources.flatMap(SizeRule.findings))
    }

    @Test func files_areUsed() {
        expectNone(DeadFileRule.findings(in: sources, manifest: manifest))
    }

    @Test func declarations_areUsed() {
        expectNone(DeadDeclarationRule.findings(in: sources))
    }

    @Test func deferredWork_isAbsent() throws {
        expectNone(try texts().flatMap(PhraseRule.leftForLater))
    }

    @Test func machinePaths_areAbsent() throws {
        expectNone(try texts().flatMap(PhraseRule.machinePaths))
    }

    @Test func documentLinks_resolve() throws {
        let documents = try documents()
        expectNone(DocumentRule.findings(in: documents, start: "README.md", exists: Repository.exists))
        expectNone(sources.flatMap { DocumentRule.mentions(in: $0, exists: Repository.exists) })
    }

    @Test func testsNamedInDocuments_exist() throws {
        let documents = try documents().filter { $0.path == "docs/data-loss-bugs.md" || $0.path.hasPrefix("docs/decisions/") }
        expectNone(documents.flatMap { DocumentRule.missingTests(in: $0, sources: sources) })
    }

    @Test func namesInDocumentsAndComments_exist() throws {
        let rule = NamedTypeRule(sources: sources)
        var used: Set<String> = []
        var findings: [Finding] = []
        for document in try documents() {
            let lines = document.text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
            findings += rule.findings(in: document.path, lines.map { ($0.offset + 1, String($0.element)) }, used: &used)
        }
        for source in sources where !source.path.hasPrefix("Tests/TidyTests/") {
            findings += rule.findings(in: source.path, source.comments.map { ($0.line, $0.text) }, used: &used)
        }
        expectNone(findings + NamedTypeRule.unused(used))
    }

    @Test func limitsPage_namesEverySetting() throws {
        let page = try Document(path: "docs/limits.md", text: Repository.text("docs/limits.md"))
        let sample = try Repository.text("config/notesd.toml")
        expectNone(DocumentRule.unnamedSettings(in: page, sample: sample, sections: ["limits", "cache", "history"]))
    }

    @Test func limitsPage_statesTheValuesOfConstants() throws {
        let page = try Document(path: "docs/limits.md", text: Repository.text("docs/limits.md"))
        #expect(LimitRule.constants(in: page).count >= 70)
        expectNone(LimitRule.findings(in: page, sources: sources))
        let files = [
            "WireProtocol", "ServiceLimits", "EngineConfiguration", "DependentLimits", "JournalLimits", "NoteName", "Operation",
            "Link",
        ]
        let lists = files.map { "/\($0).swift" }
        let complete = sources.filter { source in lists.contains(where: source.path.hasSuffix) }
        #expect(complete.count == files.count)
        expectNone(complete.flatMap { LimitRule.unnamed(in: page, source: $0) })
    }

    /// A test target that the script does not name would be built but never run.
    @Test func everyTestTarget_isRunByTheScript() throws {
        let script = try Repository.text("scripts/test")
        let parts = script.matches(of: /part '([A-Za-z|]+)'/).flatMap { $0.1.split(separator: "|").map(String.init) }
        #expect(parts.sorted() == ImportTable.testRows.map(\.target).sorted())
    }

    @Test func longTests_areThoseOfTheScript() throws {
        let marked = try Repository.swiftSources().filter { $0.path.hasPrefix("Tests/EndToEndTests/") }.flatMap { source in
            source.text.split(separator: "\n").filter { $0.contains("(.long)") }.compactMap { line in
                line.firstRange(of: /(struct|func) \w+/).map { String(line[$0].split(separator: " ")[1]) }
            }
        }
        let listed = try Repository.text("scripts/test").split(separator: "\n").filter {
            $0.hasPrefix("long=") || $0.hasPrefix("long+=")
        }
        .flatMap { $0.split(separator: "'")[1].split(separator: "|").map(String.init) }
        #expect(marked.sorted() == listed.sorted())
    }

    @Test func architectureDocument_showsTheTable() throws {
        let isShown = try Repository.text("docs/architecture.md").contains(ImportTable.markdown)
        #expect(isShown, "docs/architecture.md should have:\n\(ImportTable.markdown)")
    }

    @Test func version_matchesNewestChangelogEntry() throws {
        expectNone(VersionRule.findings(changelog: try Repository.text("CHANGELOG.md"), sources: sources))
    }

    @Test func language_isPlain() throws {
        let documents = try documents().map { (path: $0.path, text: $0.text) }.filter { $0.path != "CONTRIBUTING.md" }
        let code = sources.map { (path: $0.path, text: $0.text) }
        expectNone((documents + code).flatMap(LanguageRule.findings))
    }

    private func documents() throws -> [Document] {
        try Repository.files(below: "").filter { $0.hasSuffix(".md") && !isFixture($0) }.map { path in
            Document(path: path, text: try Repository.text(path))
        }
    }

    /// All files written by people, except test data.
    private func texts() throws -> [(path: String, text: String)] {
        let kinds = [".swift", ".md", ".json", ".toml", ".service", ".socket", ".yml", ".sh", ".py", "Makefile", ".ci/run"]
        return try Repository.files(below: "").filter { path in
            kinds.contains(where: path.hasSuffix) && !isFixture(path) && !path.hasPrefix("benchmarks/.build")
        }.map { (path: $0, text: try Repository.text($0)) }
    }

    private func isFixture(_ path: String) -> Bool {
        path.contains("/Fixtures/")
    }
}
