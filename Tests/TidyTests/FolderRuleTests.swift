import Testing

/// Tests of the rule about folders, on small targets.
@Suite struct FolderRuleTests {
    private func findings(_ files: KeyValuePairs<String, String>) -> [String] {
        let sources = files.map { SwiftSource(path: "Sources/\($0.key)", text: $0.value) }
        return FolderRule.findings(in: sources).map(\.description)
    }

    @Test func circleOfTwoFolders_isFoundWithTheNameThatClosesIt() {
        let found = findings([
            "House/Cellar/Pump.swift": "struct Pump { let valve: Valve; let hall: Hall }",
            "House/Cellar/Valve.swift": "enum Valve {}",
            "House/Hall/Hall.swift": "struct Hall { var pumps: [Pump] = []\n    func close(_ valve: Valve) {} }",
        ])
        #expect(
            found == ["Sources/House: the folders Cellar, Hall form a circle; Cellar points at Hall by naming Hall"])
    }

    @Test func longCircles_areFound_andEachOnce() {
        #expect(
            findings([
                "House/A/A.swift": "struct A { var b: B? }", "House/B/B.swift": "class B { let c = C() }",
                "House/C.swift": "final class C { var a: A?; var d: D? }", "House/D/D.swift": "actor D {}",
            ]) == ["Sources/House: the folders A, B, House form a circle; A points at B by naming B"])
    }

    @Test func layers_haveNoFinding() {
        #expect(
            findings([
                "House/House.swift": "let hall = Hall()", "House/Hall/Hall.swift": "struct Hall { var pump: Pump }",
                "House/Cellar/Pump.swift": "struct Pump {}", "House/Cellar/Deep/Well.swift": "struct Well { let pump: Pump }",
                "Barn/Barn.swift": "struct Barn { let hall: Hall }", "Barn/Cellar/Hay.swift": "struct Hay { let barn: Barnyard }",
            ]) == [])
    }

    @Test(arguments: [
        "// Hall\nstruct Pump {}", "/* Hall */ struct Pump {}", "struct Pump { let name = \"Hall\" }", "let pump = Place.Hall",
        "struct Pump { struct Hall {}; let hall: Hall }", "private struct Hall {}\nlet pump = Hall()",
        "struct Pump { var hall: Halls }",
    ])
    func otherWords_areNotNames(text: String) {
        let hall = "struct Hall { let pump: Pump }\nprivate struct Door {}"
        #expect(findings(["House/Cellar/Pump.swift": text + "\nenum Pump {}", "House/Hall/Hall.swift": hall]) == [])
        #expect(findings(["House/Cellar/Pump.swift": "enum Pump {}\nlet door = Door()", "House/Hall/Hall.swift": hall]) == [])
    }

    @Test func interpolations_andExtensions_areNames() {
        for text in ["let pump = \"\\(Hall())\"", "extension Hall {}", "let pump = Hall.Door()"] {
            let hall = "package struct Hall { let pump: Pump }"
            #expect(findings(["House/Cellar/Pump.swift": text + "\nenum Pump {}", "House/Hall/Hall.swift": hall]).count == 1)
        }
    }
}
