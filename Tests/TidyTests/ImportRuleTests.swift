import Testing

/// Tests of the rules about imports and the manifest, on files that break them.
@Suite struct ImportRuleTests {
    private func findings(_ path: String, _ text: String) -> [String] {
        ImportRule.findings(in: SwiftSource(path: path, text: text)).map(\.description)
    }

    @Test func importOutsideTable_isFound() {
        #expect(
            findings("Sources/NotesModel/A.swift", "import Causality\npackage import NotesStore")
                == ["Sources/NotesModel/A.swift:2: NotesModel may not import NotesStore"])
        #expect(findings("Sources/NotesWire/JSON/A.swift", "import Dependents").count == 1)
        #expect(findings("Sources/Causality/A.swift", "import Foundation").count == 1)
        #expect(findings("Tests/CausalityTests/A.swift", "import NotesModel").count == 1)
        #expect(findings("Tests/EndToEndTests/A.swift", "import NotesEngine").count == 1)
    }

    @Test(arguments: [
        "import GRDB", "package import GRDB", "internal import GRDB", "@testable import GRDB",
        "@preconcurrency package import GRDB",
        "import struct GRDB.Database", "import GRDB.Sub", "private import class GRDB.Row", "/* a */ import GRDB // why",
        "#if a\n    import GRDB\n#endif", "import Causality; import GRDB",
    ])
    func everyFormOfImport_isParsed(text: String) {
        #expect(findings("Sources/NotesModel/A.swift", text).count == 1)
    }

    @Test(arguments: [
        "// import GRDB", "let a = \"import GRDB\"", "/*\nimport GRDB\n*/", "\"\"\"\nimport GRDB\n\"\"\"", "import CSHA256",
        "a.import", "let `import` = GRDB",
    ])
    func otherLines_areNotImports(text: String) {
        #expect(findings("Sources/NotesModel/A.swift", text) == [])
    }

    @Test func targetWithoutRow_isFound() {
        #expect(findings("Sources/Extra/A.swift", "").count == 1)
    }

    @Test func scriptSources_importNothing() {
        #expect(findings("verification/fuzz/A.swift", "let a = 1") == [])
        #expect(findings("verification/fuzz/A.swift", "import TextMerge").count == 1)
    }

    @Test func tests_mayImportSubjectAndItsImports() {
        let text =
            "@testable import NotesStore\nimport Testing\nimport TestKit\nimport Logging\nimport Foundation\nimport NotesModel"
        #expect(findings("Tests/NotesStoreTests/A.swift", text) == [])
    }
}

@Suite struct ManifestRuleTests {
    private let rows = [
        ImportTable.Row(layer: 0, target: "Low", own: []),
        ImportTable.Row(layer: 1, target: "High", own: ["Low"], others: ["Lib"], system: ["Dispatch"]),
    ]

    private func findings(_ targets: String) -> [String] {
        ManifestRule.findings(in: Manifest(SwiftSource(path: "Package.swift", text: "targets: [\(targets)]")), rows: rows).map(
            \.message)
    }

    private let low = ".target(name: \"Low\"),"

    @Test func agreement_hasNoFinding() {
        let high =
            ".executableTarget(name: \"High\", dependencies: [\"Low\", .product(name: \"Lib\", package: \"lib\")], path: \"X\")"
        #expect(findings(low + high) == [])
    }

    @Test func differences_areFoundBothWays() {
        #expect(
            findings(low + ".target(name: \"High\", dependencies: [\"Low\"])") == [
                "High does not depend on Lib, which the import table names"
            ])
        #expect(
            findings(".target(name: \"High\", dependencies: [.target(name: \"Low\"), .product(name: \"Lib\", package: \"l\")])")
                .count == 1)
        let upward = ".target(name: \"Low\", dependencies: [\"High\"]), .target(name: \"High\", dependencies: [\"Low\", \"Lib\"])"
        #expect(findings(upward) == ["Low depends on High, which the import table does not name"])
        #expect(
            findings(low + ".target(name: \"High\", dependencies: [\"Low\", \"Lib\"]), .target(name: \"New\")") == [
                "New has no row in the import table"
            ])
    }

    @Test func testTargets_stayWithinTheirRow() {
        let all = low + ".target(name: \"High\", dependencies: [\"Low\", \"Lib\"]),"
        #expect(findings(all + ".testTarget(name: \"CausalityTests\", dependencies: [\"Causality\", \"TestKit\"])") == [])
        #expect(findings(all + ".testTarget(name: \"CausalityTests\", dependencies: [\"NotesWire\"])").count == 1)
        #expect(findings(all + ".testTarget(name: \"EndToEndTests\", dependencies: [\"NotesClient\", \"notesd\"])") == [])
    }

    @Test func unusedProduct_isFound() {
        let text =
            ".target(name: \"High\", dependencies: [.product(name: \"Lib\", package: \"l\"), .product(name: \"Old\", package: \"l\")])"
        let manifest = Manifest(SwiftSource(path: "Package.swift", text: text))
        let file = SwiftSource(path: "Sources/High/A.swift", text: "import Lib\n// import Old")
        #expect(
            ManifestRule.unusedProducts(in: manifest, sources: [file]).map(\.message) == [
                "High depends on Old and never imports it"
            ])
    }
}
