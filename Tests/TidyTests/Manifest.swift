/// The targets of `Package.swift`, read as text.
struct Manifest {
    struct Target: Equatable {
        let name: String
        let line: Int
        let isTest: Bool
        /// Path relative to the repository's root.
        let path: String
        /// Names of this package's targets, then of other packages' products.
        let own: [String]
        let products: [String]
    }

    let targets: [Target]

    init(_ source: SwiftSource) {
        let makers: Set = ["target", "executableTarget", "testTarget", "systemLibrary"]
        var targets: [Target] = []
        var end = 0
        // A dependency inside another target's call has the same form as a target.
        for index in source.places(of: ".") where index >= end {
            guard let maker = source.token(index + 1), makers.contains(maker.text), source.token(index + 2)?.text == "(" else {
                continue
            }
            let group = Self.group(at: index + 2, in: source.tokens)
            end = group.upperBound
            let inside = Arguments(source.tokens[group])
            guard let name = inside.string("name") else { continue }
            let isTest = maker.text == "testTarget"
            targets.append(
                Target(
                    name: name, line: maker.line, isTest: isTest,
                    path: inside.string("path") ?? "\(isTest ? "Tests" : "Sources")/\(name)",
                    own: inside.dependencies.own, products: inside.dependencies.products))
        }
        self.targets = targets
    }

    /// The tokens between the bracket at an index and the one that closes it.
    fileprivate static func group(at start: Int, in tokens: [Token]) -> Range<Int> {
        var depth = 0
        for index in start..<tokens.count where tokens[index].kind == .mark {
            if "([{".contains(tokens[index].text) { depth += 1 }
            if ")]}".contains(tokens[index].text) { depth -= 1 }
            if depth == 0 { return start + 1..<index }
        }
        return start + 1..<tokens.count
    }
}

/// The tokens between the parentheses of a call with labels.
private struct Arguments {
    let tokens: [Token]

    init(_ tokens: some Sequence<Token>) {
        self.tokens = Array(tokens)
    }

    /// The index of the value after the first such label.
    private func place(of label: String) -> Int? {
        tokens.indices.dropLast(2).first { tokens[$0].kind == .word && tokens[$0].text == label && tokens[$0 + 1].text == ":" }
            .map { $0 + 2 }
    }

    func string(_ label: String) -> String? {
        place(of: label).flatMap { tokens[$0].kind == .string ? tokens[$0].text : nil }
    }

    /// The names in a list of dependencies: plain strings, and the name in `.product(name: …)` and
    /// `.target(name: …)`.
    var dependencies: (own: [String], products: [String]) {
        guard let start = place(of: "dependencies"), tokens[start].text == "[" else { return ([], []) }
        let list = Array(tokens[Manifest.group(at: start, in: tokens)])
        var (own, products): ([String], [String]) = ([], [])
        var index = 0
        while index < list.count {
            if list[index].kind == .string { own.append(list[index].text) }
            if list[index].text == "(", list[index].kind == .mark {
                let call = Manifest.group(at: index, in: list)
                let name = Arguments(list[call]).string("name") ?? ""
                if list[index - 1].text == "product" { products.append(name) } else { own.append(name) }
                index = call.upperBound
            }
            index += 1
        }
        return (own, products)
    }
}

enum ManifestRule {
    /// Where the manifest and the table differ: a target's dependencies are what its row names, neither more nor less; a test's
    /// lie within its row.
    static func findings(in manifest: Manifest, rows: [ImportTable.Row] = ImportTable.rows + ImportTable.testKits) -> [Finding] {
        var findings: [Finding] = []
        for target in manifest.targets {
            let declared = Set(target.own + target.products)
            func report(_ message: String) {
                findings.append(Finding(path: "Package.swift", line: target.line, message: "\(target.name) \(message)"))
            }
            if let row = rows.first(where: { $0.target == target.name }) {
                let named = Set(row.own + row.others)
                for name in declared.subtracting(named).sorted() {
                    report("depends on \(name), which the import table does not name")
                }
                for name in named.subtracting(declared).sorted() {
                    report("does not depend on \(name), which the import table names")
                }
            } else if let allowed = ImportTable.allowed(in: target.name) {
                let started = ImportTable.testRow(of: target.name)?.starts ?? []
                for name in declared.subtracting(allowed).subtracting(started).sorted() {
                    report("depends on \(name), which the import table does not name")
                }
            } else {
                report("has no row in the import table")
            }
        }
        let targets = Set(manifest.targets.map(\.name))
        for row in rows where !targets.contains(row.target) {
            findings.append(
                Finding(path: "Package.swift", line: 0, message: "the import table's target \(row.target) is missing"))
        }
        return findings
    }

    /// Finds products that no file of their target imports.
    static func unusedProducts(in manifest: Manifest, sources: [SwiftSource]) -> [Finding] {
        manifest.targets.flatMap { target in
            let imported = Set(sources.filter { $0.target == target.name }.flatMap(Import.all).map(\.module))
            return target.products.filter { !imported.contains($0) }.map { product in
                Finding(
                    path: "Package.swift", line: target.line, message: "\(target.name) depends on \(product) and never imports it"
                )
            }
        }
    }
}
